package interp

import (
	"strings"
	"testing"
)

// TestDeviceNames: a device may be written as its name wherever one is taken, in one cell and in the next; a name that
// no device has is an error that lists those there are, and a dtype is no string.
func TestDeviceNames(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "x := Ones(2)\ns := \"me\"\ntype Place string\nfunc where() string { return \"async\" }")
	const names = `(there are async:0, async:1, cpu, meta)`
	for _, c := range []struct{ src, want string }{
		{`x.To("async").Device()`, "async:0"},
		{`x.To("async:1", Float64)`, "device='async:1', dtype=torch.float64"},
		{`x.To("cpu").Device() == CPU`, "true"},
		{`x.To(device="meta").Device()`, "meta"},
		{`x.To(s + "ta").Device()`, "meta"},
		{`x.To(where()).Device()`, "async:0"},
		{`Zeros(2, device="async:0").Device()`, "async:0"},
		{`New([1, 2], device=s+"ta").Device()`, "meta"},
		{`New([1, 2], device=where()).Device()`, "async:0"},
		{`ZerosLike(x, device=Place("meta")).Device()`, "meta"},
		{`With(opt.Device("meta")).Zeros(2).Device()`, "meta"},
		{`nn.NewLinear(2, 3, device="meta").Weight.Device()`, "meta"},
		{`net := nn.NewLinear(2, 3, device="async")` + "\n" + `y := net.Forward(Ones(1, 2, device="async"))` + "\ny.Device()",
			"async:0"},
		{`async.Synchronize("async:0")`, ""},
		{`async.Synchronize(device="async:0")`, ""},
		{`async.MemoryStats("async:1").Allocated >= 0`, "true"},
		{`o, _ := tensor.Invoke("zeros", []any{[]int{2}}, map[string]any{"device": "meta"})` + "\no[0]", "device='meta'"},
		{`x.To("gpu")`, `TensorError: device: there is no device "gpu" ` + names},
		{`x.To("async:7")`, `there is no device "async:7" ` + names},
		{`Zeros(2, device="")`, `there is no device "" ` + names},
		{`_, err := tensor.Invoke("zeros", []any{[]int{2}}, map[string]any{"device": "gpu"})` + "\nerr",
			`zeros: there is no device "gpu" ` + names},
		{`Zeros(2, dtype="float32")`, "the dtype is Float32, without quotes"},
		{`x.To("float64")`, "the dtype is Float64, without quotes"},
		{`Zeros(2, device=3)`, "device wants a Device; 3 is an int"},
	} {
		if got := cell(s, c.src); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s\n got %s\nwant %s", c.src, got, c.want)
		}
	}
	cell(s, `SetDefaultDevice("meta")`)
	defer cell(s, `SetDefaultDevice("cpu")`)
	if got := cell(s, "Zeros(2).Device()"); got != "meta\n" && got != "meta" {
		t.Errorf("the default device is %q", got)
	}
}
