"""Records steps of torch's optimizers with sparse gradients, for nn/optim/sparse_test.go.

Run with the Python that has torch 1.13: python3 nn/testdata/record_sparse.py
It writes nn/optim/testdata/sparse.json.gz.
"""
import os

import torch

from record import here, pack, write

torch.manual_seed(3)
o = torch.optim
optimizers = {
    "sgd": lambda p: o.SGD(p, lr=0.1),
    "sgd_maximize": lambda p: o.SGD(p, lr=0.1, maximize=True),
    "sgd_momentum": lambda p: o.SGD(p, lr=0.1, momentum=0.9, dampening=0.1),
    "adagrad": lambda p: o.Adagrad(p, lr=0.1, lr_decay=0.01),
    "sparse_adam": lambda p: o.SparseAdam(p, lr=0.05),
    "sparse_adam_betas": lambda p: o.SparseAdam(p, lr=0.05, betas=(0.8, 0.9), eps=1e-6, maximize=True),
}
first = torch.randn(6, 3, dtype=torch.float64)
rows = [[1, 3, 1], [0, 1, 5], [3, 3, 3], [2, 1, 0], [5, 5, 1]]
weights = torch.randn(5, 3, 3, dtype=torch.float64)
steps = {}
for name, make in optimizers.items():
    w = first.clone().requires_grad_()
    opt = make([w])
    steps[name] = []
    for i, r in enumerate(rows):
        opt.zero_grad()
        (torch.nn.functional.embedding(torch.tensor(r), w, sparse=True) * weights[i]).sum().backward()
        opt.step()
        steps[name].append(pack(w.clone()))
write(os.path.join(here, "..", "optim", "testdata", "sparse.json.gz"),
      {"first": pack(first), "rows": rows, "weights": pack(weights), "steps": steps})
