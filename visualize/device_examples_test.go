package visualize

import (
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
	"gotorch/visualize/runs"
)

// host is a device whose memory is the host's.
type host struct{}

func (host) Alloc(d tensor.Device, n int) *tensor.Storage {
	return tensor.NewStorage(d, nil, n, make([]byte, n))
}
func (host) ToHost(dst []byte, src *tensor.Storage, at int) { copy(dst, src.Owner().([]byte)[at:]) }
func (host) FromHost(dst *tensor.Storage, at int, s []byte) { copy(dst.Owner().([]byte)[at:], s) }

// withProcessor shows the devices of a machine that is the same everywhere.
func withProcessor(s *viewtest.Session, p *Processor, devices ...any) *DevicesView {
	steady(s)
	runs.SetProcessor(p)
	s.T.Cleanup(func() { runs.SetProcessor(nil) })
	v := Devices(devices...)
	for i := range v.Devices {
		if v.Devices[i].Budget > 0 {
			v.Devices[i].Budget, v.Devices[i].Used = 8<<30, 3<<20
		}
	}
	return v
}

func init() {
	known := &Processor{Model: "Example 9000", Cores: 8, Workers: 4, L1: 32 << 10, L2: 1 << 20, L3: 32 << 20, Line: 64,
		Instructions: []string{"AVX2", "FMA3"}, Kernels: "avx2"}
	addExamples(
		exampleView{"device", func(s *viewtest.Session) View { return withProcessor(s, known, tensor.CPU) }},
		exampleView{"device_unknown", func(s *viewtest.Session) View {
			return withProcessor(s, &Processor{Model: "arm64", Cores: 1, Workers: 1, Kernels: "go"}, "cpu")
		}},
		exampleView{"device_others", func(s *viewtest.Session) View {
			toy := tensor.RegisterDevice("toy", nil, host{})(1)
			s.T.Cleanup(toy.Unregister)
			toy.RegisterKernel("neg", func(*tensor.Call) {})
			toy.RegisterKernel("exp", func(*tensor.Call) {})
			toy.FallBackToCPU()
			bare := tensor.RegisterDevice("bare", nil, host{})(0)
			s.T.Cleanup(bare.Unregister)
			return withProcessor(s, known, toy, bare, tensor.Ones(2).To(tensor.Meta))
		}},
	)
}

// TestCardOfDevice: the figures of a card on another device are those of all elements, or it says of how many.
func TestCardOfDevice(t *testing.T) {
	d := tensor.RegisterDevice("carded", nil, host{})(0)
	t.Cleanup(d.Unregister)
	if text := Card(tensor.New([]float32{1, -2, 4}).To(d)).Text(false); !strings.Contains(text, "min -2") ||
		strings.Contains(text, "elements)") {
		t.Error(text)
	}
	many := 1<<16 + 2
	if text := Card(tensor.Arange(many).To(d)).Text(false); !strings.Contains(text, "(in 32769 of 65538 elements)") {
		t.Error(text)
	}
}
