"""Records what torch's sparse tensors do, for tensor/sparse_recorded_test.go.

Run with the Python that has torch 1.13: python3 tensor/testdata/record_sparse.py
It writes tensor/testdata/sparse.json.gz: cases of an operator, its arguments, and the result, the error, or, with
"grads", the gradients of the sum of the result times weights; and texts of tensors.
"""
import gzip, json, math, os, random, warnings

import torch

warnings.simplefilter("ignore")
here = os.path.dirname(os.path.abspath(__file__))
random.seed(7)
torch.manual_seed(7)


def dtype(d):
    return str(d).replace("torch.", "")


def pack(v):
    """A tensor, number or list as JSON."""
    if isinstance(v, torch.Size):
        return list(v)
    if isinstance(v, list) and v and isinstance(v[0], torch.Tensor):
        return [pack(t) for t in v]
    if not isinstance(v, torch.Tensor):
        return v
    v = v.detach()
    out = {"layout": dtype(v.layout), "dtype": dtype(v.dtype), "size": list(v.shape)}
    if v.layout == torch.sparse_coo:
        out.update(indices=v._indices().tolist(), values=pack(v._values()), coalesced=v.is_coalesced())
    elif v.layout == torch.sparse_csr:
        out.update(crow=v.crow_indices().tolist(), col=v.col_indices().tolist(), values=pack(v.values()))
    elif v.layout == torch.sparse_csc:
        out.update(ccol=v.ccol_indices().tolist(), row=v.row_indices().tolist(), values=pack(v.values()))
    else:
        out["data"] = [x if math.isfinite(x) else str(x) for x in v.reshape(-1).tolist()]
    return out


def dense(*shape, dt=torch.float64):
    if dt.is_floating_point:
        return (torch.randint(-8, 9, shape) / 4).to(dt)
    return torch.randint(-4, 5, shape).to(dt)


def coo(*size, dims=None, nnz=None, dt=torch.float64, coalesced=False):
    dims = len(size) if dims is None else dims
    places = 1
    for n in size[:dims]:
        places *= n
    nnz = min(random.randint(0, 6), 2 * places) if nnz is None else nnz
    ix = torch.stack([torch.randint(0, max(n, 1), (nnz,)) for n in size[:dims]]) if dims else torch.zeros(0, nnz)
    x = torch.sparse_coo_tensor(ix, dense(nnz, *size[dims:], dt=dt), size)
    return x.coalesce() if coalesced else x


def csr(n, m, dt=torch.float64):
    return (dense(n, m, dt=dt) * (torch.rand(n, m) < 0.4)).to_sparse_csr()


def csc(n, m, dt=torch.float64):
    return (dense(n, m, dt=dt) * (torch.rand(n, m) < 0.4)).to_sparse_csc()


def function(name):
    f = torch
    for part in name.split("."):
        if not hasattr(f, part):
            f = torch.Tensor
        f = getattr(f, part)
    return f


cases = []


def case(name, *args, **kwargs):
    c = {"op": name, "args": [pack(a) for a in args], "kwargs": {k: pack(v) for k, v in kwargs.items()}}
    try:
        c["result"] = pack(function(name)(*args, **kwargs))
    except Exception as e:
        c["error"] = str(e).split("\n")[0][:160]
        if "MKL" in str(e) or "sparse_mask_sparse_csr" in str(e):  # what this build cannot do
            return
    cases.append(c)


def whole(y):
    return y.to_dense() if y.layout != torch.strided else y


def grads(name, *args, **kwargs):
    """Every tensor of floating point dtype gets a gradient."""
    args = [a.detach().clone().requires_grad_() if isinstance(a, torch.Tensor) and a.is_floating_point() else a
            for a in args]
    c = {"op": name, "args": [pack(a) for a in args], "kwargs": {k: pack(v) for k, v in kwargs.items()}}
    y = function(name)(*args, **kwargs)
    w = dense(*y.shape)
    (whole(y) * w).sum().backward()
    c["weights"] = pack(w)
    c["grads"] = [pack(whole(a.grad)) if isinstance(a, torch.Tensor) and a.requires_grad else None for a in args]
    cases.append(c)


