"""Records what torch answers for OpInfo's sparse samples, for tensor/sparse_opinfo_test.go.

Run with a Python that has torch 1.13 and its testing packages: python3 tensor/testdata/record_sparse_opinfo.py
It takes every operator that OpInfo says supports sparse_coo or sparse_csr, in every dtype that it supports: the samples
that OpInfo has for that layout, or its strided samples as sparse tensors, whole and with most elements zero. Matrices
of 20×20 are cut to 7×5. It writes tensor/testdata/sparse_opinfo.json.gz.
"""
import gzip, json, math, os, warnings

import torch
from torch.testing._internal.common_methods_invocations import op_db

warnings.simplefilter("ignore")
here = os.path.dirname(os.path.abspath(__file__))
torch.manual_seed(11)


def dtype(d):
    return str(d).replace("torch.", "")


def number(x):
    if isinstance(x, complex):
        return [number(x.real), number(x.imag)]
    return x if not isinstance(x, float) or math.isfinite(x) else str(x)


def pack(v):
    """A tensor, number or list as JSON."""
    if isinstance(v, torch.dtype):
        return dtype(v)
    if isinstance(v, (list, tuple)):
        return [pack(t) for t in v]
    if not isinstance(v, torch.Tensor):
        return number(v)
    v = v.detach()
    out = {"layout": dtype(v.layout), "dtype": dtype(v.dtype), "size": list(v.shape)}
    if v.layout == torch.sparse_coo:
        out.update(indices=v._indices().tolist(), values=pack(v._values()), coalesced=v.is_coalesced())
    elif v.layout == torch.sparse_csr:
        out.update(crow=v.crow_indices().tolist(), col=v.col_indices().tolist(), values=pack(v.values()))
    else:
        out["data"] = [number(x) for x in v.resolve_conj().resolve_neg().reshape(-1).tolist()]
    return out


def layouts(op):
    if op.supports_sparse:
        yield torch.sparse_coo
    if op.supports_sparse_csr:
        yield torch.sparse_csr


def samples(op, layout, dt):
    """The samples of a layout."""
    name = {torch.sparse_coo: "sample_inputs_sparse_coo", torch.sparse_csr: "sample_inputs_sparse_csr"}[layout]
    func = getattr(op, name + "_func", None)
    if func is not None and "_sample_inputs_unspecified" not in str(func) and op.name.startswith("masked."):
        yield from getattr(op, name)("cpu", dt)
        return
    for s in op.sample_inputs("cpu", dt):
        x = s.input
        if op.name == "to_sparse":
            yield s
            continue
        if x.dim() == 2:
            x = x[:7, :5]
        if layout == torch.sparse_csr and x.dim() != 2:
            continue
        for x in (x, x * (torch.rand(x.shape) < 0.4).to(x.dtype)):
            s.input = x.to_sparse() if layout == torch.sparse_coo else x.to_sparse_csr()
            yield s


cases, left = [], {}
for op in op_db:
    if op.name == "randn_like":  # it draws
        continue
    for layout in layouts(op):
        for dt in sorted(op.supported_dtypes("cpu"), key=str):
            if dt == torch.complex32:  # gotorch stores it and does not compute with it
                continue
            it = iter(samples(op, layout, dt))
            while True:
                try:
                    s = next(it)
                except StopIteration:
                    break
                except Exception as e:
                    left[(op.name, dtype(layout), str(e).split("\n")[0][:70])] = dtype(dt)
                    break
                if s.input.numel() > 400:
                    continue
                try:
                    got = op(s.input, *s.args, **s.kwargs)
                except Exception as e:
                    left[(op.name, dtype(layout), str(e).split("\n")[0][:70])] = dtype(dt)
                    continue
                cases.append({"op": op.name, "args": [pack(a) for a in (s.input, *s.args)],
                              "kwargs": {k: pack(v) for k, v in s.kwargs.items()}, "result": pack(got)})

path = os.path.join(here, "sparse_opinfo.json.gz")
with gzip.GzipFile(path, "wb", mtime=0) as f:
    f.write(json.dumps({"cases": cases}, separators=(",", ":")).encode())
for k, v in left.items():
    print("left out:", *k, v)
print(len(cases), "cases of", len({c["op"] for c in cases}), "operators,", os.path.getsize(path), "bytes")
