"""Records what torch's modules, optimizers and schedules do, for the tests of package nn.

Run with the Python that has torch 1.13: python3 nn/testdata/record.py [modules] [optim] [schedules] [checkpoints]
It writes nn/testdata/modules.json.gz, nn/optim/testdata/optim.json.gz and nn/optim/testdata/schedules.json.gz.
"""
import base64, gzip, json, math, os, sys

import numpy as np
import torch
from torch import nn

here = os.path.dirname(os.path.abspath(__file__))


def pack(t):
    t = t.detach().contiguous()
    kind = {torch.float32: "f4", torch.float64: "f8", torch.int64: "i8", torch.bool: "b1"}[t.dtype]
    return {"shape": list(t.shape), "dtype": kind, "data": base64.b64encode(t.numpy().tobytes()).decode()}


def write(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with gzip.GzipFile(path, "wb", mtime=0) as f:
        f.write(json.dumps(value, separators=(",", ":")).encode())
    print(path, os.path.getsize(path))


def flat(out):
    """The tensors of a result, in order."""
    if isinstance(out, torch.Tensor):
        return [out]
    if out is None:
        return []
    return [t for o in out for t in flat(o)]


def floats(*shape):
    return lambda: torch.randn(*shape)


def indices(high, *shape):
    return lambda: torch.randint(0, high, shape)


R = floats
CASES = {
    # name: (module, inputs, training)
    "linear": (lambda: nn.Linear(5, 3), [R(4, 5)], False),
    "linear_nobias": (lambda: nn.Linear(5, 3, bias=False), [R(2, 4, 5)], False),
    "bilinear": (lambda: nn.Bilinear(3, 4, 2), [R(5, 3), R(5, 4)], False),
    "conv1d": (lambda: nn.Conv1d(4, 6, 3, stride=2, padding=1, groups=2), [R(2, 4, 9)], False),
    "conv1d_circular": (lambda: nn.Conv1d(2, 3, 3, padding=1, padding_mode="circular"), [R(2, 2, 6)], False),
    "conv2d": (lambda: nn.Conv2d(3, 4, (3, 2), stride=(1, 2), padding=(1, 0), dilation=(2, 1)), [R(2, 3, 7, 6)], False),
    "conv2d_same": (lambda: nn.Conv2d(2, 3, 4, padding="same"), [R(1, 2, 5, 6)], False),
    "conv2d_reflect": (lambda: nn.Conv2d(2, 2, 3, padding=(2, 1), padding_mode="reflect", bias=False), [R(1, 2, 5, 4)], False),
    "conv2d_same_replicate": (lambda: nn.Conv2d(2, 2, (2, 3), padding="same", padding_mode="replicate"), [R(1, 2, 5, 4)], False),
    "conv3d": (lambda: nn.Conv3d(2, 3, 2, stride=2), [R(1, 2, 4, 4, 5)], False),
    "conv_transpose1d": (lambda: nn.ConvTranspose1d(3, 4, 3, stride=2, padding=1, output_padding=1), [R(2, 3, 5)], False),
    "conv_transpose2d": (lambda: nn.ConvTranspose2d(4, 2, 3, stride=2, groups=2, dilation=2), [R(1, 4, 3, 4)], False),
    "conv_transpose3d": (lambda: nn.ConvTranspose3d(2, 2, 2, stride=2, bias=False), [R(1, 2, 2, 3, 2)], False),
    "max_pool1d": (lambda: nn.MaxPool1d(3, stride=2, padding=1), [R(2, 2, 7)], False),
    "max_pool2d": (lambda: nn.MaxPool2d(2, ceil_mode=True), [R(1, 2, 5, 5)], False),
    "max_pool3d": (lambda: nn.MaxPool3d(2, dilation=2, stride=1), [R(1, 1, 4, 4, 4)], False),
    "avg_pool1d": (lambda: nn.AvgPool1d(2), [R(2, 2, 7)], False),
    "avg_pool2d": (lambda: nn.AvgPool2d(3, stride=2, padding=1, count_include_pad=False), [R(1, 2, 5, 6)], False),
    "avg_pool3d": (lambda: nn.AvgPool3d(2, divisor_override=3), [R(1, 1, 4, 4, 4)], False),
    "adaptive_avg_pool2d": (lambda: nn.AdaptiveAvgPool2d((2, 3)), [R(1, 2, 5, 7)], False),
    "adaptive_max_pool1d": (lambda: nn.AdaptiveMaxPool1d(3), [R(2, 2, 8)], False),
    "batch_norm1d_train": (lambda: nn.BatchNorm1d(3), [R(6, 3)], True),
    "batch_norm1d_eval": (lambda: nn.BatchNorm1d(3), [R(6, 3, 2)], False),
    "batch_norm2d_train": (lambda: nn.BatchNorm2d(3, momentum=None, eps=1e-3), [R(4, 3, 2, 2)], True),
    "batch_norm2d_notrack": (lambda: nn.BatchNorm2d(3, track_running_stats=False, affine=False), [R(4, 3, 2, 2)], False),
    "batch_norm3d_train": (lambda: nn.BatchNorm3d(2), [R(2, 2, 2, 2, 3)], True),
    "instance_norm1d": (lambda: nn.InstanceNorm1d(3, affine=True), [R(2, 3, 5)], True),
    "instance_norm2d_single": (lambda: nn.InstanceNorm2d(3), [R(3, 4, 5)], False),
    "instance_norm2d_track": (lambda: nn.InstanceNorm2d(3, affine=True, track_running_stats=True), [R(2, 3, 4, 5)], True),
    "instance_norm3d_eval": (lambda: nn.InstanceNorm3d(2, track_running_stats=True), [R(2, 2, 2, 3, 2)], False),
    "layer_norm": (lambda: nn.LayerNorm([3, 4]), [R(2, 3, 4)], False),
    "group_norm": (lambda: nn.GroupNorm(2, 4), [R(2, 4, 3)], False),
    "local_response_norm": (lambda: nn.LocalResponseNorm(3), [R(2, 5, 4)], False),
    "embedding": (lambda: nn.Embedding(7, 3), [indices(7, 2, 4)], False),
    "embedding_padding": (lambda: nn.Embedding(7, 3, padding_idx=-5), [indices(7, 9)], False),
    "embedding_max_norm": (lambda: nn.Embedding(7, 3, max_norm=1.0), [indices(7, 9)], False),
    "embedding_bag_mean": (lambda: nn.EmbeddingBag(7, 3), [indices(7, 3, 4)], False),
    "embedding_bag_sum": (lambda: nn.EmbeddingBag(7, 3, mode="sum", padding_idx=2), [indices(4, 3, 5)], False),
    "embedding_bag_max": (lambda: nn.EmbeddingBag(7, 3, mode="max"), [indices(7, 3, 4)], False),
    "dropout_eval": (lambda: nn.Dropout(0.5), [R(3, 4)], False),
    "dropout_train": (lambda: nn.Dropout(0.3), [R(3, 40)], True),
    "dropout2d_train": (lambda: nn.Dropout2d(0.4), [R(3, 8, 2, 2)], True),
    "alpha_dropout_train": (lambda: nn.AlphaDropout(0.2), [R(3, 20)], True),
    "prelu": (lambda: nn.PReLU(3), [R(2, 3, 4)], False),
    "rrelu_eval": (lambda: nn.RReLU(), [R(3, 4)], False),
    "softmax2d": (lambda: nn.Softmax2d(), [R(2, 3, 2, 2)], False),
    "gelu_tanh": (lambda: nn.GELU(approximate="tanh"), [R(3, 4)], False),
    "pixel_shuffle": (lambda: nn.PixelShuffle(2), [R(1, 8, 2, 3)], False),
    "upsample": (lambda: nn.Upsample(scale_factor=2, mode="bilinear"), [R(1, 2, 3, 3)], False),
    "constant_pad2d": (lambda: nn.ConstantPad2d((1, 2, 0, 1), 3.5), [R(1, 2, 3, 3)], False),
    "reflection_pad1d": (lambda: nn.ReflectionPad1d(2), [R(1, 2, 5)], False),
    "sequential": (lambda: nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(18, 4)), [R(2, 1, 5, 5)], True),
    # recurrent
    "rnn": (lambda: nn.RNN(3, 4, num_layers=2), [R(5, 2, 3)], False),
    "rnn_relu_single": (lambda: nn.RNN(3, 4, nonlinearity="relu", bidirectional=True), [R(5, 3)], False),
    "lstm": (lambda: nn.LSTM(3, 4), [R(5, 2, 3)], False),
    "lstm_deep": (lambda: nn.LSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True), [R(2, 5, 3)], False),
    "lstm_proj": (lambda: nn.LSTM(3, 4, proj_size=2, num_layers=2), [R(5, 2, 3)], False),
    "gru": (lambda: nn.GRU(3, 4, bias=False), [R(5, 2, 3)], False),
    "gru_deep": (lambda: nn.GRU(3, 4, num_layers=2, bidirectional=True), [R(5, 2, 3)], False),
    "rnn_cell": (lambda: nn.RNNCell(3, 4), [R(2, 3), R(2, 4)], False),
    "gru_cell": (lambda: nn.GRUCell(3, 4), [R(2, 3), R(2, 4)], False),
    "lstm_cell": (lambda: nn.LSTMCell(3, 4), [R(2, 3)], False),
    # attention and transformers
    "attention": (lambda: nn.MultiheadAttention(8, 2), [R(3, 2, 8), R(5, 2, 8), R(5, 2, 8)], True),
    "attention_batch_first": (lambda: nn.MultiheadAttention(8, 4, batch_first=True, bias=False), [R(2, 3, 8)] * 3, True),
    "attention_kv": (lambda: nn.MultiheadAttention(6, 2, kdim=4, vdim=5, add_bias_kv=True, add_zero_attn=True), [R(3, 2, 6), R(5, 2, 4), R(5, 2, 5)], True),
    "encoder_layer": (lambda: nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, dropout=0.0), [R(4, 2, 8)], True),
    "encoder_layer_first": (lambda: nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, dropout=0.0, norm_first=True, batch_first=True, activation="gelu"), [R(2, 4, 8)], True),
    "decoder_layer": (lambda: nn.TransformerDecoderLayer(8, 2, dim_feedforward=16, dropout=0.0), [R(3, 2, 8), R(4, 2, 8)], True),
    "encoder": (lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, dropout=0.0), 2, nn.LayerNorm(8)), [R(4, 2, 8)], True),
    "transformer": (lambda: nn.Transformer(8, 2, 1, 1, 16, dropout=0.0), [R(4, 2, 8), R(3, 2, 8)], True),
}


