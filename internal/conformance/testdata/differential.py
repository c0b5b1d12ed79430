"""Makes random calls of PyTorch and writes them as vectors: python3 differential.py COUNT SEED DIR (PyTorch 1.13).

Operators, dtypes, shapes (none, empty and broadcast ones among them), strides, dimensions and numbers (NaN, infinities,
zeros of both signs, integers at the ends of their range) are drawn; wrong calls are recorded with their error."""
import base64
import collections
import gzip
import json
import os
import random
import sys
import warnings

import torch

warnings.simplefilter("ignore")
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
COMPLEX = [torch.complex64, torch.complex128]
INTS = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8]
ALL = FLOATS[:2] * 3 + FLOATS + COMPLEX * 2 + INTS + [torch.bool]

UNARY = """abs acos acosh angle asin asinh atan atanh bitwise_not ceil cos cosh deg2rad digamma erf erfc erfinv exp exp2
expm1 floor frac isfinite isinf isnan isneginf isposinf isreal lgamma log log10 log1p log2 logical_not nan_to_num neg
positive rad2deg reciprocal round rsqrt sgn sigmoid sign signbit sin sinc sinh sqrt square tan tanh trunc conj real
nn.functional.relu nn.functional.silu nn.functional.softplus nn.functional.elu nn.functional.selu nn.functional.gelu
nn.functional.mish nn.functional.hardswish nn.functional.hardsigmoid nn.functional.logsigmoid nn.functional.softsign
special.entr special.i0e special.i1 special.ndtr special.log_ndtr special.erfcx special.bessel_j0""".split()
BINARY = """add sub mul div true_divide floor_divide remainder fmod pow float_power atan2 maximum minimum fmax fmin hypot
logaddexp logaddexp2 eq ne lt le gt ge bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor copysign
nextafter heaviside gcd lcm xlogy ldexp bitwise_left_shift isclose""".split()
REDUCE = """sum prod mean amax amin all any std var logsumexp nansum count_nonzero argmax argmin median norm nanmean""".split()
ALONG = """cumsum cumprod logcumsumexp softmax log_softmax flip unbind diff argsort cummax cummin sort mode""".split()


def function(name):
    f = torch
    for part in name.split("."):
        f = getattr(f, part)
    return f


def numbers(dtype, n, special):
    if dtype == torch.bool:
        return torch.randint(0, 2, (n,)).bool()
    if not dtype.is_floating_point and not dtype.is_complex:
        info = torch.iinfo(dtype)
        t = torch.randint(max(info.min, -9), 10, (n,)).to(dtype)
        if special and n:
            for _ in range(2):
                t[random.randrange(n)] = random.choice([info.min, info.max, 0, 1])
        return t
    if dtype.is_complex:
        t = torch.complex(numbers(torch.float64, n, special), numbers(torch.float64, n, special))
        return t.to(dtype)
    t = (torch.randn(n, dtype=torch.float64) * random.choice([0.5, 2, 2, 9])).to(dtype)
    if special and n:
        for _ in range(3):
            t[random.randrange(n)] = random.choice([float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1.0, -1.0, 0.5])
    return t


def shape(rank=None):
    rank = random.choice([0, 1, 1, 2, 2, 2, 3, 3]) if rank is None else rank
    return [random.choice([0, 1, 2, 3, 4, 5]) if random.random() < 0.3 else random.choice([1, 2, 3, 4]) for _ in range(rank)]


def tensor(dtype, size, special=None):
    """A tensor of a random layout: contiguous, transposed, with steps and offset, or expanded."""
    special = random.random() < 0.35 if special is None else special
    n = len(size)
    kind = random.choice(["plain", "plain", "permuted", "steps", "expanded"]) if n else "plain"
    if kind == "permuted":
        order = random.sample(range(n), n)
        base = numbers(dtype, count(size), special).reshape([size[d] for d in order])
        return base.permute([order.index(d) for d in range(n)])
    if kind == "steps":
        base = numbers(dtype, count([2 * s + 1 for s in size]), special).reshape([2 * s + 1 for s in size])
        return base[tuple(slice(1, 2 * s + 1, 2) for s in size)]
    if kind == "expanded":
        small = [1 if random.random() < 0.5 else s for s in size]
        return numbers(dtype, count(small), special).reshape(small).expand(size)
    return numbers(dtype, count(size), special).reshape(size)


def count(size):
    n = 1
    for s in size:
        n *= s
    return n


def broadcast(size):
    """A shape that broadcasts with size, or now and then one that does not."""
    out = [1 if random.random() < 0.25 else s for s in size]
    out = out[random.randrange(len(out) + 1):] if random.random() < 0.3 else out
    if out and random.random() < 0.03:
        out[-1] += 1
    return out


def dim(n):
    return random.randrange(-max(n, 1), max(n, 1)) if random.random() < 0.97 else n + 1


