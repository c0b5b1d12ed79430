package visualize

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	if unsafe.Sizeof(uintptr(0)) != 8 { // sizes and offsets are others there
		return
	}
	addExamples(
		exampleView{"header", func(s *viewtest.Session) View { return Header(tensor.Ones(2, 3)) }},
		exampleView{"header_grad", func(s *viewtest.Session) View {
			x := tensor.Ones(100).RequiresGrad_()
			return Header(x.Mul(2).View(10, 10).T())
		}},
		exampleView{"header_dims", func(s *viewtest.Session) View { return Header(tensor.Ones(1, 1, 1, 1, 1, 2)) }},
	)
}

// TestHeaderOfTensor: every field of the header is there, at the offset that Go says, with PyTorch's counterpart or
// the words that there is none.
func TestHeaderOfTensor(t *testing.T) {
	v := Header(tensor.Ones(2))
	h := v.Objects[0]
	if h.Bytes != int(unsafe.Sizeof(tensor.Tensor{})) {
		t.Errorf("the header has %d bytes", h.Bytes)
	}
	typ := reflect.TypeFor[tensor.Tensor]()
	for i, f := range h.Fields {
		if f.Torch == "" {
			t.Errorf("%s has no counterpart", f.Name)
		}
		if want := typ.Field(i); f.Name != want.Name || f.Offset != int(want.Offset) ||
			f.Bytes != int(want.Type.Size()) {
			t.Errorf("%+v is not %s at %d", f, want.Name, want.Offset)
		}
	}
	if text := v.String(); !strings.Contains(text, "compact") || !strings.Contains(text, "autograd added nothing") {
		t.Error(text)
	}
	if text := Header(tensor.Ones(2).RequiresGrad_()).String(); strings.Contains(text, "compact: header") ||
		!strings.Contains(text, "what autograd added: tensor.Autograd") {
		t.Error(text)
	}
}