def modules():
    out = {}
    for n, (name, (make, inputs, training)) in enumerate(CASES.items()):
        torch.manual_seed(n + 1)
        m = make()
        state = [[k, pack(v)] for k, v in m.state_dict().items()]
        params = [k for k, _ in m.named_parameters()]
        m.train(training)
        torch.manual_seed(1000 + n)
        if name == "attention_batch_first":
            xs = [inputs[0]()] * 3
        else:
            xs = [f() for f in inputs]
        leaves = [x.requires_grad_() if x.is_floating_point() else x for x in xs]
        torch.manual_seed(2000 + n)
        results = flat(m(*leaves))
        loss = 0
        for r in results:
            loss = loss + (r.flatten() * torch.cos(0.7 * torch.arange(r.numel(), dtype=torch.float64)).float()).sum()
        loss.backward()
        out[name] = {
            "seed": n + 1, "training": training, "state": state, "params": params, "inputs": [pack(x) for x in xs], "draw": 2000 + n,
            "outputs": [pack(r) for r in results], "input_grads": [pack(x.grad) if x.grad is not None else None for x in leaves],
            "grads": {k: pack(p.grad) for k, p in m.named_parameters() if p.grad is not None},
            "after": [[k, pack(v)] for k, v in m.named_buffers()],
        }
    inits = {}
    i = nn.init
    for n, (name, shape, f) in enumerate([
        ("uniform_", (3, 4), lambda t: i.uniform_(t, -2, 3)),
        ("normal_", (4, 5), lambda t: i.normal_(t, 1, 2)),
        ("trunc_normal_", (5, 6), lambda t: i.trunc_normal_(t, 0.5, 1, -1, 1)),
        ("xavier_uniform_", (3, 4, 2), lambda t: i.xavier_uniform_(t, gain=1.5)),
        ("xavier_normal_", (5, 4), lambda t: i.xavier_normal_(t)),
        ("kaiming_uniform_", (3, 4), lambda t: i.kaiming_uniform_(t, mode="fan_out", nonlinearity="relu")),
        ("kaiming_normal_", (6, 4), lambda t: i.kaiming_normal_(t, a=0.2)),
        ("orthogonal_", (3, 5), lambda t: i.orthogonal_(t, gain=2)),
        ("orthogonal_tall_", (6, 2, 2), lambda t: i.orthogonal_(t)),
        ("sparse_", (6, 4), lambda t: i.sparse_(t, 0.4)),
        ("dirac_", (4, 2, 3), lambda t: i.dirac_(t, 2)),
        ("eye_", (3, 4), lambda t: i.eye_(t)),
    ]):
        torch.manual_seed(500 + n)
        inits[name] = {"seed": 500 + n, "value": pack(f(torch.empty(*shape)))}
    write(os.path.join(here, "modules.json.gz"), {"modules": out, "inits": inits})


