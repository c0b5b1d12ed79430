package distributions

import (
	"math"
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// MultivariateNormal is the normal distribution of vectors, of mean Loc and covariance L·Lᵀ, L being ScaleTril.
type MultivariateNormal struct {
	family
	Loc       *tensor.Tensor // of shape (batch…, n)
	ScaleTril *tensor.Tensor // lower triangular, of shape (…, n, n)
}

// NewMultivariateNormal makes normal distributions of means loc (…, n) and covariances (…, n, n), which must be
// positive definite.
func NewMultivariateNormal(loc, covariance *tensor.Tensor) *MultivariateNormal {
	const op = "distributions.MultivariateNormal"
	squareMatrix(op, "covariance", covariance)
	l, info := tensor.LinalgCholeskyEx(covariance)
	if !holds(info.Eq(0)) {
		panic(tensor.Errorf(op, "covariance must be positive definite, a matrix of shape %v is not", covariance.Shape()))
	}
	return multivariate(loc, l)
}

// NewMultivariateNormalPrecision takes the inverses of the covariances.
func NewMultivariateNormalPrecision(loc, precision *tensor.Tensor) *MultivariateNormal {
	const op = "distributions.MultivariateNormal"
	squareMatrix(op, "precision", precision)
	// With the order of rows and columns reversed, the factor of the inverse is the inverse of a factor.
	l, info := tensor.LinalgCholeskyEx(precision.Flip(-2, -1))
	if !holds(info.Eq(0)) {
		panic(tensor.Errorf(op, "precision must be positive definite, a matrix of shape %v is not", precision.Shape()))
	}
	n := precision.Size(-1)
	eye := tensor.With(precision.Dtype(), precision.Device()).Eye(n)
	return multivariate(loc, tensor.LinalgSolveTriangular(l.Flip(-2, -1).MT(), eye, opt.Upper(false)))
}

// NewMultivariateNormalTril takes lower triangular factors of the covariances, with positive diagonals.
func NewMultivariateNormalTril(loc, scaleTril *tensor.Tensor) *MultivariateNormal {
	const op = "distributions.MultivariateNormal"
	squareMatrix(op, "scaleTril", scaleTril)
	if !holds(scaleTril.Tril().Eq(scaleTril)) || !holds(scaleTril.Diagonal(opt.Dim1(-2), opt.Dim2(-1)).Gt(0)) {
		panic(tensor.Errorf(op, "scaleTril must be lower triangular with a positive diagonal"))
	}
	return multivariate(loc, scaleTril)
}

func squareMatrix(op, name string, m *tensor.Tensor) {
	if n := m.Dim(); n < 2 || m.Size(-1) != m.Size(-2) {
		panic(tensor.Errorf(op, "%s must be a square matrix or a batch of them, got shape %v", name, m.Shape()))
	}
	if !m.Dtype().IsFloatingPoint() {
		panic(tensor.Errorf(op, "%s must be floating point, got %s", name, m.Dtype()).WithHint("Float() it first"))
	}
}

func multivariate(loc, l *tensor.Tensor) *MultivariateNormal {
	const op = "distributions.MultivariateNormal"
	n := l.Size(-1)
	if loc.Dim() < 1 || loc.Size(-1) != n {
		panic(tensor.Errorf(op, "loc must be vectors of %d elements, got shape %v", n, loc.Shape()))
	}
	var batch []int
	if err := tensor.Try(func() {
		batch = tensor.BroadcastShapes(loc.Shape()[:loc.Dim()-1], l.Shape()[:l.Dim()-2])
	}); err != nil {
		panic(tensor.Errorf(op, "the batches of loc %v and of the matrices %v do not broadcast", loc.Shape(), l.Shape()))
	}
	loc = loc.Expand(append(slices.Clone(batch), n)...)
	f := family{name: "MultivariateNormal", batch: batch, event: []int{n}, like: loc}
	f.show = []parameter{{"loc", loc}, {"scaleTril", l}}
	return &MultivariateNormal{f, loc, l}
}

func (d *MultivariateNormal) Mean() *tensor.Tensor { return d.Loc }
func (d *MultivariateNormal) Variance() *tensor.Tensor {
	return total(d.ScaleTril.Pow(2), false).Expand(d.shape(nil)...)
}
func (d *MultivariateNormal) Stddev() *tensor.Tensor { return d.Variance().Sqrt() }

// CovarianceMatrix is L·Lᵀ.
func (d *MultivariateNormal) CovarianceMatrix() *tensor.Tensor {
	return d.ScaleTril.Matmul(d.ScaleTril.MT()).Expand(append(d.shape(nil), d.event[0])...)
}

// PrecisionMatrix is the inverse of L·Lᵀ.
func (d *MultivariateNormal) PrecisionMatrix() *tensor.Tensor {
	return tensor.CholeskyInverse(d.ScaleTril).Expand(append(d.shape(nil), d.event[0])...)
}

// Sample draws without a gradient.
func (d *MultivariateNormal) Sample(shape ...int) *tensor.Tensor {
	return detached(func() *tensor.Tensor { return d.Rsample(shape...) })
}

// Rsample is loc + L·e with standard normal e.
func (d *MultivariateNormal) Rsample(shape ...int) *tensor.Tensor {
	return d.Loc.Add(d.ScaleTril.Matmul(d.empty(shape).Normal_().Unsqueeze(-1)).Squeeze(-1))
}

// halfLogDet is the logarithm of the determinant of L.
func (d *MultivariateNormal) halfLogDet() *tensor.Tensor {
	return total(d.ScaleTril.Diagonal(opt.Dim1(-2), opt.Dim2(-1)).Log(), false)
}

// distance is |L⁻¹·x|² of vectors x.
func (d *MultivariateNormal) distance(x *tensor.Tensor) *tensor.Tensor {
	return total(tensor.LinalgSolveTriangular(d.ScaleTril, x.Unsqueeze(-1), opt.Upper(false)).Squeeze(-1).Pow(2), false)
}

// LogProb is -½·(n·log 2π + |L⁻¹(x-loc)|²) - log det L.
func (d *MultivariateNormal) LogProb(value any) *tensor.Tensor {
	x := d.value(value)
	n := float64(d.event[0])
	return d.distance(x.Sub(d.Loc)).Add(n * math.Log(2*math.Pi)).Mul(-0.5).Sub(d.halfLogDet())
}

// Entropy is n/2·(1 + log 2π) + log det L.
func (d *MultivariateNormal) Entropy() *tensor.Tensor {
	return d.halfLogDet().Add(0.5 * float64(d.event[0]) * (1 + math.Log(2*math.Pi))).Expand(d.batch...)
}
