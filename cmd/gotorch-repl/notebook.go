package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gotorch/internal/ipynb"
	"gotorch/interp"
	"gotorch/interp/result"
)

// runNotebook executes the code cells in order, prints what they put out, and writes the notebook with its outputs if
// that is wanted. What ran is written also when a cell failed or the run was interrupted.
func runNotebook(ctx context.Context, s *interp.Session, text []byte, r runCommand) error {
	nb, list, err := ipynb.Parse(text)
	if err != nil {
		return err
	}
	if list, err = withParameters(nb, list, r.Parameter); err != nil {
		return err
	}
	code := 0
	for _, cell := range list {
		if isCode(cell) {
			code++
		}
	}
	progress := io.Discard
	if r.Progress {
		progress = os.Stderr
	}
	var failed error
	done, start := 0, time.Now()
	var gather []func() // what cells have put out, also since they ended
	for _, cell := range list {
		if cell["cell_type"] != "code" || ipynb.Skipped(cell) {
			continue
		}
		if cell["metadata"] == nil { // nbformat wants it
			cell["metadata"] = map[string]any{}
		}
		if !isCode(cell) || failed != nil || ctx.Err() != nil {
			cell["outputs"], cell["execution_count"] = []any{}, nil
			continue
		}
		done++
		fmt.Fprintf(progress, "[%d/%d] %s\n", done, code, firstLine(ipynb.Source(cell)))
		begin, sink := time.Now(), &notebookSink{}
		gather = append(gather, func() { cell["outputs"] = sink.take() })
		if err := runCell(ctx, s, cell, sink, r.Timeout); err != nil && !r.AllowErrors &&
			(!ipynb.Tagged(cell, failsTag) || ctx.Err() != nil) {
			failed = errFailed
		}
		fmt.Fprintf(progress, "[%d/%d] took %s\n", done, code, time.Since(begin).Round(time.Millisecond))
	}
	if ctx.Err() != nil {
		failed = errFailed
	}
	if r.Output == "" {
		return failed
	}
	for _, f := range gather {
		f()
	}
	if isPage(r.Output) {
		if err := writeWhole(r.Output, []byte(notebookPage(filepath.Base(r.File), list))); err != nil {
			return err
		}
		return failed
	}
	describe(nb, r, start, failed)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(nb); err != nil {
		return err
	}
	if err := writeWhole(r.Output, b.Bytes()); err != nil {
		return err
	}
	return failed
}

// failsTag is that of a cell that may fail, to nbclient too.
const failsTag = "raises-exception"

// isCode reports whether a cell has something to run.
func isCode(cell map[string]any) bool {
	return cell["cell_type"] == "code" && !ipynb.Skipped(cell) && strings.TrimSpace(ipynb.Source(cell)) != ""
}

// firstLine is what tells a cell from others.
func firstLine(src string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(src), "\n")
	if r := []rune(line); len(r) > 60 {
		line = string(r[:59]) + "…"
	}
	return line
}

// runCell runs a cell and gives it its number; what it prints is in the sink. A cell that takes longer than the limit
// is interrupted; 0 is no limit.
func runCell(ctx context.Context, s *interp.Session, cell map[string]any, sink *notebookSink,
	limit time.Duration) error {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	values, err := s.Eval(ctx, ipynb.Source(cell), sink)
	values, beneath := result.Beneath(values, err != nil)
	sink.results(values, s.Count())
	if err != nil {
		var e *interp.Error
		if errors.As(err, &e) && e.Name == "Interrupted" && ctx.Err() == context.DeadlineExceeded {
			err = &interp.Error{Name: "Timeout", Value: fmt.Sprintf("the cell took longer than %v", limit),
				Cell: e.Cell, Line: e.Line, Source: e.Source}
		}
		sink.fail(err)
		fmt.Fprintln(os.Stderr, errorText(err, false))
		sink.results(beneath, s.Count())
	}
	cell["execution_count"] = s.Count()
	return err
}

