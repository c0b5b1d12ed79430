"""Writes channels_last.txt: the strides that PyTorch gives results and gradients of inputs in channels_last.

    python3 channels_last.py > channels_last.txt

A row is an expression, the strides of its (first) result, the strides of the gradients of its inputs for a gradient
that is laid out as the result is, and for one that is contiguous.
"""
import re
import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
CL, CL3 = torch.channels_last, torch.channels_last_3d

# The inputs: name, shape, layout. Those whose names begin with i are indices, the others require grad.
inputs = """
x 2,4,5,6 cl
c 2,4,5,6 plain
e 2,4,4,6 cl
v 2,4,3,5,6 cl3
cv 2,4,3,5,6 plain
s 2,4,5 plain
st 2,4,5 transposed
t 2,4,5,6 transposed
w1 3,4,3 plain
w 3,4,3,3 plain
wc 3,4,3,3 cl
w11 3,4,1,1 plain
wg 4,2,3,3 plain
wd 4,1,3,3 plain
wt 4,3,3,3 plain
wtc 4,3,3,3 cl
w5 3,4,2,3,3 plain
w5c 3,4,2,3,3 cl3
wt5 4,3,2,2,2 plain
b 3 plain
k 4 plain
ch 1,4,1,1 plain
r 6 plain
g 2,3,3,2 plain
cols 2,8,9 transposed
l 6,4 plain
"""

expressions = """
F.conv1d(s, w1, b)
F.conv1d(st, w1, b)
F.conv2d(x, w, b)
F.conv2d(x, wc, b)
F.conv2d(c, wc, b)
F.conv2d(c, w, b)
F.conv2d(x.double(), w.double(), b.double())
F.conv2d(c.double(), wc.double(), b.double())
F.conv2d(x, w11, b)
F.conv2d(x, wg, groups=2)
F.conv2d(x, wd, groups=4)
F.conv2d(x, w, dilation=2)
F.conv2d(x, w, b, stride=2, padding=1)
F.conv3d(v, w5, b)
F.conv3d(v, w5c, b)
F.conv3d(cv, w5c, b)
F.conv_transpose2d(x, wt, b)
F.conv_transpose2d(x, wtc, b)
F.conv_transpose2d(c, wtc, b)
F.conv_transpose3d(v, wt5, b)
F.max_pool2d(x, 2)
F.max_pool2d(x, 2, stride=1, padding=1)
F.max_pool3d(v, 2)
F.avg_pool2d(x, 2)
F.avg_pool3d(v, 2)
F.adaptive_avg_pool2d(x, (2, 3))
F.adaptive_avg_pool2d(x, 1)
F.adaptive_avg_pool3d(v, (2, 3, 2))
F.adaptive_max_pool2d(x, (2, 3))
F.adaptive_max_pool3d(v, (2, 3, 2))
F.batch_norm(x, None, None, k, k, training=True)
F.batch_norm(x, k.detach(), k.detach() * k.detach(), k, k, training=False)
F.batch_norm(v, None, None, k, k, training=True)
F.batch_norm(v, k.detach(), k.detach() * k.detach(), k, k, training=False)
F.batch_norm(x.double(), None, None, k.double(), k.double(), training=True)
F.batch_norm(x, None, None, training=True)
F.group_norm(x, 2, k, k)
F.group_norm(v, 2, k, k)
F.group_norm(x.double(), 2, k.double(), k.double())
F.instance_norm(x, None, None, k, k)
F.instance_norm(v)
F.layer_norm(x, (6,))
F.local_response_norm(x, 3)
F.normalize(x)
F.interpolate(x, scale_factor=2, mode="nearest")
F.interpolate(x, size=(3, 4), mode="nearest")
F.interpolate(x, scale_factor=2, mode="nearest-exact")
F.interpolate(x, scale_factor=2, mode="bilinear")
F.interpolate(x, size=(3, 4), mode="bilinear", align_corners=True)
F.interpolate(x, scale_factor=2, mode="bicubic")
F.interpolate(x, scale_factor=2, mode="area")
F.interpolate(v, scale_factor=2, mode="nearest")
F.interpolate(v, scale_factor=2, mode="trilinear")
F.interpolate(v, scale_factor=2, mode="area")
F.pad(x, (1, 1, 1, 1))
F.pad(x, (1, 0), value=2.)
F.pad(v, (1, 1, 1, 1, 1, 1))
F.pad(x, (1, 1, 1, 1), mode="reflect")
F.pad(v, (1, 1, 1, 1, 1, 1), mode="reflect")
F.pad(x, (1, 1, 1, 1), mode="replicate")
F.pad(v, (1, 1, 1, 1, 1, 1), mode="replicate")
F.pad(x, (1, 1, 1, 1), mode="circular")
F.pixel_shuffle(x, 2)
F.pixel_unshuffle(e, 2)
F.dropout(x, 0.5)
F.dropout2d(x, 0.5)
F.alpha_dropout(x, 0.5)
F.feature_alpha_dropout(x, 0.5)
F.relu(x)
F.gelu(x)
F.silu(x)
F.mish(x)
F.elu(x)
F.selu(x)
F.celu(x)
F.hardtanh(x)
F.hardswish(x)
F.hardsigmoid(x)
F.leaky_relu(x)
F.threshold(x, 0.1, 20)
F.softplus(x)
F.softshrink(x)
F.hardshrink(x)
F.softsign(x)
F.tanhshrink(x)
F.logsigmoid(x)
F.rrelu(x, training=True)
F.prelu(x, k)
F.glu(x, 1)
F.softmax(x, 1)
F.softmax(x, 3)
F.log_softmax(x, 1)
x + c
c + x
x * ch
ch * x
x + r
r + x
t + x
x + t
x + 1
1 - x
x / c
x.exp()
x.tanh()
x.sigmoid()
x.abs()
x.pow(2)
x ** 3
x.clamp(-1, 1)
x.lerp(c, 0.3)
torch.where(x > 0, x, c)
torch.addcmul(x, c, c)
torch.addcmul(c, x, x)
torch.addcdiv(x, c, c)
torch.maximum(x, c)
torch.atan2(x, c)
torch.cat([x, x], 1)
torch.cat([x, c], 1)
torch.cat([c, x], 1)
torch.cat([x, x], 0)
torch.cat([v, v], 1)
torch.cat([x, ch.expand(2, 4, 5, 6)], 1)
torch.cat([t, t], 1)
torch.stack([x, x], 1)
torch.stack([x, c], 0)
x.sum((2, 3), keepdim=True)
x.sum(1)
x.sum()
x.mean(1, keepdim=True)
x.var((2, 3))
x.logsumexp(1)
x.norm(dim=1)
x.amax(1, keepdim=True)
x.max(1, keepdim=True)[0]
x.prod(1)
x.cumsum(1)
x.cumprod(1)
x.logcumsumexp(1)
x.cummax(1)[0]
x.sort(1)[0]
x.topk(2, 1)[0]
x.kthvalue(2, 1)[0]
x.median(1)[0]
x.flip(2)
x.roll(1, 2)
x.roll(1)
x.rot90(1, (2, 3))
x.clone()
x.contiguous()
x.double()
x.index_select(1, torch.tensor([0, 2]))
x[:, [0, 2]]
x[:, 1:3]
x[x > 0]
x.gather(1, torch.zeros(2, 1, 5, 6, dtype=torch.int64))
x.take(torch.tensor([0, 5]))
x.scatter(1, torch.zeros(2, 1, 5, 6, dtype=torch.int64), 2.)
x.index_fill(1, torch.tensor([0]), 1.)
x.index_add(1, torch.tensor([0]), c[:, :1])
x.repeat(1, 2, 1, 1)
x.tile(2)
x.repeat_interleave(2, 1)
x.masked_fill(x > 0, 1)
c.masked_fill(x > 0, 1)
x.tril()
x.triu(1)
x.diagonal(0, 2, 3)
x.diag_embed()
x.unfold(2, 2, 1)
x.reshape(2, 20, 6)
x.flatten(2)
x.permute(0, 2, 3, 1)
x @ l
x.matmul(l)
F.linear(x.permute(0, 2, 3, 1), l)
torch.einsum("nchw,wd->nchd", x, l)
F.grid_sample(x, g, align_corners=False)
F.unfold(x, 2)
F.fold(cols, (4, 4), 2)
F.mse_loss(x, c, reduction="none")
F.l1_loss(x, c, reduction="none")
F.smooth_l1_loss(x, c, reduction="none")
F.huber_loss(x, c, reduction="none")
F.mse_loss(x, c)
F.cross_entropy(x, torch.zeros(2, 5, 6, dtype=torch.int64), reduction="none")
F.nll_loss(x, torch.zeros(2, 5, 6, dtype=torch.int64), reduction="none")
F.binary_cross_entropy_with_logits(x, c, reduction="none")
F.cosine_similarity(x, c)
F.pairwise_distance(x, c)
torch.zeros_like(x) + x
torch.full_like(x, 2.) * x
x.new_zeros(2, 4, 5, 6) + x
torch.renorm(x, 2, 1, 1.)
x.heaviside(c)
torch.cdist(x, c)
torch.cross(x[:, :3], c[:, :3], 1)
torch.nan_to_num(x)
x.fmod(2)
x.remainder(2)
x.sgn()
x.expand_as(x)
x.type_as(k.double())
torch.polygamma(1, x)
torch.complex(x, c)
torch.fft.fft(x)
torch.fft.rfft2(x)
x.erfinv()
x.digamma()
torch.xlogy(x, c)
torch.logaddexp(x, c)
torch.hypot(x, c)
torch.copysign(x, c)
torch.bucketize(x.detach(), torch.tensor([0., 1.])) + x
"""


