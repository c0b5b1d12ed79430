package operators

import (
	"path"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"gotorch/autograd"
	"gotorch/internal/sources"
	"gotorch/tensor"
	"gotorch/tensor/opdef"
	"gotorch/visualize/draw"
)

// OperatorSource shows where what operators are made of stands in gotorch's source, and the text.
type OperatorSource struct {
	Ops  []OpSource `json:"operators"`
	More int        `json:"more,omitempty"` // overloads that are left out
	Full bool       `json:"full"`           // with the text
}

// OpSource is one operator.
type OpSource struct {
	Name  string       `json:"name"`
	Parts []SourcePart `json:"parts"`
	Tests []SourcePart `json:"tests,omitempty"`
}

// SourcePart is a part of an operator: its row in the table, its shape rule, dtype rule, body, kernel, formula.
type SourcePart struct {
	Part string       `json:"part"`
	At   string       `json:"at"`             // "tensor/shape_join.go:11"
	Text string       `json:"text,omitempty"` // the code
	Uses []SourcePart `json:"uses,omitempty"` // functions that the text names
	simd bool         // whether it takes a loop from package simd
}

const maxSources = 6

// sparseBody is the part that stands in for all others where an argument is sparse.
const sparseBody = "sparse body"

// Where lists where the parts of operators stand, each with file and line: the row in the operator table, the shape
// rule, the dtype rule, the kernel for each device, the loop in package simd, the derivative, the body of an operator
// that is made of others, and tests. An operator goes by PyTorch's name or by Go's, as for [Table].
//
//	fmt.Println(visualize.Where("add"))
func Where(names ...string) *OperatorSource { return sourcesOf("where", names, false) }

// Source is [Where] with the text of each part, from the source that the program was built from.
//
//	fmt.Println(visualize.Source("softmax"))
func Source(names ...string) *OperatorSource { return sourcesOf("source", names, true) }

func sourcesOf(view string, names []string, full bool) *OperatorSource {
	v := &OperatorSource{Full: full}
	for _, name := range names {
		for _, o := range operatorsNamed(view, name).ops {
			if len(v.Ops) == maxSources {
				v.More++
				continue
			}
			v.Ops = append(v.Ops, sourceOf(o))
		}
	}
	return v
}

func sourceOf(o *tensor.Op) OpSource {
	s := OpSource{Name: o.Full}
	if o.IsDefined() {
		s.Parts = append(s.Parts, SourcePart{Part: "definition", At: o.Site.String()})
		return s
	}
	if row, ok := sources.Row(o.Full); ok {
		s.mention("row", "tensor/opdef", row)
	}
	shape, body, kernel := o.Registered(tensor.KeyCPU)
	inTensor := sources.Mentions("tensor", o.Full)
	if body != nil {
		s.registered("body", "tensor", body, pick(inTensor, "composites", "composite_"))
	}
	if o.HasSparse() {
		for _, m := range pick(inTensor, "sparseBodies", "sparse_") {
			s.mention(sparseBody, "tensor", m)
		}
	}
	if shape != nil {
		part := "shape rule"
		if o.Tags.Class() == opdef.View {
			part = "view"
		}
		s.registered(part, "tensor", shape, pick(inTensor, "shapes views", "shape_ view_"))
	}
	for _, m := range pick(inTensor, "promotions", "promote") {
		s.mention("dtype rule", "tensor", m)
	}
	for _, m := range pick(inTensor, "", "flops") {
		s.mention("flops rule", "tensor", m)
	}
	if kernel != nil && o.Tags.Class() != opdef.View {
		all := sources.Mentions("backends/cpu", o.Full)
		found := pick(all, "kernels", "")
		if len(found) == 0 { // some mentions are of a loop's name, or another table's
			found = slices.DeleteFunc(slices.Clone(all), func(m sources.Mention) bool {
				return !sources.Reaches("backends/cpu", m, "Register")
			})
		}
		s.registered("kernel for CPU", "backends/cpu", kernel, found)
		s.loops(found)
	}
	if text, file, line := autograd.FormulaSource(o); text != "" {
		first, uses, _ := strings.Cut(text, "\n\n")
		p := SourcePart{Part: "derivative", At: at("autograd/"+file, line), Text: first}
		if uses != "" {
			p.Uses = append(p.Uses, SourcePart{Text: uses})
		}
		s.Parts = append(s.Parts, p)
	} else if o.IsComposite() {
		s.Parts = append(s.Parts, SourcePart{Part: "derivative", Text: "that of the operators of the body"})
	}
	for _, t := range sources.Tests(o.Full) {
		s.Tests = append(s.Tests, SourcePart{Part: t.Name, At: at(t.File, t.Line)})
	}
	return s
}