// outputWritable is an error where a file could not be written, which is better known before an hour's run than behind
// it.
func outputWritable(name string) error {
	if name == "" {
		return nil
	}
	if at, err := os.Stat(name); err == nil {
		switch {
		case at.IsDir():
			return fmt.Errorf("-o %s: this is a directory", name)
		case !at.Mode().IsRegular():
			return nil
		}
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		var why *os.PathError
		errors.As(err, &why)
		return fmt.Errorf("-o %s cannot be written: %v", name, why.Err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// writeWhole writes a file so that there is the old one or the new one, never a part. Who may read the old one may
// read the new one.
func writeWhole(name string, data []byte) error {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to
	}
	mode := fs.FileMode(0o666)
	old, err := os.Stat(name)
	if err == nil {
		if mode = old.Mode().Perm(); !old.Mode().IsRegular() { // a pipe, /dev/null
			return os.WriteFile(name, data, mode)
		}
	}
	part := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%x", filepath.Base(name), rand.Uint64()))
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer os.Remove(part)
	_, err = f.Write(data)
	if err == nil && old != nil {
		err = f.Chmod(mode) // whatever the umask says
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(part, name)
}

// withParameters puts a cell with the parameters behind the cell that is tagged "parameters", as papermill does;
// before the first where there is none.
func withParameters(nb ipynb.Notebook, list []map[string]any, parameters []string) ([]map[string]any, error) {
	if len(parameters) == 0 {
		return list, nil
	}
	// of an earlier run
	list = slices.DeleteFunc(list, func(c map[string]any) bool { return ipynb.Tagged(c, "injected-parameters") })
	at := slices.IndexFunc(list, func(c map[string]any) bool { return ipynb.Tagged(c, "parameters") })
	var src strings.Builder
	for _, p := range parameters {
		name, value, ok := strings.Cut(p, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, fmt.Errorf("-p %s: a parameter is NAME=VALUE", p)
		}
		op := ":="
		if at >= 0 && definesName(ipynb.Source(list[at]), name) {
			op = "="
		} else if at >= 0 {
			return nil, fmt.Errorf("-p %s: the cell that is tagged parameters has no %s", p, name)
		}
		value = strings.TrimSpace(value)
		if _, err := strconv.Unquote(value); err != nil && at >= 0 && definesString(ipynb.Source(list[at]), name) {
			value = strconv.Quote(value)
		} else {
			value = goValue(value)
		}
		fmt.Fprintf(&src, "%s %s %s\n", name, op, value)
	}
	cell := map[string]any{"cell_type": "code", "execution_count": nil, "outputs": []any{},
		"metadata": map[string]any{"tags": []any{"injected-parameters"}},
		"source":   ipynb.Lines("// Parameters\n" + strings.TrimRight(src.String(), "\n"))}
	if minor, _ := nb["nbformat_minor"].(json.Number); minor != "" {
		if n, err := minor.Int64(); err == nil && n >= 5 {
			cell["id"] = "injected-parameters"
		}
	}
	list = slices.Insert(list, at+1, cell)
	all := make([]any, len(list))
	for i, c := range list {
		all[i] = c
	}
	nb["cells"] = all
	return list, nil
}

// definesName reports whether a cell assigns to a name at its top level.
func definesName(src, name string) bool {
	for _, d := range interp.Defines(src) {
		if d == name {
			return true
		}
	}
	return false
}

// definesString reports whether a cell gives a name a text in quotes.
func definesString(src, name string) (is bool) {
	f, _ := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+src+"\n}", parser.SkipObjectResolution)
	if f == nil {
		return false
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
			for i, l := range a.Lhs {
				id, _ := l.(*ast.Ident)
				if lit, ok := a.Rhs[i].(*ast.BasicLit); ok && id != nil && id.Name == name && lit.Kind == token.STRING {
					is = true
				}
			}
		}
		return true
	})
	return is
}

// goList is a list of numbers, of texts or of true and false, written as in JSON and Python, as Go writes it; "" where
// it is none.
func goList(text string) string {
	if !strings.HasPrefix(text, "[") || !json.Valid([]byte(text)) {
		return ""
	}
	for _, l := range []any{&[]int{}, &[]float64{}, &[]bool{}, &[]string{}} {
		if json.Unmarshal([]byte(text), l) == nil {
			return fmt.Sprintf("%#v", reflect.ValueOf(l).Elem())
		}
	}
	return ""
}

// goValue is a value from the command line as Go writes it: numbers, true, false, what is quoted and literals such as
// []int{1, 2} stay, lists such as [1, 2] are ints, float64s, bools or strings, the rest is a string.
func goValue(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil && !strings.ContainsAny(text, "nN") {
		return text
	}
	if _, err := strconv.ParseInt(text, 0, 64); err == nil {
		return text
	}
	if _, err := strconv.Unquote(text); err == nil {
		return text
	}
	if list := goList(text); list != "" {
		return list
	}
	if x, err := parser.ParseExpr(text); err == nil {
		if _, ok := x.(*ast.CompositeLit); ok {
			return text
		}
	}
	switch text {
	case "true", "false", "nil":
		return text
	case "True":
		return "true"
	case "False":
		return "false"
	}
	return strconv.Quote(text)
}