def overflows(args):
    """Whether the least integer may be divided by -1, which ends the process of 1.13."""
    whole = [a for a in args if isinstance(a, torch.Tensor) and not a.is_floating_point() and not a.is_complex() and a.dtype != torch.bool]
    return len(whole) == 2 and bool((whole[0] == torch.iinfo(whole[0].dtype).min).any()) and bool((whole[1] == -1).any())


def call():
    kind = random.choice(["unary"] * 3 + ["binary"] * 4 + ["reduce"] * 3 + ["along"] * 2 + ["shape"] * 3 + ["matrix"] * 2)
    dtype = random.choice(ALL)
    if kind == "unary":
        return random.choice(UNARY), [tensor(dtype, shape())], {}
    if kind == "binary":
        op, size = random.choice(BINARY), shape()
        other = random.choice(ALL) if random.random() < 0.4 else dtype
        args = [tensor(dtype, size), tensor(other, broadcast(size))]
        if random.random() < 0.25:
            args[1] = random.choice([0, 1, 2, -3, 0.5, -2.5, True])
        return (op, args, {}) if op not in ("fmod", "remainder", "floor_divide") or not overflows(args) else call()
    if kind == "reduce":
        op, size = random.choice(REDUCE), shape()
        kw = {}
        if random.random() < 0.75 and op != "median" or op in ("amax", "amin", "logsumexp"):
            kw["dim"] = dim(len(size))
            if op != "count_nonzero":
                kw["keepdim"] = random.random() < 0.5
        return op, [tensor(dtype, size)], kw
    if kind == "along":
        op, size = random.choice(ALONG), shape()
        d = dim(len(size))
        return op, [tensor(dtype, size), [d] if op == "flip" else d] if op != "diff" else [tensor(dtype, size)], {"dim": d} if op == "diff" else {}
    if kind == "shape":
        return layout(dtype)
    return matrix(random.choice(FLOATS[:2] + COMPLEX + [dtype]))


def layout(dtype):
    op = random.choice("""transpose movedim unsqueeze squeeze cat stack chunk tril triu repeat tile narrow index_select
        gather masked_fill where roll flatten take masked_select select diagonal scatter_add index_add""".split())
    size = shape()
    x, n = tensor(dtype, size), len(size)
    d = dim(n)
    length = size[d] if -n <= d < n else 1
    if op in ("transpose", "movedim"):
        return op, [x, d, dim(n)], {}
    if op in ("unsqueeze", "squeeze"):
        return op, [x, d], {}
    if op in ("cat", "stack"):
        return op, [[x, tensor(dtype if random.random() < 0.7 else random.choice(ALL), list(size))], d], {}
    if op == "chunk":
        return op, [x, random.choice([1, 2, 3, 5]), d], {}
    if op in ("tril", "triu"):
        return op, [x, random.choice([-1, 0, 1, 2])], {}
    if op in ("repeat", "tile"):
        return op, [x, [random.choice([0, 1, 2, 3]) for _ in range(n + random.choice([0, 1]))]], {}
    if op == "narrow":
        start = random.randrange(length + 1)
        return op, [x, d, start, random.randrange(length - start + 1)], {}
    if op == "index_select":
        # 1.13 reads past a tensor of no dimensions for more than one index
        return op, [x, d, torch.randint(0, max(length, 1), (3 if n else 1,))], {}
    if op in ("gather", "scatter_add", "index_add"):
        if op == "index_add":
            if not n or 0 in size:
                return "flatten", [x], {}
            source = list(size)
            if -n <= d < n:
                source[d] = 2
            return op, [x, d, torch.randint(0, max(length, 1), (2,)), tensor(dtype, source)], {}
        index = torch.randint(0, max(length, 1), [random.randrange(s + 1) for s in size])
        return op, [x, d, index] + ([tensor(dtype, size)] if op == "scatter_add" else []), {}
    if op == "masked_fill":
        return op, [x, tensor(torch.bool, broadcast(size)), random.choice([0, 1, -2, 0.5])], {}
    if op == "where":
        return op, [tensor(torch.bool, broadcast(size)), x, tensor(dtype, broadcast(size))], {}
    if op == "roll":
        return op, [x, random.choice([-2, -1, 1, 3])] + ([d] if random.random() < 0.7 else []), {}
    if op == "take":
        return op, [x, torch.randint(-count(size), max(count(size), 1), (2, 2))], {}
    if op == "masked_select":
        return op, [x, tensor(torch.bool, broadcast(size))], {}
    if op == "select":
        return op, [x, d, dim(length)], {}
    if op == "diagonal":
        return op, [x, random.choice([-1, 0, 1])], {}
    return op, [x], {}


