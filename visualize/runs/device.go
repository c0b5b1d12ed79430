package runs

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/cpuid/v2"

	"gotorch/internal/bytesize"
	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// DevicesView tells what devices are: device_text.go and device_svg.go show it.
type DevicesView struct {
	Devices []DeviceState `json:"devices"`
}

// DeviceState is what is known of a device.
type DeviceState struct {
	Name      string     `json:"name"`                // cpu, toy:0
	Kind      string     `json:"kind"`                // what sort of device it is, in words
	Processor *Processor `json:"processor,omitempty"` // of the CPU
	Measured  *Machine   `json:"measured,omitempty"`  // of the CPU
	Budget    int        `json:"budget,omitempty"`    // bytes that tensors may take on the CPU
	Used      int        `json:"used,omitempty"`      // bytes that they take
	Kernels   []string   `json:"kernels,omitempty"`   // of a registered device: operators with kernels of its own
	FallsBack bool       `json:"falls_back,omitempty"`
	Later     bool       `json:"later,omitempty"` // calls return before their kernels have run
}

// Processor is what the CPU says about itself.
type Processor struct {
	Model        string   `json:"model"`
	Cores        int      `json:"cores"`   // that this process may use
	Workers      int      `json:"workers"` // goroutines among which a kernel divides its loop
	L1, L2, L3   int      // bytes, of data; 0 where the CPU does not say
	Line         int      `json:"line"`         // bytes of a cache line
	Instructions []string `json:"instructions"` // for vectors
	Kernels      string   `json:"kernels"`      // those of them that kernels are written in: go, avx2, avx512
}

// vectorInstructions are those of the instruction sets that matter to kernels.
var vectorInstructions = []cpuid.FeatureID{cpuid.SSE42, cpuid.AVX, cpuid.F16C, cpuid.FMA3, cpuid.AVX2, cpuid.AVX512F,
	cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VL, cpuid.AVX512BF16, cpuid.AVX512FP16, cpuid.AMXBF16, cpuid.AMXINT8,
	cpuid.ASIMD, cpuid.FPHP, cpuid.ASIMDDP, cpuid.SVE}

var processor struct {
	sync.Mutex
	p *Processor
}

// SetProcessor sets what [Devices] says about the CPU, nil for what the CPU says: texts that are compared then tell
// about the same one everywhere.
func SetProcessor(p *Processor) {
	processor.Lock()
	defer processor.Unlock()
	processor.p = p
}

// thisProcessor asks the CPU.
func thisProcessor() *Processor {
	processor.Lock()
	defer processor.Unlock()
	if processor.p != nil {
		return processor.p
	}
	c := &cpuid.CPU
	p := &Processor{Model: strings.TrimSpace(c.BrandName), Cores: runtime.NumCPU(), Workers: parallel.Threads(),
		L1: max(0, c.Cache.L1D), L2: max(0, c.Cache.L2), L3: max(0, c.Cache.L3), Line: c.CacheLine,
		Kernels: simd.Current().String()}
	if p.Model == "" {
		p.Model = runtime.GOARCH
	}
	for _, f := range vectorInstructions {
		if c.Supports(f) {
			p.Instructions = append(p.Instructions, f.String())
		}
	}
	return p
}

// Devices tells what devices are. Of the CPU: the model, cores, caches, instruction sets, memory, and what was
// measured, see [Peak]. Of a device of [tensor.RegisterDevice]: its kernels, and whether the CPU runs the rest. A
// device is a [tensor.Device], its name ("cpu", "toy:0"), or a tensor on it; without any, all are shown. What is none
// panics with an *Error.
func Devices(devices ...any) *DevicesView {
	var ds []tensor.Device
	for _, x := range devices {
		ds = append(ds, deviceOf(x))
	}
	if len(devices) == 0 {
		ds = tensor.Devices()
	}
	v := new(DevicesView)
	for _, d := range ds {
		v.Devices = append(v.Devices, deviceState(d))
	}
	return v
}

