package shell

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"gotorch/internal/bytesize"
	"gotorch/interp/check"
	"gotorch/interp/result"
	"gotorch/interp/values"
	"gotorch/tensor"
)

func (s *Shell) goMagic(_ context.Context, arg string) ([]Value, *Error) {
	if strings.TrimSpace(arg) != "" {
		c, err := s.Check(arg)
		if err != nil {
			return nil, err
		}
		return result.Text(strings.TrimRight(c.Go(), "\n")), nil
	}
	text, ok := s.LastGo()
	if !ok {
		return nil, usage("no cell has been run yet")
	}
	return result.Text(strings.TrimRight(text, "\n")), nil
}

// whoMagic lists the names that cells have defined, or those of some types: int, tensor, func.
func (s *Shell) whoMagic(_ context.Context, arg string) ([]Value, *Error) {
	env, done := s.Env()
	defer done()
	var rows [][3]string
	kinds := strings.Fields(strings.ToLower(arg))
	for _, d := range env.Names() {
		if values.IsOut(d.Name) || d.Name == "In" || d.Name == "Out" {
			continue
		}
		kind, said := values.TypeText(d), values.Summary(d)
		is := strings.ToLower(kind)
		if d.Kind != check.Var || strings.Contains(is, "tensor") { // const, type; a tensor's dtype
			is += " " + said
		}
		if len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k string) bool { return strings.Contains(is, k) }) {
			continue
		}
		rows = append(rows, [3]string{d.Name, kind, said})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i][0] < rows[j][0] })
	if len(rows) == 0 && len(kinds) > 0 {
		return result.Text("no name has that type"), nil
	}
	if len(rows) == 0 {
		return result.Text("no names have been defined yet"), nil
	}
	w := [2]int{}
	for _, r := range rows {
		w[0], w[1] = max(w[0], uniseg.StringWidth(r[0])), max(w[1], uniseg.StringWidth(r[1]))
	}
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight(padded(r[0], w[0])+"  "+padded(r[1], w[1])+"  "+r[2], " ") + "\n")
	}
	return result.Text(strings.TrimRight(b.String(), "\n")), nil
}

func (s *Shell) resetMagic(_ context.Context, arg string) ([]Value, *Error) {
	only := strings.FieldsFunc(arg, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
	// IPython's: ask nothing, and only names
	only = slices.DeleteFunc(only, func(name string) bool { return name == "-f" || name == "-s" })
	for _, n := range only {
		if !s.defines(n) {
			return nil, usage("no cell has defined %s", n)
		}
	}
	s.Forget(only...)
	return nil, nil
}

// ranges parses numbers of cells: 3, 2-5, 7. Without any it returns all from 1 to most.
func ranges(arg string, most int) ([]int, *Error) {
	var out []int
	fields := strings.FieldsFunc(arg, func(r rune) bool { return r == ' ' || r == ',' })
	if len(fields) == 0 {
		fields = []string{fmt.Sprintf("1-%d", most)}
	}
	for _, f := range fields {
		lo, hi, isRange := strings.Cut(f, "-")
		a, err := strconv.Atoi(lo)
		b := a
		if err == nil && isRange {
			b, err = strconv.Atoi(hi)
		}
		if err != nil {
			return nil, usage("%s is no cell's number and no range such as 2-5", f)
		}
		for i := max(a, 1); i <= min(b, most); i++ {
			out = append(out, i)
		}
	}
	return out, nil
}

// number reads a magic's only argument, a whole number that is not negative.
func number(arg string) (int, *Error) {
	n, err := strconv.Atoi(strings.TrimSpace(arg))
	if err != nil || n < 0 {
		return 0, usage("%q is no whole number from 0", strings.TrimSpace(arg))
	}
	return n, nil
}

func (s *Shell) keepMagic(_ context.Context, arg string) ([]Value, *Error) {
	if strings.TrimSpace(arg) != "" {
		n, err := number(arg)
		if err != nil {
			return nil, err
		}
		s.SetKeep(n)
		return nil, nil
	}
	limit, has := s.Keep()
	return result.Text(fmt.Sprintf("Out keeps %d values; it has %d", limit, has)), nil
}

func (s *Shell) precisionMagic(_ context.Context, arg string) ([]Value, *Error) {
	o := tensor.GetPrintOptions()
	if strings.TrimSpace(arg) == "" {
		return result.Text(fmt.Sprintf("tensors are written with %d digits after the point", o.Precision)), nil
	}
	n, err := number(arg)
	if err != nil {
		return nil, err
	}
	if n > 17 {
		return nil, usage("no number has %d digits that mean something: 17 at most", n)
	}
	o.Precision = n
	tensor.SetPrintOptions(o)
	return nil, nil
}

// sizes are the units in which sizes are typed.
var sizes = []struct {
	unit  string
	bytes float64
}{
	{"GIB", 1 << 30}, {"MIB", 1 << 20}, {"KIB", 1 << 10}, {"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}, {"B", 1},
}

// parseSize reads 8MiB; 8MB is the same.
func parseSize(text string) (int, bool) {
	text = strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	for _, u := range sizes {
		if num, ok := strings.CutSuffix(text, u.unit); ok {
			f, err := strconv.ParseFloat(num, 64)
			return int(f * u.bytes), err == nil && f >= 0 && f*u.bytes < 1<<60
		}
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0
}

func (s *Shell) depthMagic(_ context.Context, arg string) ([]Value, *Error) {
	const least, most = 64 << 10, 256 << 20
	if strings.TrimSpace(arg) == "" {
		return result.Text(fmt.Sprintf("a cell may use %s of stack", bytesize.Text(s.Stack()))), nil
	}
	if err := s.Restricted("%depth BYTES"); err != nil {
		return nil, err
	}
	n, ok := parseSize(arg)
	if !ok || n < least || n > most {
		return nil, usage("%s is no size from %s to %s", strings.TrimSpace(arg), bytesize.Text(least), bytesize.Text(most))
	}
	s.SetStack(n)
	return nil, nil
}

func (s *Shell) goroutinesMagic(_ context.Context, arg string) ([]Value, *Error) {
	switch strings.TrimSpace(arg) {
	case "":
	case "stop":
		return s.stopGoroutines()
	default:
		return nil, usage("%%goroutines lists them; %%goroutines stop ends them")
	}
	all := s.Goroutines()
	if len(all) == 0 {
		return result.Text("no goroutine of a cell runs"), nil
	}
	var b strings.Builder
	for _, g := range all {
		place := fmt.Sprintf("%s:%d", g.Cell, g.Line)
		fmt.Fprintf(&b, "%4d  since %-8s  %-10s  %s\n", g.ID, short(time.Since(g.Began)), place, strings.TrimSpace(g.Source))
	}
	return result.Text(strings.TrimRight(b.String(), "\n")), nil
}

func (s *Shell) stopGoroutines() ([]Value, *Error) {
	ended, left, err := s.StopGoroutines()
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%d ended", ended)
	if left > 0 {
		text += fmt.Sprintf("; %d inside compiled code, which cannot be stopped", left)
	}
	return result.Text(text), nil
}

// padded is text with spaces up to a width in columns of a terminal.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(width-uniseg.StringWidth(text), 0))
}
