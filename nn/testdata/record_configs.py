"""Records further configurations of the modules of torch: python3 nn/testdata/record_configs.py, with torch 1.13.

It writes nn/testdata/configs.json.gz, in the form of modules.json.gz.
"""
import os

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from record import R, flat, here, indices, pack, write

inf = float("-inf")


def causal(n):
    return torch.triu(torch.full((n, n), inf), diagonal=1)


def padding(batch, n):
    """The last positions of all but the first sequence of a batch do not count."""
    return torch.tensor([[j >= n - i for j in range(n)] for i in range(batch)])


def packed(m, x):
    y, h = m(pack_padded_sequence(x, [3, 5, 1, 5], enforce_sorted=False, batch_first=m.batch_first))
    return [pad_packed_sequence(y, batch_first=m.batch_first)[0], h]


L = nn.TransformerEncoderLayer
D = nn.TransformerDecoderLayer
call = lambda m, *xs: m(*xs)
CASES = {
    # name: (module, inputs, how it is called)
    "conv1d_dilated": (lambda: nn.Conv1d(4, 4, 3, dilation=2, padding=2, groups=4), [R(2, 4, 9)], call),
    "conv2d_replicate": (lambda: nn.Conv2d(4, 6, 3, stride=2, padding=(1, 2), groups=2, padding_mode="replicate"), [R(2, 4, 6, 5)], call),
    "conv2d_circular": (lambda: nn.Conv2d(2, 2, 3, padding=1, dilation=1, padding_mode="circular"), [R(1, 2, 5, 4)], call),
    "conv2d_valid": (lambda: nn.Conv2d(2, 2, (1, 3), padding="valid", bias=False), [R(2, 5, 4)], call),
    "conv3d_reflect": (lambda: nn.Conv3d(1, 2, (3, 2, 3), padding=(1, 0, 1), padding_mode="reflect"), [R(1, 1, 4, 3, 4)], call),
    "conv_transpose1d_dilated": (lambda: nn.ConvTranspose1d(4, 6, 3, groups=2, dilation=2, padding=1), [R(2, 4, 5)], call),
    "conv_transpose2d_output": (lambda: nn.ConvTranspose2d(2, 3, (3, 2), stride=(2, 3), padding=(1, 0), output_padding=(1, 2)), [R(1, 2, 3, 4)], call),
    "conv_transpose3d_groups": (lambda: nn.ConvTranspose3d(4, 4, 2, stride=(1, 2, 2), groups=2), [R(1, 4, 2, 2, 2)], call),
    "max_pool1d_ceil": (lambda: nn.MaxPool1d(3, stride=2, ceil_mode=True, dilation=2), [R(2, 2, 10)], call),
    "max_pool2d_mixed": (lambda: nn.MaxPool2d((3, 2), stride=(2, 1), padding=(1, 0), dilation=(1, 2), ceil_mode=True), [R(1, 2, 6, 7)], call),
    "avg_pool1d_ceil": (lambda: nn.AvgPool1d(3, stride=2, padding=1, ceil_mode=True, count_include_pad=False), [R(2, 2, 8)], call),
    "avg_pool2d_ceil": (lambda: nn.AvgPool2d((2, 3), stride=2, padding=(0, 1), ceil_mode=True), [R(1, 2, 5, 6)], call),
    "adaptive_avg_pool1d": (lambda: nn.AdaptiveAvgPool1d(3), [R(2, 2, 7)], call),
    "adaptive_avg_pool3d": (lambda: nn.AdaptiveAvgPool3d((2, 1, 3)), [R(1, 2, 4, 3, 5)], call),
    "adaptive_max_pool2d": (lambda: nn.AdaptiveMaxPool2d((3, 2)), [R(1, 2, 7, 5)], call),
    "layer_norm_plain": (lambda: nn.LayerNorm(4, eps=1e-3, elementwise_affine=False), [R(2, 3, 4)], call),
    "group_norm_plain": (lambda: nn.GroupNorm(4, 4, eps=1e-2, affine=False), [R(2, 4, 3, 2)], call),
    "batch_norm1d_momentum": (lambda: nn.BatchNorm1d(3, momentum=0.3, affine=False), [R(4, 3, 5)], call),
    "embedding_norm1": (lambda: nn.Embedding(7, 3, max_norm=1.5, norm_type=1.0), [indices(7, 9)], call),
    "embedding_bag_mean_padding": (lambda: nn.EmbeddingBag(5, 3, padding_idx=1), [indices(5, 3, 5)], call),
    "embedding_bag_max_norm": (lambda: nn.EmbeddingBag(7, 3, mode="sum", max_norm=1.0), [indices(7, 3, 4)], call),
    "rnn_bidirectional": (lambda: nn.RNN(3, 4, num_layers=2, bias=False, bidirectional=True, batch_first=True), [R(2, 5, 3)], call),
    "lstm_nobias": (lambda: nn.LSTM(3, 4, num_layers=2, bias=False, bidirectional=True), [R(5, 2, 3)], call),
    "lstm_proj_bidirectional": (lambda: nn.LSTM(3, 4, proj_size=2, bidirectional=True, batch_first=True), [R(2, 5, 3)], call),
    "gru_batch_first": (lambda: nn.GRU(3, 4, num_layers=3, batch_first=True), [R(2, 5, 3)], call),
    "gru_given": (lambda: nn.GRU(3, 4, num_layers=2), [R(5, 2, 3), R(2, 2, 4)], call),
    "lstm_given": (lambda: nn.LSTM(3, 4), [R(5, 2, 3), R(1, 2, 4), R(1, 2, 4)], lambda m, x, h, c: m(x, (h, c))),
    "rnn_packed": (lambda: nn.RNN(3, 4, num_layers=2), [R(5, 4, 3)], packed),
    "lstm_packed": (lambda: nn.LSTM(3, 4, bidirectional=True, batch_first=True), [R(4, 5, 3)], packed),
    "gru_packed": (lambda: nn.GRU(3, 4, num_layers=2, bidirectional=True), [R(5, 4, 3)], packed),
    "attention_causal": (lambda: nn.MultiheadAttention(8, 2), [R(4, 2, 8)], lambda m, x: m(x, x, x, attn_mask=causal(4))),
    "attention_padding": (lambda: nn.MultiheadAttention(8, 2, batch_first=True), [R(3, 4, 8), R(3, 5, 8)], lambda m, q, k: m(q, k, k, key_padding_mask=padding(3, 5), average_attn_weights=False)),
    "attention_both": (lambda: nn.MultiheadAttention(8, 4), [R(5, 3, 8)], lambda m, x: m(x, x, x, key_padding_mask=padding(3, 5), attn_mask=torch.triu(torch.ones(5, 5), 1).bool())),
    "encoder_masks": (lambda: L(8, 2, 16, dropout=0.0, batch_first=True), [R(3, 5, 8)], lambda m, x: m(x, src_mask=causal(5), src_key_padding_mask=padding(3, 5))),
    "encoder_first_relu": (lambda: L(8, 4, 16, dropout=0.0, norm_first=True, layer_norm_eps=1e-3), [R(4, 2, 8)], call),
    "decoder_masks": (lambda: D(8, 2, 16, dropout=0.0, batch_first=True), [R(2, 4, 8), R(2, 5, 8)], lambda m, x, y: m(x, y, tgt_mask=causal(4), memory_key_padding_mask=padding(2, 5))),
    "decoder_first": (lambda: D(8, 2, 16, dropout=0.0, norm_first=True, activation="gelu"), [R(4, 2, 8), R(5, 2, 8)], lambda m, x, y: m(x, y, tgt_mask=causal(4))),
}


def modules():
    out = {}
    for n, (name, (make, inputs, run)) in enumerate(CASES.items()):
        torch.manual_seed(n + 101)
        m = make()
        state = [[k, pack(v)] for k, v in m.state_dict().items()]
        torch.manual_seed(3000 + n)
        leaves = [x.requires_grad_() if x.is_floating_point() else x for x in [f() for f in inputs]]
        m.train()
        results = flat(run(m, *leaves))
        loss = 0
        for r in results:
            loss = loss + (r.flatten() * torch.cos(0.7 * torch.arange(r.numel(), dtype=torch.float64)).float()).sum()
        loss.backward()
        out[name] = {
            "seed": n + 101, "training": True, "state": state, "params": [k for k, _ in m.named_parameters()], "inputs": [pack(x) for x in leaves],
            "draw": 0, "outputs": [pack(r) for r in results], "input_grads": [pack(x.grad) if x.grad is not None else None for x in leaves],
            "grads": {k: pack(p.grad) for k, p in m.named_parameters() if p.grad is not None}, "after": [[k, pack(v)] for k, v in m.named_buffers()],
        }
    write(os.path.join(here, "configs.json.gz"), {"modules": out})


modules()
