package rt

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
)

// Printing panics if fmt cannot write arguments as text, because they contain themselves or there is no memory for
// the text. While goroutines run, the maps in them are not to be written before release is called.
func Printing(what string, args []any) (release func()) {
	settle(args)
	bytes, _, release := weighAll(what, args, false)
	enough(what, bytes, release)
	return release
}

// settle waits for arguments whose values are not there yet, tensors of a device that answers later. What went wrong
// on the device panics here, outside of fmt, which would write it as text.
func settle(args []any) {
	for _, a := range args {
		if s, ok := a.(interface{ Settle() }); ok {
			s.Settle()
		}
	}
}

// PrintingBy is Printing by a format, which may name an argument often.
func PrintingBy(what, format string, args []any) (release func()) {
	settle(args)
	all, weights, release := weighAll(what, args, true)
	if all*float64(len(format)) > 1<<20 || len(format) > 1<<12 {
		enough(what, formatted(format, args, weights), release)
	}
	return release
}

// enough panics if there is no memory for a text: it is made in a buffer and copied.
func enough(what string, bytes float64, release func()) {
	if bytes < 1<<20 {
		return
	}
	defer func() {
		if v := recover(); v != nil {
			release()
			panic(v)
		}
	}()
	Fits(what, int(min(2*bytes, math.MaxInt/2)))
}

func none() {}

// wide is how many bits an integer may have that fmt writes; the time grows with the square.
const wide = 1 << 23

// weighAll estimates how long arguments are when printed, and each of them if each is asked for.
func weighAll(what string, args []any, each bool) (all float64, weights []float64, release func()) {
	release = none
	if each {
		weights = make([]float64, len(args))
	}
	for i, a := range args {
		w := 8.0
		switch a := a.(type) {
		case nil, bool, int, int64, float64, rune, byte:
		case string:
			w = float64(len(a))
		case *big.Int:
			if a != nil {
				w = float64(a.BitLen()) / 3
				if a.BitLen() > wide {
					panic(Fault(fmt.Sprintf("%s: an integer of %s bits: to write it in digits takes too long; its method "+
						"Text(16) is quick", what, Count(a.BitLen()))))
				}
			}
		case *big.Float:
			if a != nil {
				if n := max(a.MantExp(nil), -a.MantExp(nil)); n > wide {
					panic(Fault(fmt.Sprintf("%s: a number with an exponent of %s bits: to write it in digits takes too "+
						"long; its method Text('p', 20) is quick", what, Count(n))))
				}
			}
		default:
			before := release
			done := false
			func() {
				defer func() {
					if !done {
						before()
					}
				}()
				var mine func()
				w, mine = weigh(what, Prints, []reflect.Value{reflect.ValueOf(a)})
				done = true
				if before := release; i > 0 {
					release = func() { before(); mine() }
				} else {
					release = mine
				}
			}()
		}
		all += w
		if each {
			weights[i] = w
		}
	}
	return all, weights, release
}

// formatted estimates the length of the text of a format with arguments of these lengths.
func formatted(format string, args []any, weights []float64) (bytes float64) {
	bytes = float64(len(format))
	for d := range directives(format) {
		wide := float64(max(d.width, d.precision))
		for _, i := range d.stars {
			if i >= 0 && i < len(args) {
				if v := reflect.ValueOf(args[i]); v.IsValid() && v.CanInt() {
					wide = max(wide, math.Abs(float64(v.Int())))
				}
			}
		}
		w := 16.0
		if d.arg >= 0 && d.arg < len(weights) {
			w = weights[d.arg]
		}
		switch d.verb {
		case 'x', 'X':
			w *= 3
		case 'q', 'U':
			w *= 4
		}
		bytes += max(w, wide)
	}
	return bytes
}

// Sprint is fmt.Sprint for the values of cells; what names who prints them.
func Sprint(what string, args []any) string {
	defer Printing(what, args)()
	return fmt.Sprint(Args(args)...)
}

// Sprintln is fmt.Sprintln for the values of cells.
func Sprintln(what string, args []any) string {
	defer Printing(what, args)()
	return fmt.Sprintln(Args(args)...)
}

// Sprintf is fmt.Sprintf for the values of cells.
func Sprintf(what, format string, args []any) string {
	defer PrintingBy(what, format, args)()
	format, args = Format(format, args)
	return fmt.Sprintf(format, args...)
}
