package simd

import "unsafe"

// ValueRows computes rows, one or more, of n elements: each from as many elements of a row of src and one value. What
// belongs to a row stands as many bytes behind what belongs to the one before as the steps say.
type ValueRows func(rows, n int, dst *byte, dstStep int, src *byte, srcStep int, value *byte, valueStep int)

// valueRows has the assembly for kernels of one input and a parameter, by name. Other kernels are called for each row,
// which is slow where rows are short.
var valueRows map[string]ValueRows

// ValueRowsOf returns the kernel of a name, which has one input and a value as its parameter, for rows, and whether it
// is made for short ones.
func ValueRowsOf(name string) (f ValueRows, short bool) {
	if f := valueRows[name]; f != nil {
		return f, true
	}
	return eachRow(Get(name)), false
}

// eachRow calls f for every row.
func eachRow(f Func) ValueRows {
	return func(rows, n int, dst *byte, dstStep int, src *byte, srcStep int, value *byte, valueStep int) {
		for r := range rows {
			f(n, ahead(dst, r*dstStep), ahead(src, r*srcStep), nil, nil, ahead(value, r*valueStep))
		}
	}
}

func ahead(p *byte, bytes int) *byte { return (*byte)(unsafe.Add(unsafe.Pointer(p), bytes)) }
