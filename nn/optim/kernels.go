package optim

import (
	"fmt"
	"math"

	"gotorch/tensor"
)

// kernel is an algorithm: its numbers, what it keeps for each parameter, and the loop over elements.
type kernel struct {
	name     string
	lr       float64
	defaults []number
	// slots are the names of the tensors that are kept for each parameter, under PyTorch's names.
	slots []string
	// begin fills the slots of a new parameter where they are not 0; nil for none.
	begin func(v map[string]float64, lr float64, s *state)
	// coefs computes what all elements of a parameter share in a step.
	coefs func(v map[string]float64, lr float64, s *state, c *coefs)
	f32   func(c *coefs, p, g []float32, s *[slotsMost][]float32)
	f64   func(c *coefs, p, g []float64, s *[slotsMost][]float64)
	check func(op string, v map[string]float64)
	note  tensor.Write // describes the writes
}

const slotsMost = 3

// state is what is kept for a parameter.
type state struct {
	step    int
	slots   [slotsMost]*tensor.Tensor
	scalars [2]float64 // NAdam's product of momenta; ASGD's eta and mu
	grad    uint64     // the storage of the gradient that was used last
	version uint32     // of it then
}

// coefs are the numbers of one parameter's step. The loops read the fields that they need.
type coefs struct {
	a, b, c, d, e, f float64
	decay            float64 // what is added of the parameter to its gradient
	sign             float64 // -1 to maximize
	first, on, also  bool
}

// number is a keyword of an algorithm with its default. Of a pair, such as betas, there are two.
type number struct {
	name string
	def  float64
	pair string // the keyword of which this is one of two
	at   int
}

func (n number) keyword() string {
	if n.pair != "" {
		return n.pair
	}
	return n.name
}

func (n number) read(op string, m map[string]any) float64 {
	v, ok := m[n.keyword()]
	if !ok {
		return n.def
	}
	if n.pair != "" {
		l, ok := v.([]float64)
		if !ok || len(l) != 2 {
			panic(tensor.Errorf(op, "argument %s must be two numbers, not %v", n.pair, v))
		}
		return l[n.at]
	}
	switch v := v.(type) {
	case bool:
		if v {
			return 1
		}
		return 0
	default:
		s, ok := tensor.ScalarOf(v)
		if !ok {
			panic(tensor.Errorf(op, "argument %s must be a number, not %v", n.name, v))
		}
		return s.Float()
	}
}

var (
	decay    = number{name: "weight_decay"}
	maximize = number{name: "maximize"}
)

func betas(b1, b2 float64) []number {
	return []number{{name: "beta1", def: b1, pair: "betas"}, {name: "beta2", def: b2, pair: "betas", at: 1}}
}

func adamNumbers(decayDefault float64) []number {
	return append(betas(0.9, 0.999), number{name: "eps", def: 1e-8}, number{name: "weight_decay", def: decayDefault},
		number{name: "amsgrad"}, maximize)
}

