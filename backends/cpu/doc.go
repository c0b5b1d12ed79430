// Package cpu has the kernels for the CPU. Importing it registers them: import _ "gotorch/backends/cpu".
//
// A kernel gets a [tensor.Call] whose shape function has checked the arguments and made the results; it plans its
// loops, switches on the dtype, and does the arithmetic in loops over contiguous runs of one type.
package cpu
