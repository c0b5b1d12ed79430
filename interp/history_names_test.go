package interp

import (
	"strings"
	"testing"
)

// TestEarlier: what IPython calls _i, __ and Out, and the commands that bring cells back.
func TestEarlier(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"1 + 1", "2\n"},
		{"\"two\"", "\"two\"\n"},
		{"Ones(2)", "tensor([1., 1.])\n"},
		{"_, __, ___", "tensor([1., 1.])\n\"two\"\n2\n"}, // 4
		{"len(__)", "does not take a tensor"},
		{"_i", "\"len(__)\"\n"}, // 6
		{"_ii, _iii", "\"len(__)\"\n\"_, __, ___\"\n"},
		{"_i1 + _i2", "`1 + 1\"two\"`\n"},
		{"_i99", "undefined: _i99"},
		{"%who", "no names have been defined"}, // 10
		{"func() int { __, _i := 3, 4; return __ + _i }()", "7\n"},
		{"_i := 5\n__ := 6", ""},
		{"_i, __", "5\n6\n"},
		{"%reset _i __", ""},
		{"n := 0", ""}, // 15
		{"n++\nn", "1\n"},
		{"%rerun", "n++\nn\n2\n"},
		{"%rerun 15-16", "n := 0\nn++\nn\n1\n"},
		{"%rerun 15 16-17", "n := 0\nn++\nn\n1\n"}, // a cell that runs others is left out
		{"%rerun -g n++", "n++\nn\n2\n"},           // 20
		{"%rerun 99", "there is no such cell"},
		{"%recall 16", "n++\nn\n"}, // nobody types here
		{"%recall", "%recall 16\n"},
		{"%hist -o 1-2", " 1: 1 + 1\n    2\n 2: \"two\"\n    \"two\"\n"},
		{"%hist -l 2", "23: %recall\n24: %hist -o 1-2\n"},
		{"%hist -n 1 3-3", " 1: 1 + 1\n 3: Ones(2)\n"},
		{"%hist ~1/", "only this session's cells have numbers"},
		{"%hist -f x", "%save FILE"},
		{"%hist -l x", "%history -l N"},
		{"x, f := Ones(2), func() {}\n%who tensor", "x  *tensor.Tensor  float32[2]\n"},
		{"%who float32", "x  *tensor.Tensor"},
		{"%who func int", "f  func()"},
		{"%who chan", "no name has that type"},
	} {
		if got := cell(s, c.src); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s\ngives %q, want %q", c.src, got, c.want)
		}
	}
}

// TestEarlierLetsGo: a value that __ named is free when Out has forgotten it.
func TestEarlierLetsGo(t *testing.T) {
	s := New(Options{Keep: 2})
	defer s.Close()
	cell(s, "Ones(2)")
	cell(s, "2")
	cell(s, "__.Sum()") // Out has 2 and the sum
	if d := s.env.Lookup("__"); d != nil {
		t.Error("__ stays when the cell has ended")
	}
	if got := cell(s, "___"); !strings.Contains(got, "undefined") {
		t.Errorf("___ gives %q", got)
	}
}

// TestOuts: In, Out and _.
func TestOuts(t *testing.T) {
	s := New(Options{Keep: 3})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"6 * 7", "42\n"},                                    // 1
		{"_ + 1", "43\n"},                                    // 2
		{"_ * 2", "86\n"},                                    // 3
		{"Out[1] + Out[2]", "85\n"},                          // 4: typed, though Out is a map of any
		{"_3", "86\n"},                                       // 5
		{"len(Out), In[1]", "3\n\"6 * 7\"\n"},                // 6
		{"type T struct{ n int }\nT{5}", "{n:5}\n"},          // 7
		{"_.n + 1", "6\n"},                                   // 8
		{"x, _ := 3, 4\nx", "3\n"},                           // 9
		{"[]string{\"a\", \"b\"}", "[\"a\" \"b\"]\n"},        // 10
		{"strings.Join(_, \"-\")", "\"a-b\"\n"},              // 11
		{"for _, v := range Out[10] { fmt.Print(v) }", "ab"}, // 12
		{"nil", "<nil>\n"},
		{"_", "\"a-b\"\n"},
		{"Arange(3)", "tensor([0, 1, 2])\n"}, // 15
		{"_ + 1", "tensor([1, 2, 3])\n"},
		{"1;", ""},
		{"fmt.Println(1)", "1\n"}, // and not the results of Println
		{"tensor.Data[float32](Ones(2))", "[1.0 1.0]\n"},
		{"FromSlice([]int{1, 2, 3}, 3).Dtype()", "int64\n"},
		{"0", "0\n"},
		{"Ones(2, 3).Sum(dim=_, keepdim=_ == 0)", "tensor([[2., 2., 2.]])\n"},
	} {
		if got := cell(s, c.src); got != c.want {
			t.Errorf("%s: got %q, want %q", c.src, got, c.want)
		}
	}
}
