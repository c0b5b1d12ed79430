package main

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// lossesAndNorms adds the losses and normalizations that scansAndSoftmax leaves out, with their backward passes. They
// compute from a and z, a gradient flowing to a, and from the classes y.
func lossesAndNorms(t *table) {
	t.in("softmax, losses, norms")
	type row struct {
		name, py string
		f        func(a, z, y T) T
	}
	matrices := []row{
		{"l1", "F.l1_loss(a, z)", func(a, z, _ T) T { return tensor.L1Loss(a, z) }},
		{"huber", "F.huber_loss(a, z, delta=0.5)", func(a, z, _ T) T { return tensor.HuberLoss(a, z, opt.Delta(0.5)) }},
		{"mse_none", "F.mse_loss(a, z, reduction='none').sum()", func(a, z, _ T) T {
			return tensor.MseLoss(a, z, opt.Reduction("none")).Sum()
		}},
		{"bce", "F.binary_cross_entropy(a.sigmoid(), z)", func(a, z, _ T) T {
			return tensor.BinaryCrossEntropy(a.Sigmoid(), z)
		}},
		{"kl_div", "F.kl_div(a, z, reduction='batchmean')", func(a, z, _ T) T {
			return tensor.KlDiv(a, z, opt.Reduction("batchmean"))
		}},
		{"poisson_nll", "F.poisson_nll_loss(a, z)", func(a, z, _ T) T { return tensor.PoissonNllLoss(a, z) }},
		{"gaussian_nll", "F.gaussian_nll_loss(a, z, z + 0.1)", func(a, z, _ T) T {
			return tensor.GaussianNllLoss(a, z, z.Add(0.1))
		}},
		{"soft_margin", "F.soft_margin_loss(a, z)", func(a, z, _ T) T { return tensor.SoftMarginLoss(a, z) }},
		{"hinge_embedding", "F.hinge_embedding_loss(a, z)", func(a, z, _ T) T { return tensor.HingeEmbeddingLoss(a, z) }},
		{"triplet", "F.triplet_margin_loss(a, z, z.flip(0))", func(a, z, _ T) T {
			return tensor.TripletMarginLoss(a, z, z.Flip(0))
		}},
		{"cosine_similarity", "F.cosine_similarity(a, z).sum()", func(a, z, _ T) T {
			return tensor.CosineSimilarity(a, z).Sum()
		}},
		{"pairwise_distance", "F.pairwise_distance(a, z).sum()", func(a, z, _ T) T {
			return tensor.PairwiseDistance(a, z).Sum()
		}},
		{"cross_entropy_smooth", "F.cross_entropy(a, y, label_smoothing=0.1)", func(a, _, y T) T {
			return tensor.CrossEntropy(a, y, opt.LabelSmoothing(0.1))
		}},
		{"cross_entropy_probs", "F.cross_entropy(a, z)", func(a, z, _ T) T { return tensor.CrossEntropy(a, z) }},
		{"nll", "F.nll_loss(a, y)", func(a, _, y T) T { return tensor.NllLoss(a, y) }},
		{"rms_norm", "(a * torch.rsqrt(a.square().mean(1, keepdim=True) + 1e-6)).sum()", func(a, _, _ T) T {
			return a.Mul(a.Square().Mean(opt.Dim(1), opt.Keepdim(true)).Add(1e-6).Rsqrt()).Sum()
		}},
		{"std_dim1", "a.std(1).sum()", func(a, _, _ T) T { return a.Std(opt.Dim(1)).Sum() }},
		{"norm_dim1", "a.norm(dim=1).sum()", func(a, _, _ T) T { return a.Norm(opt.Dim(1)).Sum() }},
		{"logaddexp", "torch.logaddexp(a, z).sum()", func(a, z, _ T) T { return a.Logaddexp(z).Sum() }},
	}
	images := []row{
		{"cross_entropy_images", "F.cross_entropy(a, y)", func(a, _, y T) T { return tensor.CrossEntropy(a, y) }},
		{"instance_norm", "F.instance_norm(a).sum()", func(a, _, _ T) T { return tensor.InstanceNorm(a).Sum() }},
		{"renorm", "a.renorm(2, 0, 1.0).sum()", func(a, _, _ T) T { return a.Renorm(2, 0, 1.0).Sum() }},
	}
	for _, group := range []struct {
		rows           []row
		shape, targets []int
		tag, setup     string
	}{
		{matrices, []int{1024, 1000}, []int{1024}, "1024x1000",
			"a, z, y = g(1024, 1000), torch.rand(1024, 1000), torch.randint(0, 1000, (1024,))"},
		{images, []int{8, 32, 64, 64}, []int{8, 64, 64}, "8x32x64x64",
			"a, z, y = g(8, 32, 64, 64), None, torch.randint(0, 32, (8, 64, 64))"},
	} {
		for _, op := range group.rows {
			for _, grad := range []bool{false, true} {
				suffix, setup, expr := "", group.setup, op.py
				if grad {
					suffix, setup, expr = ".bwd", setup+"\na.requires_grad_()", "a.grad = None\n"+op.py+".backward()"
				}
				t.add(fmt.Sprintf("t.%s.%s%s", op.name, group.tag, suffix), setup, expr, func() func() {
					a, z := g(group.shape...), tensor.Rand(group.shape...)
					y := tensor.Randint(0, group.shape[1], group.targets...)
					if !grad {
						return func() { op.f(a, z, y) }
					}
					a.RequiresGrad_()
					return func() {
						a.SetGrad(nil)
						op.f(a, z, y).Backward()
					}
				})
			}
		}
	}
}
