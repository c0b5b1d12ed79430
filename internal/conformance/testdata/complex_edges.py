"""Writes what PyTorch 1.13 and NumPy answer for complex numbers at the edges: python3 complex_edges.py complex_edges.jsonl.gz

Arguments combine zeros of both signs, infinities, NaN, small and large numbers in both parts. PyTorch is asked for one
element at a time, so that its scalar functions (std::complex) answer and not its vector loops, which differ. Where it has
formulas of its own for some dtypes (exp, asin, acos, atan), NumPy answers: it calls the same C library."""
import gzip
import json
import sys
import warnings

import numpy
import torch

from differential import value

warnings.simplefilter("ignore")
numpy.seterr(all="ignore")
INF, NAN = float("inf"), float("nan")
NUMPY = {"exp": numpy.exp, "asin": numpy.arcsin, "acos": numpy.arccos, "atan": numpy.arctan}
C99 = "abs acosh angle asinh atanh cos cosh log log10 log2 sin sinh sqrt tan tanh".split()
FORMULAS = "neg reciprocal rsqrt sgn sigmoid isnan isinf isfinite isreal conj_physical".split()
EXPONENTS = [0, 1, 2, 3, -1, -2, 0.5, -0.5, 2.5]


def grid(dtype, parts):
    return torch.tensor([complex(a, b) for a in parts for b in parts], dtype=dtype)


def one_by_one(f, *columns):
    return torch.cat([f(*(x[i:i + 1] for x in columns)) for i in range(len(columns[0]))])


def row(op, args, out, **kwargs):
    return {"op": op, "args": [value(a) for a in args], "kwargs": {k: value(v) for k, v in kwargs.items()}, "out": value(out, False)}


def rows():
    for dtype, small, large, denormal, huge in ((torch.complex64, 1e-15, 1e15, 1e-40, 1e38), (torch.complex128, 1e-100, 1e100, 1e-310, 1e300)):
        usual = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 3.0, -3.0, INF, -INF, NAN]
        x = grid(dtype, usual + [denormal, -denormal, huge, -huge])
        for op in C99:
            yield row(op, [x], one_by_one(getattr(torch, op), x))
        for op, f in NUMPY.items():
            yield row(op, [x], torch.from_numpy(f(x.numpy())))
        x = grid(dtype, usual + [small, -small, large, -large])
        for op in FORMULAS:
            yield row(op, [x], one_by_one(getattr(torch, op), x))
        z = grid(dtype, [0.0, -0.0, 0.3, -2.7, INF, -INF, NAN])
        yield row("sinc", [z], one_by_one(torch.sinc, z))
        for n in EXPONENTS:
            a = z if n == -2 else x  # the square of a large number overflows
            yield row("pow", [a, n], one_by_one(lambda a: a ** n, a))
        for n in (1, 2, 0.5):
            yield row("rpow", [z, n], one_by_one(lambda a: n ** a, z))
        for n in (0, 2, -1.5, INF):
            for op in ("add", "sub", "mul", "div"):
                yield row(op, [x, n], one_by_one(lambda a: getattr(torch, op)(a, n), x))
            yield row("rsub", [x, n], one_by_one(lambda a: torch.rsub(a, n), x))
        y = grid(dtype, [0.0, -0.0, 1.0, -2.5, INF, -INF, NAN])
        n = len(y)
        a, b = y.repeat_interleave(n), y.repeat(n)
        for op in ("add", "sub", "mul", "div", "pow", "rsub"):
            yield row(op, [a, b], one_by_one(getattr(torch, op), a, b))
        yield row("add", [a, b], one_by_one(lambda p, q: torch.add(p, q, alpha=2), a, b), alpha=2)
        yield row("addcmul", [b, a, b], one_by_one(torch.addcmul, b, a, b))
        yield row("addcdiv", [b, a, b], one_by_one(torch.addcdiv, b, a, b))
        yield row("lerp", [a, b, a], one_by_one(torch.lerp, a, b, a))


if __name__ == "__main__":
    with gzip.GzipFile(sys.argv[1], "wb", 9, mtime=0) as f:
        for r in rows():
            f.write((json.dumps(r) + "\n").encode())
