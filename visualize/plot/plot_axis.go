package plot

import (
	"math"
	"strconv"
	"strings"

	"gotorch/visualize/draw"
)

// Axis is an axis of a [Chart].
type Axis struct {
	Label string  `json:"label,omitempty"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Log   bool    `json:"log,omitempty"`
}

// place is where v stands, from 0 at the axis' beginning to 1 at its end; what lies outside is below 0 or above 1.
func (a Axis) place(v float64) float64 {
	if a.Log {
		return (math.Log(v) - math.Log(a.Min)) / (math.Log(a.Max) - math.Log(a.Min))
	}
	span := a.Max - a.Min
	return v/span - a.Min/span
}

// axisOver makes an axis for values from lo to hi, with room at the ends. given is what a user set, or nil.
func axisOver(label string, lo, hi float64, log bool, given []float64, room float64) Axis {
	a := Axis{Label: label, Min: lo, Max: hi, Log: log}
	if given != nil {
		a.Min, a.Max = given[0], given[1]
		return a
	}
	if log {
		from, to := math.Log(lo), math.Log(hi)
		if to-from < 1e-3 {
			from, to = from-math.Ln2, to+math.Ln2
		}
		more := (to - from) * room
		a.Min, a.Max = math.Exp(max(from-more, math.Log(smallest)-1)), math.Exp(min(to+more, math.Log(largest)+1))
		return a
	}
	size := max(math.Abs(lo), math.Abs(hi))
	if least := max(size*1e-6, 1e-280); hi-lo < least {
		half := max(size*0.05, 1e-280)
		if size < 1e-200 {
			half = 1
		}
		a.Min, a.Max = lo-half, hi+half
		return a
	}
	a.Min, a.Max = lo-(hi-lo)*room, hi+(hi-lo)*room
	return a
}

// mark is a mark of an axis; small ones have no label.
type mark struct {
	Value float64
	Label string
}

// marks are the axis' marks, at most as many with a label.
func (a Axis) marks(most int) []mark {
	if a.Min >= a.Max {
		return nil
	}
	if a.Log {
		if marks := decades(a.Min, a.Max, most); marks != nil {
			return marks
		}
	}
	return even(a.Min, a.Max, most)
}

// even are marks at round numbers, at most as many as have room.
func even(lo, hi float64, most int) (marks []mark) {
	raw := (hi - lo) / float64(max(most, 2))
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * power
	for _, f := range []float64{1, 2, 2.5, 5} {
		if f*power >= raw*0.999 {
			step = f * power
			break
		}
	}
	if step == 0 || math.IsInf(step, 0) {
		return nil
	}
	var values []float64
	first := math.Ceil(lo/step - 1e-6)
	for i := range most + 2 {
		v := (first + float64(i)) * step
		if n := len(values); v <= hi+step*1e-6 && (n == 0 || v > values[n-1]) {
			values = append(values, v)
		}
	}
	texts := roundTexts(values, step)
	for i, l := range texts {
		if i > 0 && l == texts[i-1] { // neighbours that no number of so many digits tells apart
			l = ""
		}
		marks = append(marks, mark{Value: values[i], Label: l})
	}
	return marks
}

// roundTexts writes multiples of step, all in one way, with as many digits as tell them apart.
func roundTexts(values []float64, step float64) []string {
	size := 0.0
	for _, v := range values {
		size = max(size, math.Abs(v))
	}
	out := make([]string, len(values))
	for i, v := range values {
		if math.Abs(v) < step/2 {
			v = 0
		}
		switch {
		case size < 1e5 && step >= 1e-4:
			decimals := 0
			for unit := step; decimals < 5 && math.Abs(unit-math.Round(unit)) > 1e-6*unit; unit *= 10 {
				decimals++
			}
			out[i] = strconv.FormatFloat(v, 'f', decimals, 64)
		case size >= 1e5 && size < 1e15 && shortened(values, step) != nil:
			return shortened(values, step)
		default:
			digits := 2 + max(0, int(math.Ceil(math.Log10(size/step)-1e-9)))
			out[i] = strconv.FormatFloat(v, 'g', min(digits, 9), 64)
		}
		if out[i] == "-0" {
			out[i] = "0"
		}
	}
	return out
}

// shortened writes multiples of step in thousands, millions and so on: 800k, 1M, 1.5M. It is nil where that would take
// many digits.
func shortened(values []float64, step float64) (out []string) {
	for _, v := range values {
		if math.Abs(v) < step/2 {
			out = append(out, "0")
			continue
		}
		unit, sign := 1.0, ""
		for _, next := range []struct {
			unit float64
			sign string
		}{{1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}} {
			if math.Abs(v) >= next.unit*0.999999 {
				unit, sign = next.unit, next.sign
			}
		}
		text := strconv.FormatFloat(math.Round(v/unit*1e6)/1e6, 'f', -1, 64)
		if _, decimals, _ := strings.Cut(text, "."); len(decimals) > 3 {
			return nil
		}
		out = append(out, text+sign)
	}
	return out
}

// decades are the powers of ten between lo and hi, nil where there are less than two.
func decades(lo, hi float64, most int) (marks []mark) {
	first, last := int(math.Ceil(math.Log10(lo)-1e-9)), int(math.Floor(math.Log10(hi)+1e-9))
	if last <= first {
		return nil
	}
	step := (last - first + most) / max(most, 1)
	for e := first - 1; e <= last; e++ {
		p := math.Pow(10, float64(e))
		if e >= first {
			m := mark{Value: p}
			if (e-first)%step == 0 {
				m.Label = draw.ShortValue(p)
				if short := shortened([]float64{p}, p); short != nil && p >= 1e4 && p < 1e15 {
					m.Label = short[0]
				}
			}
			marks = append(marks, m)
		}
		for d := 2; step == 1 && d < 10; d++ {
			if v := p * float64(d); v > lo && v < hi {
				marks = append(marks, mark{Value: v})
			}
		}
	}
	return marks
}

// numbered are the marks that have a number.
func numbered(marks []mark) (out []mark) {
	for _, m := range marks {
		if m.Label != "" {
			out = append(out, m)
		}
	}
	return out
}
