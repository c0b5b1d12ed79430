package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"gotorch/backends/async"
	"gotorch/tensor"
)

// onAsync runs f with the arguments of the vectors on an asynchronous device, which is the default device as well.
func onAsync(t *testing.T, f func()) {
	t.Helper()
	place = async.Device(0)
	settle = func() { async.Synchronize() }
	tensor.SetDefaultDevice(place)
	defer func() {
		tensor.SetDefaultDevice(tensor.CPU)
		place, settle = tensor.CPU, func() {}
		if err := tensor.Try(func() { async.Synchronize() }); err != nil {
			t.Errorf("an error that nobody was told of: %v", err)
		}
	}()
	f()
}

// TestAsync replays the recorded calls, with their gradients, on the asynchronous device: what passes on the CPU
// passes there. Ordinarily it takes every tenth operator; with GOTORCH_ALL all of them, and with GOTORCH_VECTORS those
// of that folder, replayed on the CPU first.
func TestAsync(t *testing.T) {
	dir := os.Getenv("GOTORCH_VECTORS")
	isCompact := dir == ""
	if isCompact {
		dir = compact
	}
	text, err := os.ReadFile(baseline)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]string
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	check := func(t *testing.T, name, file string, replay func(*testing.T, string) outcome) {
		if name == "opinfo/tensor_split" { // takes indices in a tensor of the CPU alone, as PyTorch does
			return
		}
		if !isCompact {
			want[name] = replay(t, file).marks
		}
		var o outcome
		onAsync(t, func() { o = replay(t, file) })
		marks := want[name]
		if len(marks) != len(o.marks) {
			t.Fatalf("%s: %d cases, the baseline has %d", name, len(o.marks), len(marks))
		}
		for i := range marks {
			if marks[i] == '1' && o.marks[i] == '0' {
				t.Errorf("%s: case %d passes on the CPU and not here; the first failing one: %s", name, i, o.first)
				break
			}
		}
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) { check(t, k.name, filepath.Join(dir, k.name+".jsonl.gz"), k.replay) })
	}
	files, err := filepath.Glob(filepath.Join(dir, "opinfo", "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors (%v)", err)
	}
	for i, f := range files {
		if op := operatorOf(f); i%10 == 0 || os.Getenv("GOTORCH_ALL") != "" {
			t.Run("opinfo/"+op, func(t *testing.T) { check(t, "opinfo/"+op, f, replay[opinfoCase]) })
		}
	}
}
