package std

import (
	"fmt"
	"math/big"
	"reflect"

	"gotorch/internal/bytesize"
	"gotorch/interp/rt"
)

// bigLimit is how many bytes a number may take that one call makes.
const bigLimit = 1 << 28

// bigBits says about how many bits the result of a method of big.Int will have, where a call can
// make it large at once. args begin with the receiver.
var bigBits = map[string]func(args []reflect.Value) float64{
	"Int.Lsh":    func(a []reflect.Value) float64 { return float64(a[2].Uint()) },
	"Int.SetBit": func(a []reflect.Value) float64 { return float64(a[2].Int()) },
	"Int.Exp": func(a []reflect.Value) float64 {
		x, y, m := bigOf(a[1]), bigOf(a[2]), bigOf(a[3])
		if x == nil || y == nil || m != nil && m.Sign() != 0 || y.Sign() <= 0 || x.BitLen() <= 1 {
			return 0
		}
		times, _ := new(big.Float).SetInt(y).Float64()
		return float64(x.BitLen()-1) * times
	},
	"Int.MulRange": func(a []reflect.Value) float64 {
		lo, hi := a[1].Int(), a[2].Int()
		if lo <= 0 && hi >= 0 {
			return 0
		}
		return (float64(hi) - float64(lo)) * 8
	},
	"Int.Binomial": func(a []reflect.Value) float64 { return min(float64(a[1].Int()), 64*float64(a[2].Int())) },
}

func bigOf(v reflect.Value) *big.Int {
	x, _ := v.Interface().(*big.Int)
	return x
}

// checkBig panics if a call of a method of big.Int would make a number that is too large.
func checkBig(method string, args []reflect.Value) {
	bits := bigBits[method]
	if bits == nil {
		return
	}
	if n := bits(args) / 8; n > bigLimit {
		panic(rt.Fault(fmt.Sprintf("math/big: %s would make a number of %s; the limit is %s", method, bytesize.Text(n),
			bytesize.Text(bigLimit))))
	}
}
