package interp

import (
	"context"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"gotorch/interp/internal/celltest"
	"gotorch/interp/split"
	"gotorch/interp/yaegi"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// corpus are all cells of the tests.
func corpus(t testing.TB) []string {
	all := languageCells(t)
	for _, f := range []string{"refused", "session", "sugar"} {
		all = append(all, celltest.Blocks(t, "testdata/"+f+".txt")...)
	}
	return all
}

// graft puts expressions, types and statements of other cells in place of some of this one's.
func graft(r *rand.Rand, src string, from []string) string {
	for range 1 + r.IntN(3) {
		own := parts(src)
		if len(own) == 0 {
			return src
		}
		at := own[r.IntN(len(own))]
		donor := src // names fit most often within the same cell
		if r.IntN(3) == 0 {
			donor = from[r.IntN(len(from))]
		}
		var fit []part
		for _, p := range parts(donor) {
			if p.stmt == at.stmt {
				fit = append(fit, p)
			}
		}
		if len(fit) == 0 {
			continue
		}
		p := fit[r.IntN(len(fit))]
		text := donor[p.from:p.to]
		if len(src)+len(text) > 4000 {
			return src
		}
		src = src[:at.from] + text + src[at.to:]
	}
	return src
}

// part is a piece of a cell's text.
type part struct {
	from, to int
	stmt     bool
}

// parts are the expressions and statements of a cell, if it is plain Go.
func parts(src string) []part {
	var out []part
	for _, head := range []string{"package p\nfunc _() {\n", "package p\n"} {
		text := head + src
		if strings.HasSuffix(head, "{\n") {
			text += "\n}"
		}
		f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			_, expr := n.(ast.Expr)
			_, stmt := n.(ast.Stmt)
			if n == nil || !expr && !stmt {
				return true
			}
			p := part{int(n.Pos()) - 1 - len(head), int(n.End()) - 1 - len(head), stmt}
			if p.from >= 0 && p.to <= len(src) && p.to > p.from {
				out = append(out, p)
			}
			return true
		})
		break
	}
	return out
}

// FuzzCells takes cells of the tests apart and puts them together in other ways. Whatever checks must be lowered to
// what the interpreter takes, or be rejected in our words; nothing is run.
func FuzzCells(f *testing.F) {
	celltest.Single(f)
	for i := range 40 {
		f.Add(uint16(i*7), uint64(i))
	}
	all := corpus(f)
	f.Fuzz(func(t *testing.T, n uint16, seed uint64) {
		src := graft(rand.New(rand.NewPCG(seed, 1)), all[int(n)%len(all)], all)
		compileCell(t, src)
	})
}

// FuzzText reads, checks and lowers any text.
func FuzzText(f *testing.F) {
	celltest.Single(f)
	for _, c := range corpus(f) {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) < 2000 {
			compileCell(t, src)
		}
	})
}

// compileCell takes a cell all the way but for running it.
func compileCell(t *testing.T, src string) (checks bool) {
	if strings.TrimSpace(src) == "" {
		return false
	}
	for p := range split.Cell(src, func(_, _, _ string) bool { return true }) {
		if p.Kind != split.Go || p.End < len(src) {
			return false
		}
	}
	s := New(Options{})
	defer s.Close()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("panic: %v\n%s", r, src)
			panic(r)
		}
	}()
	begun := time.Now()
	_, p, err := s.prepare(context.Background(), "In[1]", src)
	if err != nil {
		if err.Name == "InternalError" {
			t.Errorf("%s\n%s", err.Text(), src)
		}
		return false
	}
	list := p.File.Decls
	list[len(list)-1].(*ast.FuncDecl).Name.Name = "never·run"
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err, ok := s.eng.Run(ctx, &p.Program).(*yaegi.CompileError); ok {
		t.Errorf("the interpreter does not take it: %s\n%s", err.Text, src)
	}
	if d := time.Since(begun); d > 10*time.Second {
		t.Errorf("it took %v\n%s", d, src)
	}
	return true
}

var grafts = flag.Int("grafts", 150, "how many cells TestGrafts puts together, and from where on")
var graftsFrom = flag.Int("grafts-from", 0, "the first of them")

// TestGrafts is FuzzCells without a fuzzer: the same cells each time.
func TestGrafts(t *testing.T) {
	celltest.Single(t)
	all := corpus(t)
	checked := 0
	for i := *graftsFrom; i < *graftsFrom+*grafts; i++ {
		r := rand.New(rand.NewPCG(uint64(i), 2))
		if compileCell(t, graft(r, all[r.IntN(len(all))], all)) {
			checked++
		}
	}
	t.Logf("%d of %d cells check", checked, *grafts)
}
