package operators

import (
	"strings"
	"testing"

	"gotorch/tensor"
)

// TestOperatorNames: the ways in which an operator is called by name.
func TestOperatorNames(t *testing.T) {
	for name, want := range map[string]string{
		"add": "add", "Add": "add", "x.Add_": "add_", "x.T().Add": "add", "add_": "add_", "add.Tensor": "add",
		"add_.Tensor": "add_", "aten::add.out": "add",
		"torch.add": "add", "tensor.Add": "add", "x.Add()": "add", "max.dim": "max.dim", "relu": "nn.functional.relu",
		"F.relu":             "nn.functional.relu",
		"nn.functional.relu": "nn.functional.relu", "index_select": "index_select", "IndexSelect": "index_select",
		"torch.linalg.vector_norm": "linalg.vector_norm",
		"LinalgVectorNorm":         "linalg.vector_norm", "special.entr": "special.entr", "copy_": "copy_", "Copy_": "copy_",
		"x.Copy_": "copy_", "MaxDim": "max.dim",
	} {
		n, ok := findOperators(name)
		if !ok {
			t.Errorf("%s is not found", name)
			continue
		}
		got := n.ops[0].Full
		if n.inPlace {
			got += "_"
		}
		if got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for _, o := range tensor.Ops() {
		for _, name := range []string{o.Full, o.Name, o.GoName()} {
			if _, ok := findOperators(name); !ok {
				t.Errorf("%s is not found", name)
			}
		}
	}
	for name, near := range map[string]string{"ad": "add", "relue": "relu", "x.Sofmax": "softmax",
		"indexselect2": "index_select", "<b>": "", "": "", "_": ""} {
		err := tensor.Try(func() { Table(name) })
		if err == nil || !strings.Contains(err.Error(), "there is no operator") {
			t.Errorf("%q: %v", name, err)
		} else if !strings.Contains(err.Error(), near) {
			t.Errorf("%q: no %s in %v", name, near, err)
		}
	}
}
