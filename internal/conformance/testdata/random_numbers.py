"""Writes what random functions of PyTorch 1.13 draw, and the number that follows: python3 random_numbers.py FILE

A row has the function, the dtype, how many numbers, whether they lie in every second element, and the tensors."""
import gzip
import json
import sys

import torch

from differential import value

FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64, torch.complex128]
COUNTS = [1, 2, 7, 8, 15, 16, 17, 18, 23, 24, 31, 32, 33, 40, 100, 1000, 1001, 4096, 5003]
FUNCTIONS = {
    "normal": lambda x: x.normal_(1.5, 2.25),
    "standard normal": lambda x: x.normal_(),
    "log normal": lambda x: x.log_normal_(0.5, 0.75),
    "uniform": lambda x: x.uniform_(-1, 2),
    "exponential": lambda x: x.exponential_(1.5),
    "cauchy": lambda x: x.cauchy_(0.5, 2),
    "geometric": lambda x: x.geometric_(0.3),
    "bernoulli": lambda x: x.bernoulli_(0.3),
    "normal of tensors": lambda x: x.copy_(torch.normal(torch.arange(len(x)).to(x.dtype) * 0.1, torch.ones_like(x) * 0.5)),
}


def main(file):
    torch.set_num_threads(1)
    for seed, dtype in enumerate(FLOATS):
        for n in COUNTS:
            for name, f in FUNCTIONS.items():
                for step in (1, 2):
                    torch.manual_seed(100 * n + seed)
                    x = torch.zeros(n * step, dtype=dtype)[::step]
                    try:
                        f(x)
                    except RuntimeError:
                        continue  # no such numbers of this dtype
                    row = {"function": name, "dtype": str(dtype)[6:], "count": n, "step": step, "seed": 100 * n + seed}
                    row |= {"out": value(x, False)["tensor"], "next": value(torch.rand(1), False)["tensor"]}
                    file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    with gzip.open(sys.argv[1], "wt") as f:
        main(f)
