package tensor

import "sync/atomic"

// PrintOptions say how tensors are written, with PyTorch's names and defaults.
type PrintOptions struct {
	Precision int   // digits after the point: 4
	Threshold int   // more elements than that are summarized: 1000
	Edgeitems int   // how many elements are shown at each end of a summarized dimension: 3
	Linewidth int   // characters in a line: 80
	SciMode   *bool // scientific notation always or never; nil decides by the values
}

var printOptions atomic.Pointer[PrintOptions]

func init() {
	printOptions.Store(&PrintOptions{Precision: 4, Threshold: 1000, Edgeitems: 3, Linewidth: 80})
}

// GetPrintOptions returns the options in force.
func GetPrintOptions() PrintOptions { return *printOptions.Load() }

// SetPrintOptions sets them for the whole process. Numbers that make no sense are an *Error.
func SetPrintOptions(o PrintOptions) {
	if o.Precision < 0 || o.Threshold < 0 || o.Edgeitems < 0 || o.Linewidth < 1 {
		panic(Errorf("set_printoptions", "precision, threshold and edgeitems must not be negative, linewidth at least 1: "+
			"got %+v", o))
	}
	printOptions.Store(&o)
}
