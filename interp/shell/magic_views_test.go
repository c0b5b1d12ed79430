package shell_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/interp"
	"gotorch/interp/internal/celltest"
)

// TestCaptionInCells: every view takes the option, as a command and as a call, and its sentence names what was typed.
func TestCaptionInCells(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "x := Arange(12).View(3, 4); w := Ones(4, 2).RequiresGrad_(); y := (x.Float() @ w).Sum()\n"+
		"f := func(a *Tensor) *Tensor { return a.Exp().Sum() }; v := Ones(3)")
	for _, c := range []struct{ src, want string }{
		{"%strides -caption x, x.T()", "x.T() visits the same twelve numbers in a different order: its rows step by 1,\n" +
			"its columns by 4."},
		{"visualize.Strides(x, x.T(), caption=true)", "x.T() visits the same twelve numbers in a different order"},
		{"%address -caption x 1 2", "0 + 1·4 + 2·1 is 6"},
		{"%address x 1 2 -caption", "0 + 1·4 + 2·1 is 6"},
		{"visualize.Address(x, 1, 2, caption=true)", "0 + 1·4 + 2·1 is 6"},
		{"%header -caption x", "96 bytes of elements"},
		{"%alias -caption x", "x alone looks into these 96 B"},
		{"%alias", "one name alone looks into each of 4, which %alias -all shows"},
		{"%alias -all", "v          ███           float32[3]"},
		{"%versions -caption x", "Nothing has been written to the storage of x since it was made"},
		{"%order -caption x", "Both walks fetch 2 lines"},
		{"%plan -caption x + 1", "add computes in int64 over the shape [3 4]"},
		{"%broadcast -caption x, x[0]", "x[0] [4] is read 3 times along dimension 0"},
		{"%broadcast -caption x.Float() @ w",
			"The result has the shape [3 2], with the dimensions i and j; summed is over k of size 4"},
		{`%broadcast -caption Einsum("ij,kj->ik", x, x)`, "summed is over j of size 4"},
		{"%broadcast w @ x.Float()", "the inner sizes must be equal"},
		{"%broadcast -caption Ones(5, 1, 3, 4) @ Ones(2, 4, 6)",
			"broadcast is Ones(2, 4, 6) along a and Ones(5, 1, 3, 4) along b."},
		{"%table -caption add", "one has a kernel for add alone"},
		{"%where -caption exp", "exp is made of"},
		{"%support -caption exp", "exp takes"},
		{"%ops -caption entr", "operators come with a derivative"},
		{"%branches -caption v + 1", "the call of add goes to CPU, by its dtype to the branch float32: add float32"},
		{"%branches v.To(ParseDevice(\"async:0\"))", "wants a Device"},
		{"d, _ := ParseDevice(\"async:0\"); z := v.To(d)\n%branches z + 1", "the CPU's kernel, which the device runs later"},
		{"%support floor", "floor  async:0  fallback  ·"},
		{"zb := v.To(Bool).To(d)\n%branches zb.Floor()", "├─✗ bool        ✗ not implemented for bool"},
		{"%branches 1 + 1", "no operator was called"},
		{"%branches v + Ones(4)", "├─▶ float32     add float32"},
		{"%chain -caption v + 1", "The call of add goes through"},
		{"%chain v + 1", "● typed           In["},
		{"%chain 1 + 1", "no operator was called"},
		{"%shapes -caption x.Sum()", "One call would make 8 B"},
		{"%graph -caption y", "A backward pass goes from y through"},
		{"%backward -caption y", "steps the pass has reached w"},
		{"%bits -caption 0.1", "There is no float64 that is 0.1"},
		{"%rng -caption", "The default generator has given"},
		{"%program -caption x.Sum()", "the program makes one result"},
		{"%program -caption x + 1\nx * 2", "the program makes one result"},
		{"%mincut -caption f(v)", "backward pass"},
		{"%gradcheck -caption f(v)", "derivatives agree"},
		{"%derive -caption f(v)", "%derive takes no -caption"},
		{"%trace -caption x + 1", "add is dispatched once, at CPU"},
		{"%flame -caption x.Sum()", "took the longest by itself"},
		{"%timeline -caption x.To(async.Device(0)).Add(1).Cpu()", "The streams worked for"},
		{"%timeline", "%timeline [--chrome FILE.json] EXPRESSION"},
		{"%allocator -caption async:0", "that the allocator of async:0 has taken from the system"},
		{"%allocator cpu", "cpu has no caching allocator"},
		{"%memory -caption x * 2.5", "The most that was in use at once"},
		{"show := false; visualize.Strides(x, caption=show)", "storage #"},
		{"%explore -caption x", "%explore takes no -caption: its picture changes"},
		{"%help strides", "-caption before or after the arguments"},
		{"visualize.Devices(caption=true)", "takes no keyword caption"},
	} {
		got := celltest.Cell(s, c.src)
		if !strings.Contains(got, c.want) && !strings.Contains(strings.ReplaceAll(got, "\n", " "), c.want) {
			t.Errorf("%s\ngives %s\nwant %q", c.src, got, c.want)
		}
		if strings.Contains(c.src, "show") && strings.Contains(got, "visits") {
			t.Errorf("%s\ngives a sentence: %s", c.src, got)
		}
	}
}

// TestTimelineInCells: a copy that is read too early is seen as such, with its place; the file is one that Perfetto
// opens.
func TestTimelineInCells(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "x := Ones(3).To(async.Device(0))\nout := Zeros(3).PinMemory()\n"+
		"read := func() {\n"+
		"	release := async.CurrentStream().Hold()\n"+
		"	out.Copy_(x, non_blocking=true)\n"+
		"	out.Sum()\n"+
		"	release()\n"+
		"	async.Synchronize()\n"+
		"}")
	got := celltest.Cell(s, "%timeline read()")
	for _, want := range []string{"async:0 default", "sum (read)", "hold (wait)", "held", "✗ before", "In[1]:6",
		"it read old numbers"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	file := filepath.Join(t.TempDir(), "t.json")
	if got := celltest.Cell(s, "%timeline --chrome "+file+" read()"); !strings.Contains(got, "spans") {
		t.Error(got)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var trace struct {
		TraceEvents []struct {
			Name, Ph string
			ID, Tid  int
		}
	}
	if err := json.Unmarshal(data, &trace); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, e := range trace.TraceEvents {
		count[e.Ph]++
	}
	if count["X"] < 4 || count["s"] == 0 || count["s"] != count["f"] {
		t.Errorf("events %v", count)
	}
}
