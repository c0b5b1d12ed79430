"""Writes digits_torch.pt, the checkpoint of 8-finetune.ipynb, with the Python that has torch 1.13.

x.npy and y.npy are those of data.Digits(4000, seed=7) whose class is below 5, as tensor.SaveNpy writes them.
"""
import sys

import numpy as np
import torch
from torch import nn

x, y = torch.tensor(np.load(sys.argv[1])), torch.tensor(np.load(sys.argv[2]))
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.ModuleDict({"conv1": nn.Conv2d(1, 8, 3, padding=1), "conv2": nn.Conv2d(8, 16, 3, padding=1)})
        self.head = nn.Linear(256, 5)

    def forward(self, x):
        for name in self.body:
            x = nn.functional.max_pool2d(self.body[name](x).relu(), 2)
        return self.head(x.flatten(1))


m = Net()
o = torch.optim.Adam(m.parameters(), lr=3e-3)
for epoch in range(8):
    for i in torch.randperm(len(x)).split(64):
        o.zero_grad()
        nn.functional.cross_entropy(m(x[i]), y[i]).backward()
        o.step()
print("accuracy", (m(x).argmax(1) == y).float().mean().item())
torch.save({"epoch": 8, "model": m.state_dict(), "check": {"x": x[:4].clone(), "y": m(x[:4]).detach()}}, sys.argv[3])