for _ in range(4):
    n, m, k = (random.randint(1, 4) for _ in range(3))
    for x in coo(n, m), coo(n, m, coalesced=True), coo(n, m, k, dims=2), coo(n, m, dims=1), coo(n), coo(n, m, dt=torch.int64):
        for name in "to_dense coalesce clone neg abs sqrt sin tanh floor sign asinh sparse.sum isnan t".split():
            if name == "t" and x.dim() != 2:
                continue
            case(name, x)
        same = torch.sparse_coo_tensor(x._indices(), x._values() * 2, x.shape)
        case("add", x, same)
        case("sub", x, same, alpha=2)
        case("add", x, coo(*x.shape, dims=x.sparse_dim(), dt=x.dtype))
        case("add", dense(*x.shape, dt=x.dtype), x)
        case("mul", x, coo(*x.shape, dims=x.sparse_dim(), dt=x.dtype))
        case("mul", x, dense(*x.shape, dt=x.dtype))
        case("mul", dense(*x.shape, dt=x.dtype), x)
        case("mul", x, 3)
        case("div", x, 2)
        case("pow", x, 2)
        case("unsqueeze", x, 0)
        case("unsqueeze", x, -1)
        case("index_select", x, 0, torch.randint(0, n, (3,)))
        case("index_select", x, -1, torch.randint(0, x.shape[-1], (3,)))
        case("select", x, 0, n - 1)
        case("cat", [x, x])
        case("sparse.sum", x, 0)
        case("sparse.sum", x, -1)
        if x.dtype.is_floating_point:
            for d in range(x.dim()):
                case("sparse.softmax", x, d)
                case("sparse.log_softmax", x, d)
        case("sparse_mask", dense(*x.shape, dt=x.dtype), x.coalesce())
    for x in coo(n, m), csr(n, m):
        case("mm", x, dense(m, k))
        case("matmul", x, dense(m, k))
        case("matmul", x, dense(m))
        case("mv", x, dense(m))
        case("addmm", dense(n, k), x, dense(m, k), beta=2, alpha=3)
        case("to_dense", x)
        case("to_sparse_csr", x)
        case("mm", x, dense(m + 1, k))
    case("sparse.mm", coo(n, m), coo(m, k))
    for x in [csr(n, m)]:
        for name in "to_dense to_sparse clone neg abs sqrt sin sign".split():
            case(name, x)
        case("mul", x, 2.5)
        case("add", dense(n, m), x)
    case("to_sparse", dense(n, m) * (torch.rand(n, m) < 0.5))
    case("to_sparse", dense(n, m, k) * (torch.rand(n, m, 1) < 0.5), 2)
    case("to_sparse_csr", dense(n, m) * (torch.rand(n, m) < 0.5))
    a, b, d = coo(n, m, coalesced=True), coo(n, m, coalesced=True), dense(n, m)
    grads("to_dense", a)
    grads("neg", a)
    grads("div", a, 2)
    grads("mul", a, d)
    grads("sparse.mm", a, dense(m, k))
    grads("sparse.sum", a)
    grads("sparse.sum", a, 0)
    grads("t", a)
    grads("to_sparse", d)

bad = [([[0, 1]], [1.0, 2.0], [1]), ([[0, -1]], [1.0, 2.0], [3]), ([[0, 1]], [1.0, 2.0, 3.0], [3]),
       ([0, 1], [1.0, 2.0], [3]), ([[0, 1]], [1.0, 2.0], [3, 3]), ([[0, 1]], [[1.0, 2.0], [3.0, 4.0]], [3, 3]),
       ([[0, 1]], [1.0, 2.0], [-3]), ([[0, 2]], [1.0, 2.0], None), ([[0, 2], [1, 1]], [[1.0], [2.0]], None)]
for i, v, s in bad:
    case("sparse_coo_tensor", torch.tensor(i), torch.tensor(v), **({} if s is None else {"size": s}))