def optimizers():
    """50 steps of each optimizer on a small network in float64: its parameters after some of them."""
    o = torch.optim
    cases = {
        "sgd": lambda p: o.SGD(p, lr=0.1),
        "sgd_momentum": lambda p: o.SGD(p, lr=0.05, momentum=0.9, dampening=0.1, weight_decay=0.01),
        "sgd_nesterov": lambda p: o.SGD(p, lr=0.05, momentum=0.8, nesterov=True),
        "sgd_maximize": lambda p: o.SGD(p, lr=0.01, maximize=True),
        "adam": lambda p: o.Adam(p, lr=0.02),
        "adam_amsgrad": lambda p: o.Adam(p, lr=0.05, betas=(0.8, 0.9), eps=1e-6, weight_decay=0.02, amsgrad=True),
        "adamw": lambda p: o.AdamW(p, lr=0.02),
        "adamw_amsgrad": lambda p: o.AdamW(p, lr=0.05, weight_decay=0.1, amsgrad=True, maximize=True),
        "nadam": lambda p: o.NAdam(p, lr=0.02, weight_decay=0.01),
        "radam": lambda p: o.RAdam(p, lr=0.02, weight_decay=0.01),
        "adagrad": lambda p: o.Adagrad(p, lr=0.1, lr_decay=0.01, weight_decay=0.01, initial_accumulator_value=0.1),
        "adadelta": lambda p: o.Adadelta(p, lr=0.5, weight_decay=0.01),
        "adamax": lambda p: o.Adamax(p, lr=0.02, weight_decay=0.01),
        "rmsprop": lambda p: o.RMSprop(p),
        "rmsprop_centered": lambda p: o.RMSprop(p, lr=0.005, momentum=0.5, centered=True, weight_decay=0.01),
        "rprop": lambda p: o.Rprop(p, lr=0.01, etas=(0.6, 1.1), step_sizes=(1e-4, 0.1)),
        "asgd": lambda p: o.ASGD(p, lr=0.1, lambd=0.01, t0=20, weight_decay=0.01),
        "lbfgs": lambda p: o.LBFGS(p, lr=0.1, max_iter=3, history_size=5),
        "lbfgs_wolfe": lambda p: o.LBFGS(p, lr=1, max_iter=4, line_search_fn="strong_wolfe"),
        "groups": lambda p: o.Adam([{"params": p[:1], "lr": 0.1}, {"params": p[1:], "weight_decay": 0.5}], lr=0.01),
    }
    torch.manual_seed(5)
    x, y = torch.randn(16, 3, dtype=torch.float64), torch.randn(16, 2, dtype=torch.float64)
    first = [torch.randn(3, 5, dtype=torch.float64), torch.randn(5, dtype=torch.float64), torch.randn(5, 2, dtype=torch.float64)]
    out = {}
    for name, make in cases.items():
        p = [t.clone().requires_grad_() for t in first]
        opt = make(p)
        loss = lambda: (((x @ p[0] + p[1]).tanh() @ p[2] - y) ** 2).mean()

        def closure():
            opt.zero_grad()
            l = loss()
            l.backward()
            return l

        steps = []
        for s in range(50):
            if name.startswith("lbfgs"):
                opt.step(closure)
            else:
                closure()
                opt.step()
            if s + 1 in (1, 2, 10, 50):
                steps.append([s + 1, [pack(t) for t in p]])
        out[name] = steps
    clip = {}
    for norm in (1.0, 2.0, math.inf):
        p = [t.clone().requires_grad_() for t in first]
        (((x @ p[0] + p[1]).tanh() @ p[2] - y) ** 2).sum().backward()
        total = nn.utils.clip_grad_norm_(p, 1.5, norm_type=norm)
        clip[str(norm)] = {"norm": float(total), "grads": [pack(t.grad) for t in p]}
    write(os.path.join(here, "../optim/testdata/optim.json.gz"), {"x": pack(x), "y": pack(y), "first": [pack(t) for t in first], "steps": out, "clip": clip})