def plan(seed):
    torch.manual_seed(seed)
    names, order = {"torch": torch, "F": F}, []
    for line in inputs.split("\n"):
        if not line:
            continue
        name, shape, layout = line.split()
        shape = [int(n) for n in shape.split(",")]
        a = torch.randn(shape)
        if layout == "cl":
            a = a.contiguous(memory_format=CL)
        elif layout == "cl3":
            a = a.contiguous(memory_format=CL3)
        elif layout == "transposed":
            a = a.transpose(-1, -2).contiguous().transpose(-1, -2)
        names[name] = a.requires_grad_()
        order.append(name)
    return names, order


def strides(a):
    return "none" if a is None else "(" + ", ".join(str(n) for n in a.stride()) + ")"


def main():
    for line in inputs.strip().split("\n"):
        print("input", line)
    for text in expressions.strip().split("\n"):
        names, order = plan(0)
        y = eval(text, names)
        used = [n for n in order if re.search(r"\b%s\b" % n, text)]
        row = [text, strides(y)]
        for make in (torch.ones_like, lambda y: torch.ones(y.shape, dtype=y.dtype)):
            if y.requires_grad:
                y = eval(text, names)
                try:
                    gs = torch.autograd.grad(y, [names[n] for n in used], make(y.detach()), allow_unused=True)
                except RuntimeError:  # not every layout has a derivative
                    row.append("")
                    continue
                row.append(" ".join(n + strides(g) for n, g in zip(used, gs) if g is not None))
            else:
                row.append("")
        print(" | ".join(row))


main()