func at(file string, line int) string { return file + ":" + strconv.Itoa(line) }

// pick keeps what was registered by one of some functions, or else stands in files that begin with one of some words.
func pick(list []sources.Mention, calls, files string) (out []sources.Mention) {
	for _, m := range list {
		if slices.Contains(strings.Fields(calls), m.In) {
			out = append(out, m)
		}
	}
	for _, m := range list {
		for _, f := range strings.Fields(files) {
			if len(out) == 0 && strings.HasPrefix(path.Base(m.File), f) {
				return []sources.Mention{m}
			}
		}
	}
	return out
}

func (s *OpSource) add(part string, p sources.Place, uses []SourcePart) {
	s.Parts = append(s.Parts, SourcePart{Part: part, At: at(p.File, p.Line), Text: p.Text, Uses: uses})
}

// registered adds what the files register under the operator's name. Where that is found by no name, because a rule
// makes it or it is the same for many operators, it is the function that runs.
func (s *OpSource) registered(part, dir string, f tensor.Kernel, found []sources.Mention) {
	for _, m := range found {
		s.mention(part, dir, m)
	}
	if len(found) == 0 {
		if p, ok := running(f); ok {
			s.add(part, p, nil)
		}
	}
}

// shortLines is up to how many lines code names other functions that are worth showing: longer code speaks for itself.
const shortLines, mostUses = 6, 4

func (s *OpSource) mention(part, dir string, m sources.Mention) {
	var uses []SourcePart
	if strings.Count(m.Text, "\n") < shortLines {
		for _, n := range m.Names[:min(len(m.Names), mostUses)] {
			if f, ok := sources.Function(dir, n); ok {
				uses = append(uses, SourcePart{Part: n, At: at(f.File, f.Line), Text: f.Text})
			}
		}
	}
	s.add(part, m.Place, uses)
	s.Parts[len(s.Parts)-1].simd = sources.Reaches(dir, m, "kernelOf")
}

// loops adds the loops of package simd that a kernel's row names.
func (s *OpSource) loops(kernels []sources.Mention) {
	seen := map[string]bool{}
	for _, k := range kernels {
		for _, w := range k.Words {
			for _, m := range sources.Mentions("internal/simd", w) {
				if key := at(m.File, m.Line); !seen[key] && len(seen) < 3 {
					seen[key] = true
					s.mention("loop", "internal/simd", m)
				}
			}
		}
	}
}

var functionName = regexp.MustCompile(`\.(?:\(\*?\w+\)\.)?(\w+)(?:\[\.\.\.\])?(?:\.func\d+.*|\.\d+)*$`)

// running finds the text of a function by what the runtime knows of it.
func running(f tensor.Kernel) (sources.Place, bool) {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	if fn == nil {
		return sources.Place{}, false
	}
	compiled, line := fn.FileLine(fn.Entry())
	file, ok := sources.Named(compiled)
	if !ok {
		return sources.Place{}, false
	}
	if m := functionName.FindStringSubmatch(fn.Name()); m != nil && m[1] != "init" {
		if p, ok := sources.Function(path.Dir(file), m[1]); ok {
			return p, true
		}
	}
	return sources.At(file, line)
}

// grid is what Where lists of an operator: part, place, and a line of the code.
func (s *OpSource) grid() *draw.Tabular {
	g := &draw.Tabular{Head: []string{"", "", ""}}
	row := func(part, at, text string) {
		g.Rows = append(g.Rows, []string{part, at, text})
	}
	for _, p := range s.Parts {
		row(p.Part, p.At, draw.OneLine(p.Text, 60))
		for _, u := range p.Uses {
			if u.Part != "" {
				row("", u.At, u.Part)
			}
		}
	}
	for i, t := range s.Tests {
		part := ""
		if i == 0 {
			part = "tests"
		}
		row(part, t.At, t.Part)
	}
	return g
}