def schedules():
    """The first 200 learning rates of each schedule."""
    s = torch.optim.lr_scheduler
    cases = {
        "constant": lambda o: s.ConstantLR(o, factor=0.25, total_iters=7),
        "linear": lambda o: s.LinearLR(o, start_factor=0.2, end_factor=0.9, total_iters=120),
        "step": lambda o: s.StepLR(o, 30, 0.5),
        "multi_step": lambda o: s.MultiStepLR(o, [10, 50, 51, 130], 0.3),
        "exponential": lambda o: s.ExponentialLR(o, 0.98),
        "cosine": lambda o: s.CosineAnnealingLR(o, 100, eta_min=0.01),
        "cosine_restarts": lambda o: s.CosineAnnealingWarmRestarts(o, 20, T_mult=2, eta_min=0.005),
        "polynomial": lambda o: s.PolynomialLR(o, total_iters=150, power=2.0),
        "one_cycle": lambda o: s.OneCycleLR(o, max_lr=0.5, total_steps=200),
        "one_cycle_linear": lambda o: s.OneCycleLR(o, max_lr=0.5, total_steps=200, pct_start=0.4, anneal_strategy="linear", div_factor=10, final_div_factor=100),
        "one_cycle_three": lambda o: s.OneCycleLR(o, max_lr=0.5, total_steps=200, three_phase=True),
        "cyclic": lambda o: s.CyclicLR(o, 0.01, 0.1, step_size_up=15, step_size_down=25, cycle_momentum=False),
        "cyclic_triangular2": lambda o: s.CyclicLR(o, 0.01, 0.1, step_size_up=15, mode="triangular2", cycle_momentum=False),
        "cyclic_exp_range": lambda o: s.CyclicLR(o, 0.01, 0.1, step_size_up=15, mode="exp_range", gamma=0.99, cycle_momentum=False),
        "warmup_cosine": lambda o: s.SequentialLR(o, [s.LinearLR(o, 0.1, 1, total_iters=20), s.CosineAnnealingLR(o, 180)], [20]),
        "product": lambda o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 5), s.ExponentialLR(o, 0.95)]),
    }
    out = {}
    for name, make in cases.items():
        w = torch.zeros(1, requires_grad=True)
        o = torch.optim.SGD([w], lr=0.2)
        c = make(o)
        rates = []
        for n in range(200):
            rates.append(o.param_groups[0]["lr"])
            o.step()
            if n < 199:
                c.step()
        out[name] = rates
    w = torch.zeros(1, requires_grad=True)
    o = torch.optim.SGD([w], lr=0.2)
    c = s.ReduceLROnPlateau(o, factor=0.5, patience=3, cooldown=2, threshold=0.01, min_lr=0.001)
    torch.manual_seed(1)
    losses = (torch.rand(200, dtype=torch.float64) + torch.linspace(2, 1, 200, dtype=torch.float64)).tolist()
    rates = []
    for l in losses:
        c.step(l)
        rates.append(o.param_groups[0]["lr"])
    write(os.path.join(here, "../optim/testdata/schedules.json.gz"), {"rates": out, "plateau": {"losses": losses, "rates": rates}})