// kernels are the algorithms by name.
var kernels = map[string]*kernel{
	"SGD": {
		lr:       1e-3,
		defaults: []number{{name: "momentum"}, {name: "dampening"}, {name: "nesterov"}, decay, maximize},
		slots:    []string{"momentum_buffer"}, coefs: sgdCoefs, f32: sgd[float32], f64: sgd[float64],
		check: func(op string, v map[string]float64) {
			if v["nesterov"] != 0 && (v["momentum"] <= 0 || v["dampening"] != 0) {
				panic(tensor.Errorf(op, "nesterov needs a momentum and no dampening"))
			}
		},
	},
	"Adam": {
		lr: 1e-3, defaults: adamNumbers(0), slots: []string{"exp_avg", "exp_avg_sq", "max_exp_avg_sq"},
		coefs: adamCoefs, f32: adam[float32], f64: adam[float64], check: checkBetas,
	},
	"AdamW": {
		lr: 1e-3, defaults: adamNumbers(1e-2), slots: []string{"exp_avg", "exp_avg_sq", "max_exp_avg_sq"},
		coefs: adamWCoefs, f32: adam[float32], f64: adam[float64], check: checkBetas,
	},
	"SparseAdam": {
		lr: 1e-3, slots: []string{"exp_avg", "exp_avg_sq"}, defaults: append(betas(0.9, 0.999),
			number{name: "eps", def: 1e-8}, maximize),
		coefs: sparseAdamCoefs, check: checkBetas,
	},
	"NAdam": {
		lr: 2e-3, slots: []string{"exp_avg", "exp_avg_sq"},
		defaults: append(betas(0.9, 0.999), number{name: "eps", def: 1e-8}, decay,
			number{name: "momentum_decay", def: 4e-3}),
		begin: func(_ map[string]float64, _ float64, s *state) { s.scalars[0] = 1 },
		coefs: nadamCoefs, f32: nadam[float32], f64: nadam[float64], check: checkBetas,
	},
	"RAdam": {
		lr: 1e-3, slots: []string{"exp_avg", "exp_avg_sq"}, defaults: append(betas(0.9, 0.999),
			number{name: "eps", def: 1e-8}, decay),
		coefs: radamCoefs, f32: radam[float32], f64: radam[float64], check: checkBetas,
	},
	"Adagrad": {
		lr: 1e-2, slots: []string{"sum"},
		defaults: []number{{name: "lr_decay"}, decay, {name: "initial_accumulator_value"}, {name: "eps", def: 1e-10},
			maximize},
		begin: func(v map[string]float64, _ float64, s *state) {
			s.slots[0].Fill_(v["initial_accumulator_value"])
		},
		coefs: adagradCoefs, f32: adagrad[float32], f64: adagrad[float64],
	},
	"Adadelta": {
		lr: 1, slots: []string{"square_avg", "acc_delta"},
		defaults: []number{{name: "rho", def: 0.9}, {name: "eps", def: 1e-6}, decay, maximize},
		coefs:    adadeltaCoefs, f32: adadelta[float32], f64: adadelta[float64],
	},
	"Adamax": {
		lr: 2e-3, slots: []string{"exp_avg", "exp_inf"}, defaults: append(betas(0.9, 0.999),
			number{name: "eps", def: 1e-8}, decay, maximize),
		coefs: adamaxCoefs, f32: adamax[float32], f64: adamax[float64], check: checkBetas,
	},
	"RMSprop": {
		lr: 1e-2, slots: []string{"square_avg", "momentum_buffer", "grad_avg"},
		defaults: []number{{name: "alpha", def: 0.99}, {name: "eps", def: 1e-8}, decay, {name: "momentum"},
			{name: "centered"}, maximize},
		coefs: rmspropCoefs, f32: rmsprop[float32], f64: rmsprop[float64],
	},
	"Rprop": {
		lr: 1e-2, slots: []string{"prev", "step_size"},
		defaults: []number{
			{name: "etaminus", def: 0.5, pair: "etas"}, {name: "etaplus", def: 1.2, pair: "etas", at: 1},
			{name: "least", def: 1e-6, pair: "step_sizes"}, {name: "most", def: 50, pair: "step_sizes", at: 1}, maximize,
		},
		begin: func(_ map[string]float64, lr float64, s *state) { s.slots[1].Fill_(lr) },
		coefs: rpropCoefs, f32: rprop[float32], f64: rprop[float64],
		check: func(op string, v map[string]float64) {
			if !(v["etaminus"] > 0 && v["etaminus"] < 1 && v["etaplus"] > 1) {
				panic(tensor.Errorf(op, "etas must be below and above 1, got %v and %v", v["etaminus"], v["etaplus"]))
			}
		},
	},
	"ASGD": {
		lr: 1e-2, slots: []string{"ax"},
		defaults: []number{{name: "lambd", def: 1e-4}, {name: "alpha", def: 0.75}, {name: "t0", def: 1e6}, decay, maximize},
		begin: func(_ map[string]float64, lr float64, s *state) {
			s.scalars = [2]float64{float64(float32(lr)), 1}
		},
		coefs: asgdCoefs, f32: asgd[float32], f64: asgd[float64],
	},
}

func init() {
	for name, k := range kernels {
		k.name, k.note.Op = name, "optim."+name
	}
}

func checkBetas(op string, v map[string]float64) {
	for i, name := range []string{"beta1", "beta2"} {
		if b := v[name]; !(b >= 0 && b < 1) {
			panic(tensor.Errorf(op, "beta %d must be from 0 to below 1, got %v", i+1, b))
		}
	}
}

// scheduleOf reads the keyword lr.
func scheduleOf(op string, v any, def float64) Schedule {
	switch f := v.(type) {
	case nil:
		return Constant(def)
	case Schedule:
		return f
	case func(int) float64:
		return f
	case *Plateau:
		return f.Lr
	}
	s, ok := tensor.ScalarOf(v)
	if !ok {
		panic(tensor.Errorf(op, "argument lr must be a number or a schedule, a func(step int) float64, not %s",
			fmt.Sprintf("%T", v)))
	}
	if lr := s.Float(); !(lr >= 0) || math.IsInf(lr, 0) {
		panic(tensor.Errorf(op, "the learning rate must not be negative, got %v", lr))
	}
	return Constant(s.Float())
}

// common fills what most algorithms share.
func common(v map[string]float64, c *coefs) {
	*c = coefs{decay: v["weight_decay"], sign: 1}
	if v["maximize"] != 0 {
		c.sign = -1
	}
}
