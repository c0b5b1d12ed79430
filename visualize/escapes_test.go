package visualize

import (
	"fmt"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
)

// hostile are names that do harm where they are not taken as text, or not cut.
var hostile = map[string]string{
	"markup":     "<script>alert('&')</script>\x00\"\x1b]",
	"attributes": `" onload="alert(1)" x='y' <img src=x onerror=alert(1)>`,
	"endings":    "]]></text></svg></style></pre></details><b>--><!--",
	"lines":      "one\ntwo\r\nthree\tfour\u2028five\v\f",
	"escapes":    "\x1b[31mred\x1b[2J\x1b]0;title\x07\u009b31m",
	"long":       strings.Repeat("long", 2500),
	"backwards":  "אבג \u202e evil \u2066 مرحبا \u200f",
	"wide":       strings.Repeat("漢字👩‍👩‍👧é", 20),
	"no text":    "\xff\xfe\xc3\x28",
	"entities":   "&lt;b&gt; &amp;amp; &#60;",
	"format":     "%d %s %!x(MISSING) $1 \\1",
}

// TestEscapes: names are text, whatever is in them, in every view.
func TestEscapes(t *testing.T) {
	for kind, evil := range hostile {
		t.Run(kind, func(t *testing.T) {
			s := viewtest.NewSession(t)
			x := s.Name(evil, viewtest.Floats(2, 2).RequiresGrad_())
			s.At(evil, 1, evil)
			s.AllNamed = func() map[*tensor.Tensor][]string { return map[*tensor.Tensor][]string{x: {evil, evil + "2"}} }
			s.Source = func(tensor.Site) string { return evil }
			s.Operands = func(string) [][]string { return [][]string{{evil, evil, evil}} }
			views := map[string]func(x *tensor.Tensor) View{
				"strides":    func(x *tensor.Tensor) View { return Strides(x) },
				"graph exp":  func(x *tensor.Tensor) View { return Graph(x.Exp()) },
				"trace exp":  func(x *tensor.Tensor) View { return TraceFunc(func() { s.Name(evil, x.Exp()).Sum().Backward() }) },
				"memory exp": func(x *tensor.Tensor) View { return Memory(func() { s.Name(evil, x.Exp()) }) },
				"backward":   func(x *tensor.Tensor) View { return Backward(s.Name(evil, x.Exp()).Sum()) },
				"panic":      func(x *tensor.Tensor) View { v, _ := Record(func() { x.Exp(); panic(evil) }); return v },
				"panic plan": func(x *tensor.Tensor) View { v, _ := RecordPlans(func() { x.Exp(); panic(evil) }); return v },
				"branches":   func(x *tensor.Tensor) View { return Branches(func() { x.Exp() }) },
				"chain":      func(x *tensor.Tensor) View { return Chain(func() { x.Exp() }) },
				"panic branches": func(x *tensor.Tensor) View {
					v, _ := RecordBranches(func() { x.Exp(); panic(evil) })
					return v
				},
				"panic shape": func(x *tensor.Tensor) View { v, _ := RecordShapes(func() { x.Exp(); panic(evil) }); return v },
				"versions": func(x *tensor.Tensor) View {
					y := s.Name(evil, x.Exp())
					y.Mul_(2)
					y.Add_(1)
					return Versions(y)
				},
				"labels": func(x *tensor.Tensor) View {
					return Plot(x, Labels(evil, evil+"1"), Title(evil), XLabel(evil), YLabel(evil), Legend(true))
				},
				"bits":    func(x *tensor.Tensor) View { return Bits(x.Select(0, 0).Select(0, 1)) },
				"support": func(x *tensor.Tensor) View { return Support("add", "mul") },
				"stale":   func(x *tensor.Tensor) View { return Explain(stale(s)) },
				"rng":     func(x *tensor.Tensor) View { return RNG(tensor.NewGenerator(3)) },
				"gradient": func(x *tensor.Tensor) View {
					return Backward(x.Mul(2), opt.Gradient(tensor.Ones(2, 2)))
				},
			}
			for name, f := range anyTensorViews {
				views[name] = f
			}
			for name, f := range views {
				s.Typed = nil
				for _, typed := range [][]string{nil, {evil}, {evil, evil}, {evil, evil, evil}} {
					s.Typed = typed
					v := timedView(t, name, x, viewTime, f)
					if v == nil {
						continue
					}
					viewtest.CheckForms(t, v)
					viewtest.CheckText(t, v)
					for form, text := range map[string]string{"HTML": v.HTML(), "SVG": v.SVG()} {
						for _, bad := range []string{"<script", "<b>--", "<img src=x", "\x00", "\x1b", "\u009b"} {
							if strings.Contains(text, bad) {
								t.Errorf("%s: the %s has %q", name, form, bad)
							}
						}
					}
					if t.Failed() {
						t.Fatal(name, fmt.Sprintf("typed %.50q", typed))
					}
				}
			}
		})
	}
}