def checkpoints():
    """Small files of torch.save in both formats, with the layout of a real model and its optimizer."""
    torch.manual_seed(9)
    m = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(8, 2))
    opt = torch.optim.Adam(m.parameters())
    m(torch.randn(2, 1, 4, 4)).sum().backward()
    opt.step()
    base = torch.arange(12, dtype=torch.float64)
    value = {
        "model": m.state_dict(), "optimizer": opt.state_dict(), "epoch": 3, "best": 0.75, "name": "käse", "done": True, "none": None,
        "list": [1, (2, 3.5), -70000, 2**40], "view": base.view(3, 4).t()[1:, ::2], "base": base, "half": torch.ones(2).half(),
        "bf16": torch.full((2,), 1.5, dtype=torch.bfloat16), "complex": torch.tensor([1 + 2j]), "bool": torch.tensor([True, False]),
        "int": torch.tensor([[1, -2]], dtype=torch.int32), "scalar": torch.tensor(2.5), "empty": torch.zeros(0, 3), "dtype": torch.float16,
        "parameter": nn.Parameter(torch.ones(3)), "size": torch.Size([2, 3]), "expanded": torch.ones(1).expand(4),
    }
    torch.save(value, os.path.join(here, "checkpoint.pt"))
    torch.save(value, os.path.join(here, "checkpoint_legacy.pth"), _use_new_zipfile_serialization=False)
    torch.save(m, os.path.join(here, "whole_model.pt"))


if __name__ == "__main__":
    what = sys.argv[1:] or ["modules", "optim", "schedules", "checkpoints"]
    if "modules" in what:
        modules()
    if "optim" in what:
        optimizers()
    if "schedules" in what:
        schedules()
    if "checkpoints" in what:
        checkpoints()
