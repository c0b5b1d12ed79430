package nn_test

import (
	"strings"
	"testing"

	"gotorch/nn"
	"gotorch/tensor"
)

// TestNested: models that are nested without end have a text and an error, not one that takes all memory.
func TestNested(t *testing.T) {
	inner := nn.NewSequential(nn.NewLinear(2, 3), nn.NewSequential(nn.NewLinear(3, 1)))
	want := `Sequential(
  (0): Linear(in_features=2, out_features=3, bias=true)
  (1): Sequential(
    (0): Linear(in_features=3, out_features=1, bias=true)
  )
)`
	if got := inner.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	deep := inner
	for range 500 {
		deep = nn.NewSequential(deep)
	}
	if names := nn.State(deep); len(names) != 4 || !strings.HasSuffix(names[3].Name, ".1.0.bias") {
		t.Errorf("%d tensors", len(names))
	}
	for range 100_000 {
		deep = nn.NewSequential(deep)
	}
	if text := deep.String(); len(text) > 100_000 || !strings.Contains(text, "Sequential(…)") {
		t.Errorf("a text of %d bytes", len(text))
	}
	err := tensor.Try(func() { nn.State(deep) })
	if err == nil || !strings.Contains(err.Error(), "nested more than 1500 deep") {
		t.Errorf("got %v", err)
	}
}
