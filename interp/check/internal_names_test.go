package check

import (
	"slices"
	"testing"
)

// offered returns what completion offers after src.
func offered(src string) (names []string) {
	for _, c := range Complete(NewEnv(Standard()), src, len(src)).Candidates {
		names = append(names, c.Text)
	}
	return names
}

func TestInternalNamesAreNotOffered(t *testing.T) {
	all := append(offered(""), offered("tensor.")...)
	for n := range internalNames {
		if slices.Contains(all, n) {
			t.Errorf("%s is offered", n)
		}
	}
	for _, n := range []string{"Arange", "With", "Float32", "CPU", "Meta", "Generator", "ManualSeed", "New",
		"FromSlice", "LoadImage",
		"Slice", "Ellipsis", "Colon", "None", "SetPrintOptions", "Tensor", "Try", "OnDevice", "Devices",
		"Invoke", "Softmax"} {
		if !slices.Contains(all, n) {
			t.Errorf("%s is not offered", n)
		}
	}
	if got := offered("Regi"); !slices.Contains(got, "RegisterDevice") {
		t.Errorf("where nothing else begins so: %v", got)
	}
	if got := offered("tensor.KeyC"); !slices.Contains(got, "KeyCPU") {
		t.Errorf("where nothing else begins so: %v", got)
	}
}

func TestInternalNamesExist(t *testing.T) {
	p, err := Standard().Importer.Import(TensorPath)
	if err != nil {
		t.Fatal(err)
	}
	for n := range internalNames {
		if o := p.Scope().Lookup(n); o == nil || !isInternal(o) {
			t.Errorf("package tensor exports no %s", n)
		}
		if rowOf(n, false) != nil {
			t.Errorf("%s is an operator", n)
		}
	}
}