// deviceOf finds the device that is meant.
func deviceOf(x any) tensor.Device {
	const op = "devices"
	switch x := x.(type) {
	case tensor.Device:
		if x != (tensor.Device{}) {
			return x
		}
		panic(tensor.Errorf(op, "no device is given"))
	case *tensor.Tensor:
		if x != nil {
			return x.Device()
		}
	case string:
		name := x
		if strings.EqualFold(x, "cpu") || strings.EqualFold(x, "meta") {
			name = strings.ToLower(x)
		}
		if d, ok := tensor.ParseDevice(name); ok && slices.Contains(tensor.Devices(), d) {
			return d
		}
		panic(tensor.Errorf(op, "there is no device %s", x).WithHint(fmt.Sprintf("there is %s", deviceNames())))
	}
	panic(tensor.Errorf(op, "a device is a Device, its name or a tensor on it, not %T", x))
}

func deviceNames() string {
	var names []string
	for _, d := range tensor.Devices() {
		names = append(names, d.String())
	}
	return strings.Join(names, ", ")
}

func deviceState(d tensor.Device) DeviceState {
	s := DeviceState{Name: d.String()}
	switch d {
	case tensor.CPU:
		s.Kind = "the host's memory"
		s.Processor, s.Measured = thisProcessor(), Peak()
		s.Budget, s.Used = tensor.MemoryBudget(), tensor.MemoryUsed()
	case tensor.Meta:
		s.Kind = "no memory: shapes and dtypes alone"
	default:
		s.Kind = "a device of RegisterDevice, with memory of its own"
		s.Kernels, s.FallsBack, s.Later = d.Kernels(), d.FallsBack(), d.AnswersLater()
		if s.Later {
			s.Kind = "a device that answers later, with memory and streams of its own"
		}
	}
	return s
}

// rows are the facts, each with its name.
func (s *DeviceState) rows() (rows [][2]string) {
	add := func(name, format string, args ...any) {
		rows = append(rows, [2]string{name, fmt.Sprintf(format, args...)})
	}
	if p := s.Processor; p != nil {
		add("model", "%s", p.Model)
		add("cores", "%d, kernels run on %d", p.Cores, p.Workers)
		if caches := p.caches(); caches != "" {
			add("caches", "%s", caches)
		}
		add("vectors", "%s; kernels are in %s", orNone(p.Instructions), p.Kernels)
		add("memory", "tensors take %s of a budget of %s", bytesize.Text(float64(s.Used)), bytesize.Text(float64(s.Budget)))
	}
	if m := s.Measured; m != nil {
		add("reads", "%s from memory that no cache holds", rateText(m.BytesPerSecond, 1e9, "B"))
		add("peak", "%s of float32 in registers", rateText(m.FlopsPerSecond, 1e9, "flop"))
		add("balance", "%.0f operations for each byte: what does fewer waits for memory", m.balance())
	}
	if s.Later {
		add("kernels", "the CPU's, for all operators; each runs when its stream comes to it")
		add("waits", "printing, Item and copies to the host wait for the stream; so does async.Synchronize()")
		add("memory", "async.MemoryStats() tells what its allocator holds")
		return rows
	}
	if s.Processor == nil && s.Name != tensor.Meta.String() {
		add("kernels", "%s", orNone(s.Kernels))
		if s.FallsBack {
			add("others", "run on the CPU, by copies")
		} else {
			add("others", "are errors (x.Device().FallBackToCPU() lets the CPU run them)")
		}
	}
	return rows
}

// balance is how many operations the machine does while a byte of memory arrives.
func (m *Machine) balance() float64 {
	if m.BytesPerSecond <= 0 {
		return 0
	}
	return m.FlopsPerSecond / m.BytesPerSecond
}

func (p *Processor) caches() string {
	var parts []string
	for _, c := range []struct {
		name  string
		bytes int
	}{{"L1", p.L1}, {"L2", p.L2}, {"L3", p.L3}} {
		if c.bytes > 0 {
			parts = append(parts, c.name+" "+bytesize.Text(float64(c.bytes)))
		}
	}
	if len(parts) > 0 && p.Line > 0 {
		parts = append(parts, fmt.Sprintf("in lines of %d B", p.Line))
	}
	return strings.Join(parts, ", ")
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	const most = 12
	if n := len(names) - most; n > 0 {
		return strings.Join(names[:most], " ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, " ")
}
