// Package outside adds a device, an operator and a wrapper to gotorch, from a module of its own.
package outside

import "gotorch/tensor"

// vault is a device with memory that the host cannot address: it keeps its bytes inverted.
type vault struct{}

func (vault) Alloc(d tensor.Device, n int) *tensor.Storage {
	b := make([]byte, n)
	invert(b, b)
	return tensor.NewStorage(d, nil, n, b)
}

func (vault) ToHost(dst []byte, src *tensor.Storage, offset int) {
	invert(dst, src.Owner().([]byte)[offset:][:len(dst)])
}

func (vault) FromHost(dst *tensor.Storage, offset int, src []byte) {
	invert(dst.Owner().([]byte)[offset:][:len(src)], src)
}

func invert(dst, src []byte) {
	for i, b := range src {
		dst[i] = ^b
	}
}

// Vault registers the device, with a kernel of its own for relu. The CPU runs the rest.
func Vault() tensor.Device {
	d := tensor.RegisterDevice("vault", func() int { return 1 }, vault{})(0)
	d.RegisterKernel("nn.functional.relu", func(c *tensor.Call) {
		x, y := c.Tensor(0).Clone().Storage().Owner().([]byte), c.Ret(0).Storage().Owner().([]byte)
		for i := 0; i < len(y); i += 4 { // elements of four bytes, of which the last has the inverted sign
			if x[i+3]&0x80 != 0 {
				copy(y[i:i+4], x[i:i+4])
			}
		}
	})
	d.FallBackToCPU()
	return d
}
