package tensor

// SliceIndex is a range of an index: start:stop:step, each of which may be left out.
type SliceIndex struct {
	Start, Stop, Step int
	HasStart, HasStop bool
}

// Slice makes the index start:stop:step; nil is what was left out. Negative starts and stops count from the end; a
// negative step walks backwards, as a view.
func Slice(start, stop, step any) SliceIndex {
	s := SliceIndex{Step: 1}
	s.Start, s.HasStart = sliceInt("start", start)
	s.Stop, s.HasStop = sliceInt("stop", stop)
	if n, ok := sliceInt("step", step); ok {
		if n == 0 {
			panic(Errorf("index", "the step of a slice cannot be zero"))
		}
		s.Step = n
	}
	return s
}

func sliceInt(what string, v any) (int, bool) {
	if v == nil {
		return 0, false
	}
	if t, ok := v.(*Tensor); ok && t != nil && t.numel == 1 && !t.dtype.IsDifferentiable() {
		return t.ItemInt(), true
	}
	s, ok := ScalarOf(v)
	if !ok || !s.IsInt() {
		panic(Errorf("index", "the %s of a slice must be an int, not %s", what, describe(v)))
	}
	return int(s.Int()), true
}

// String is the range as it is typed: 1:3, ::-1.
func (s SliceIndex) String() string {
	out := ""
	if s.HasStart {
		out = itoa(s.Start)
	}
	out += ":"
	if s.HasStop {
		out += itoa(s.Stop)
	}
	if s.Step != 1 {
		out += ":" + itoa(s.Step)
	}
	return out
}

type ellipsisIndex struct{}

func (ellipsisIndex) String() string { return "..." }

type noneIndex struct{}

func (noneIndex) String() string { return "None" }

// Colon is all of a dimension, Ellipsis as many whole dimensions as are left, None a new dimension of size 1.
var (
	Colon    = SliceIndex{Step: 1}
	Ellipsis = ellipsisIndex{}
	None     = noneIndex{}
)
