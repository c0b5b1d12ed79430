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
	next := 0
	take := func() float64 {
		next++
		if next > 0 && next <= len(weights) {
			return weights[next-1]
		}
		return 16
	}
	for i := 0; i < len(format); i++ {
		if bytes++; format[i] != '%' {
			continue
		}
		wide, n := 0.0, 0
	verb:
		for i++; i < len(format); i++ {
			switch c := format[i]; {
			case c == '+' || c == '-' || c == '#' || c == ' ':
			case c >= '0' && c <= '9':
				n = min(10*n+int(c-'0'), 1<<20)
			case c == '.':
				wide, n = max(wide, float64(n)), 0
			case c == '[':
				n = 0
			case c == ']':
				next, n = n-1, 0
			case c == '*':
				if next >= 0 && next < len(args) {
					if v := reflect.ValueOf(args[next]); v.IsValid() && v.CanInt() {
						wide = max(wide, math.Abs(float64(v.Int())))
					}
				}
				next++
			case c == '%':
				break verb
			default:
				w := take()
				switch c {
				case 'x', 'X':
					w *= 3
				case 'q', 'U':
					w *= 4
				}
				bytes += max(w, wide, float64(n))
				break verb
			}
		}
	}
	return bytes
}