for r, c, v, s in [([0, 1, 2], [0, 1], [1.0, 2.0], [2, 2]), ([0, 1, 2], [0, 5], [1.0, 2.0], [2, 2]),
                   ([0, 1, 3], [0, 1], [1.0, 2.0], [2, 2]), ([1, 1, 2], [0, 1], [1.0, 2.0], [2, 2]),
                   ([0, 1], [0, 1], [1.0, 2.0], [2, 2]), ([0, 1, 2], [0, 1], [1.0, 2.0, 3.0], [2, 2]),
                   ([0, 2, 2], [1, 0], [1.0, 2.0], [2, 2]), ([0, 1, 2], [0, -1], [1.0, 2.0], [2, 2]),
                   ([0, 1, 2], [0, 1], [1.0, 2.0], [2, 2, 2]), ([0, 1, 2], [0, 3], [1.0, 2.0], None)]:
    case("sparse_csr_tensor", torch.tensor(r), torch.tensor(c), torch.tensor(v), **({} if s is None else {"size": s}))

texts = []
for x in [coo(2, 3), coo(2, 3, nnz=0), coo(5, dims=1), coo(3, 2, dims=1, nnz=2), coo(40, 50, nnz=1200), csr(2, 3), csr(30, 40),
          coo(2, 3, dt=torch.float32), coo(2, 3, nnz=3, dt=torch.int64), coo(2, 3, nnz=2, dt=torch.int32), csr(1, 1),
          coo(100, 100, nnz=20, dt=torch.float32), coo(2, 3, 2, 2, dims=2, nnz=3, dt=torch.float32),
          torch.tensor(3.0).to_sparse(), torch.zeros(3, 3).to_sparse_csr(), coo(2, 3).float().requires_grad_()]:
    texts.append({"tensor": pack(x), "grad": x.requires_grad, "text": str(x)})

for _ in range(6):
    n, m, k = (random.randint(1, 5) for _ in range(3))
    x, y = csc(n, m), csr(n, m)
    for name in ("to_dense to_sparse to_sparse_csr to_sparse_csc clone neg abs sqrt sin sign floor tanh isnan t sum "
                 "ccol_indices row_indices crow_indices col_indices values zeros_like").split():
        case(name, x)
    for name in "to_sparse_csc t ccol_indices row_indices".split():
        case(name, y)
    case("to_sparse_csc", x.to_sparse())
    case("to_sparse_csc", dense(n, m) * (torch.rand(n, m) < 0.5))
    case("transpose", x, 0, 1)
    case("transpose", x, 1, 1)
    case("select", x, 0, n - 1)
    for name in "mm matmul sparse.mm".split():
        case(name, x, dense(m, k))
    case("matmul", dense(k, n), x)
    case("mm", x, dense(m + 1, k))
    case("addmm", dense(n, k), x, dense(m, k), beta=2, alpha=3)

for s, r, v, size in [([0, 1, 2], [0, 1], [1.0, 2.0], [2, 2]), ([0, 1, 2], [0, 5], [1.0, 2.0], [2, 2]),
                      ([0, 1, 3], [0, 1], [1.0, 2.0], [2, 2]), ([1, 1, 2], [0, 1], [1.0, 2.0], [2, 2]),
                      ([0, 1], [0, 1], [1.0, 2.0], [2, 2]), ([0, 1, 2], [0, 1], [1.0, 2.0, 3.0], [2, 2]),
                      ([0, 2, 2], [1, 0], [1.0, 2.0], [2, 2]), ([0, 1, 2], [0, -1], [1.0, 2.0], [2, 2]),
                      ([0, 1, 1, 2], [0, 1], [1.0, 2.0], [2, 3]), ([0, 1, 1, 2], [0, 1], [1.0, 2.0], [3, 2]),
                      ([0, 1, 2], [0, 1], [1.0, 2.0], [2, 2, 2]), ([0, 1, 2], [0, 3], [1.0, 2.0], None)]:
    case("sparse_csc_tensor", torch.tensor(s), torch.tensor(r), torch.tensor(v), **({} if size is None else {"size": size}))
for x in [csc(2, 3), csc(30, 40), csc(1, 1), torch.zeros(3, 3).to_sparse_csc(), torch.eye(3).to_sparse_csc(),
          torch.eye(3).to_sparse_csc().requires_grad_()]:
    texts.append({"tensor": pack(x), "grad": x.requires_grad, "text": str(x)})

path = os.path.join(here, "sparse.json.gz")
with gzip.GzipFile(path, "wb", mtime=0) as f:
    f.write(json.dumps({"cases": cases, "texts": texts}, separators=(",", ":")).encode())
print(len(cases), "cases,", sum("error" in c for c in cases), "errors,", os.path.getsize(path), "bytes")