def matrix(dtype):
    op = random.choice("""matmul matmul mm bmm mv dot outer addmm linalg.det linalg.inv linalg.solve linalg.norm trace
        linalg.cholesky linalg.matrix_power cross kron baddbmm""".split())
    n, m, k = (random.choice([0, 1, 2, 3, 4]) if random.random() < 0.3 else random.choice([1, 2, 3, 4]) for _ in range(3))
    t = lambda *size: tensor(dtype, list(size), False)
    b = random.choice([0, 1, 2, 3])
    if op == "matmul":
        first = random.choice([[k], [n, k], [b, n, k], [1, n, k]])
        second = random.choice([[k], [k, m], [b, k, m]])
        if random.random() < 0.05:
            second[0] += 1
        return op, [tensor(dtype, first), tensor(dtype, second)], {}
    if op == "mm":
        return op, [t(n, k), t(k, m)], {}
    if op in ("bmm", "baddbmm"):
        return op, ([t(b, n, m)] if op == "baddbmm" else []) + [t(b, n, k), t(b, k, m)], {}
    if op == "mv":
        return op, [t(n, k), t(k)], {}
    if op in ("dot", "outer"):
        return op, [t(k), t(k if op == "dot" else m)], {}
    if op == "addmm":
        return op, [t(*random.choice([[n, m], [m], [1, m]])), t(n, k), t(k, m)], {"alpha": 2, "beta": random.choice([0, 1, 3])}
    if op == "cross":
        return op, [t(n, 3), t(n, 3)], {"dim": 1}
    if op == "kron":
        return op, [t(n, k), t(m)], {}
    if op == "linalg.norm":
        return op, [t(n, k)], {}
    if op == "trace":
        return op, [t(n, k)], {}
    a = t(n, n)
    if a.is_floating_point() or a.is_complex():
        a = (a.contiguous() * 0.1 + torch.eye(n) * 2).to(dtype)
    if op == "linalg.cholesky":
        a = a @ a.mH if dtype in FLOATS[:2] + COMPLEX else a
    if op == "linalg.matrix_power":
        return op, [a, random.choice([-1, 0, 2, 3])], {}
    return op, [a] + ([t(n, m)] if op == "linalg.solve" else []), {}


def encode(t, storage):
    e = {"dtype": str(t.dtype)[6:], "shape": list(t.shape), "stride": list(t.stride()), "offset": 0, "requires_grad": t.requires_grad}
    t = t.detach()
    if storage:
        e["offset"] = t.storage_offset()
        t = t.as_strided([t.storage().size()], [1], 0)
    t = t.resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format)
    t = torch.view_as_real(t) if t.is_complex() else t.to(torch.uint8) if t.dtype == torch.bool else t
    raw = t.reshape(-1).view(torch.uint8).tolist() if t.numel() else []
    e["data"] = base64.b64encode(bytes(raw)).decode()
    return {"tensor": e}


def value(v, storage=True):
    if isinstance(v, torch.Tensor):
        return encode(v, storage)
    if isinstance(v, (list, tuple)):
        return {"list": [value(x, storage) for x in v]}
    if isinstance(v, float):
        return {"float": repr(v)}
    return v


def flat(out):
    return [out] if isinstance(out, torch.Tensor) else [x for x in out if isinstance(x, torch.Tensor)]


def record(number):
    op, args, kwargs = call()
    leaves = []
    take_grad = random.random() < 0.4
    for a in args:
        if isinstance(a, torch.Tensor) and (a.is_floating_point() or a.is_complex()) and take_grad:
            leaves.append(a.requires_grad_())
    first = next((a for a in args if isinstance(a, torch.Tensor)), args[0][0] if isinstance(args[0], list) else None)
    row = {"op": op, "variant": "random", "sample": number, "dtype": str(first.dtype)[6:]}
    row["args"] = [value(a) for a in args]
    row["kwargs"] = {k: value(v) for k, v in kwargs.items()}
    try:
        method = getattr(torch.Tensor, op, None) if op in ("repeat", "unbind", "masked_fill", "index_add", "scatter_add") else None
        out = (method or function(op))(*args, **kwargs)
        if any(y.dtype == torch.complex32 for y in flat(out)):
            return record(number)  # a dtype that gotorch has not
    except (RuntimeError, IndexError, TypeError, ValueError, NotImplementedError) as e:
        row["error"] = {"type": type(e).__name__, "message": str(e).split("\n")[0]}
        return row
    results = flat(out)
    row["out"] = value(results[0], False) if isinstance(out, torch.Tensor) else {"tuple": [value(x, False) for x in results]}
    ys = [y for y in results if y.requires_grad]
    if leaves and ys:
        cotangents = [torch.randn(y.shape, dtype=y.dtype if y.is_complex() else torch.float64).to(y.dtype) for y in ys]
        try:
            grads = torch.autograd.grad(ys, leaves, cotangents, allow_unused=True)
        except (RuntimeError, IndexError):
            return row
        row["cotangents"] = [value(c, False) for c in cotangents]
        row["grads"] = [None if g is None else value(g, False) for g in grads]
    return row


def main():
    total, seed, directory = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    random.seed(seed)
    torch.manual_seed(seed)
    os.makedirs(os.path.join(directory, "opinfo"), exist_ok=True)
    rows = collections.defaultdict(list)
    for i in range(total):
        row = record(i)
        rows[row["op"]].append(json.dumps(row))
    for op, lines in rows.items():
        with gzip.open(os.path.join(directory, "opinfo", op + ".jsonl.gz"), "wt") as f:
            f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
