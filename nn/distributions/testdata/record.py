"""Records what torch.distributions answers: python3 record.py > recorded.json (PyTorch 1.13)."""
import json
import torch
import torch.distributions as D


def numbers(t):
    t = torch.as_tensor(t).detach()
    digits = "%.17g" if t.dtype == torch.float64 else "%.9g"
    flat = [str(float(v)) if v != v or abs(v) == float("inf") else float(digits % v) for v in t.double().flatten().tolist()]
    return {"shape": list(t.shape), "dtype": str(t.dtype)[6:], "data": flat}


def rows(*lists):
    return [torch.tensor(v) for v in lists]


A = [0.3, 1.0, 4.5]
P = [0.1, 0.5, 0.8]
COV = [[2.0, 0.3], [0.3, 1.0]]
LOWER = [[1.2, 0.0], [-0.4, 0.7]]
CASES = [
    ("Normal", rows([0.0, -1.0, 3.0], A), [0.2, -4.0, 3.0]),
    ("LogNormal", rows([0.0, -1.0, 0.5], [0.3, 1.0, 0.8]), [0.2, 1.0, 3.0]),
    ("HalfNormal", rows(A), [0.2, 0.0, 3.0]),
    ("Uniform", rows([0.0, -1.0, 3.0], [1.0, 2.0, 3.5]), [0.2, -1.0, 3.2]),
    ("Laplace", rows([0.0, -1.0, 3.0], A), [0.2, -4.0, 3.0]),
    ("Cauchy", rows([0.0, -1.0, 3.0], A), [0.2, -4.0, 3.0]),
    ("HalfCauchy", rows(A), [0.2, 0.0, 3.0]),
    ("Gumbel", rows([0.0, -1.0, 3.0], A), [0.2, -4.0, 3.0]),
    ("Exponential", rows(A), [0.2, 0.0, 3.0]),
    ("Weibull", rows(A, [0.8, 1.0, 3.0]), [0.2, 1.0, 3.0]),
    ("Pareto", rows(A, [0.8, 1.5, 3.0]), [0.4, 1.0, 7.0]),
    ("Gamma", rows(A, [2.0, 0.5, 1.0]), [0.2, 1.0, 3.0]),
    ("Gamma", rows([20.0, 300.0, 0.05], [2.0, 0.5, 1.0]), [9.0, 600.0, 0.5]),
    ("Chi2", rows([1.0, 3.0, 12.0]), [0.2, 1.0, 9.0]),
    ("StudentT", rows([0.5, 2.5, 30.0], [0.0, -1.0, 3.0], A), [0.2, -4.0, 3.0]),
    ("Beta", rows(A, [0.7, 3.0, 9.0]), [0.2, 0.9, 0.5]),
    ("Dirichlet", rows([A, [2.0, 2.0, 9.0]]), [[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]]),
    ("MultivariateNormal", rows([[0.0, 1.0], [2.0, -1.0]], COV), [[0.5, 0.5], [0.0, 1.0]]),
    ("MultivariateNormalPrecision", rows([1.0, -1.0], COV), [0.5, 0.5]),
    ("MultivariateNormalTril", rows([1.0, -1.0], LOWER), [0.5, 0.5]),
    ("Bernoulli", rows(P), [0.0, 1.0, 1.0]),
    ("BernoulliLogits", rows([-2.0, 0.0, 3.0]), [0.0, 1.0, 1.0]),
    ("Geometric", rows(P), [0.0, 3.0, 1.0]),
    ("GeometricLogits", rows([-2.0, 0.0, 3.0]), [0.0, 3.0, 1.0]),
    ("Poisson", rows([0.5, 4.0, 60.0]), [0.0, 3.0, 55.0]),
    ("Binomial", rows([7.0, 7.0, 7.0], P), [0.0, 3.0, 7.0]),
    ("Binomial", rows([100.0, 100.0, 100.0], P), [10.0, 30.0, 70.0]),
    ("BinomialLogits", rows([7.0, 7.0, 7.0], [-2.0, 0.0, 3.0]), [0.0, 3.0, 7.0]),
    ("NegativeBinomial", rows([2.0, 5.0, 0.5], P), [0.0, 3.0, 7.0]),
    ("Categorical", rows([P, [3.0, 1.0, 4.0]]), [2.0, 0.0]),
    ("CategoricalLogits", rows([-2.0, 0.0, 3.0]), 1.0),
    ("OneHotCategorical", rows([P, [3.0, 1.0, 4.0]]), [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
    ("OneHotCategoricalLogits", rows([-2.0, 0.0, 3.0]), [0.0, 0.0, 1.0]),
    ("Multinomial", [5] + rows([P, [3.0, 1.0, 4.0]]), [[1.0, 2.0, 2.0], [5.0, 0.0, 0.0]]),
]


def make(name, args):
    if name.endswith("Logits"):
        cls, args = getattr(D, name[:-6]), list(args)
        logits = args.pop()
        return cls(*args, logits=logits)
    if name.endswith("Precision"):
        return D.MultivariateNormal(args[0], precision_matrix=args[1])
    if name.endswith("Tril"):
        return D.MultivariateNormal(args[0], scale_tril=args[1])
    return getattr(D, name)(*args)


def attempt(f):
    try:
        return numbers(f())
    except NotImplementedError:
        return None


def record(name, args, value, dtype):
    args = [a.to(dtype).requires_grad_() if isinstance(a, torch.Tensor) else a for a in args]
    leaves = [a for a in args if isinstance(a, torch.Tensor)]
    value = torch.tensor(value, dtype=dtype)
    d = make(name, args)
    row = {"name": name, "args": [numbers(a) if isinstance(a, torch.Tensor) else a for a in args], "value": numbers(value)}
    row["batch"], row["event"] = list(d.batch_shape), list(d.event_shape)
    for key in ("mean", "variance", "stddev"):
        row[key] = attempt(lambda: getattr(d, key))
    row["entropy"] = attempt(d.entropy)
    log = d.log_prob(value)
    row["log_prob"] = numbers(log)
    grads = torch.autograd.grad(log.sum(), leaves, allow_unused=True, retain_graph=True)
    row["log_prob_grads"] = [None if g is None else numbers(g) for g in grads]
    if name in ("Normal", "LogNormal", "HalfNormal", "Uniform", "Laplace", "Cauchy", "HalfCauchy", "Gumbel", "Exponential", "Weibull", "Pareto"):
        row["cdf"] = numbers(d.cdf(value))
        row["icdf"] = numbers(d.icdf(torch.full_like(value, 0.3)))
    torch.manual_seed(7)
    row["sample"] = numbers(d.sample((2, 4)))
    torch.manual_seed(7)
    if d.has_rsample:
        y = d.rsample((2, 4))
        row["rsample"] = numbers(y)
        weight = torch.linspace(-1, 1, y.numel(), dtype=dtype).reshape(y.shape)
        grads = torch.autograd.grad((y * weight).sum(), leaves, allow_unused=True, retain_graph=True)
        row["rsample_grads"] = [None if g is None else numbers(g) for g in grads]
    return row


def divergence(name, p, q, dtype):
    a = [x.to(dtype).requires_grad_() for x in p]
    b = [x.to(dtype).requires_grad_() for x in q]
    names = name.split("/")
    kl = D.kl_divergence(make(names[0], a), make(names[-1], b))
    grads = torch.autograd.grad(kl[kl.isfinite()].sum(), a + b, allow_unused=True, retain_graph=True)
    return {"name": name, "args": [numbers(x) for x in a], "other": [numbers(x) for x in b], "kl": numbers(kl),
            "kl_grads": [None if g is None else numbers(g) for g in grads]}


KL = [
    ("Normal", rows([0.0, -1.0, 3.0], A), rows([0.5, 1.0, 3.0], [1.0, 1.0, 2.0])),
    ("LogNormal", rows([0.0, -1.0, 3.0], A), rows([0.5, 1.0, 3.0], [1.0, 1.0, 2.0])),
    ("HalfNormal", rows(A), rows([1.0, 1.0, 2.0])),
    ("MultivariateNormal", rows([[0.0, 1.0], [2.0, -1.0]], COV), rows([1.0, 0.0], [[1.0, -0.2], [-0.2, 0.5]])),
    ("Uniform", rows([0.0, -1.0, 3.0], [1.0, 2.0, 3.5]), rows([-0.5, -1.5, 3.2], [1.5, 2.5, 5.0])),
    ("Uniform/Normal", rows([0.0, -1.0, 3.0], [1.0, 2.0, 3.5]), rows([0.5, 1.0, 3.0], [1.0, 1.0, 2.0])),
    ("Laplace", rows([0.0, -1.0, 3.0], A), rows([0.5, 1.0, 3.0], [1.0, 1.0, 2.0])),
    ("Laplace/Normal", rows([0.0, -1.0, 3.0], A), rows([0.5, 1.0, 3.0], [1.0, 1.0, 2.0])),
    ("Cauchy", rows([0.0, -1.0, 3.0], A), rows([0.5, 1.0, 3.0], [1.0, 1.0, 2.0])),
    ("Gumbel", rows([0.0, -1.0, 3.0], A), rows([0.5, 1.0, 3.0], [1.0, 1.0, 2.0])),
    ("Exponential", rows(A), rows([1.0, 1.0, 2.0])),
    ("Exponential/Gamma", rows(A), rows([1.5, 1.0, 2.0], [1.0, 3.0, 0.5])),
    ("Gamma/Exponential", rows([1.5, 1.0, 2.0], [1.0, 3.0, 0.5]), rows(A)),
    ("Gamma", rows(A, [2.0, 0.5, 1.0]), rows([1.5, 1.0, 2.0], [1.0, 3.0, 0.5])),
    ("Chi2", rows(A), rows([1.0, 1.0, 2.0])),
    ("Pareto", rows(A, [0.8, 1.5, 3.0]), rows([0.2, 0.9, 5.0], [1.0, 1.0, 2.0])),
    ("Beta", rows(A, [0.7, 3.0, 9.0]), rows([1.0, 1.0, 2.0], [0.5, 3.0, 1.0])),
    ("Dirichlet", rows([A, [2.0, 2.0, 9.0]]), rows([1.0, 2.0, 3.0])),
    ("Bernoulli", rows([0.1, 0.5, 0.0]), rows([0.2, 0.9, 0.5])),
    ("Bernoulli/Poisson", rows([0.1, 0.5, 0.8]), rows([0.2, 0.9, 1.5])),
    ("Geometric", rows(P), rows([0.2, 0.9, 0.5])),
    ("Poisson", rows([0.5, 4.0, 60.0]), rows([1.0, 4.0, 50.0])),
    ("Binomial", rows([7.0, 7.0, 7.0], P), rows([7.0, 7.0, 7.0], [0.2, 0.9, 0.5])),
    ("Categorical", rows([P, [3.0, 0.0, 4.0]]), rows([0.2, 0.3, 0.5])),
    ("OneHotCategorical", rows([P, [3.0, 0.0, 4.0]]), rows([0.2, 0.3, 0.5])),
]

print("[")
out = []
for dt in (torch.float32, torch.float64):
    out += [json.dumps(record(*c, dt)) for c in CASES]
    out += [json.dumps(divergence(*c, dt)) for c in KL]
print(",\n".join(out))
print("]")
