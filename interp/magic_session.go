package interp

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/interp/rt"
	"gotorch/tensor"
)

func (s *Session) goMagic(_ context.Context, n int, arg string) ([]Value, *Error) {
	if strings.TrimSpace(arg) != "" {
		c, err := s.checked(s.cellName(n), arg)
		if err != nil {
			return nil, err
		}
		return textValue(strings.TrimRight(c.Go(), "\n")), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		return nil, usage("no cell has been run yet")
	}
	return textValue(strings.TrimRight(s.last.Go(), "\n")), nil
}

// whoMagic lists the names that cells have defined, or those of the types that it is told: int, tensor, func.
func (s *Session) whoMagic(_ context.Context, _ int, arg string) ([]Value, *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var rows [][3]string
	kinds := strings.Fields(strings.ToLower(arg))
	for _, d := range s.env.Names() {
		if outName.MatchString(d.Name) || d.Name == "In" || d.Name == "Out" {
			continue
		}
		kind, said := s.typeOf(d), s.summary(d)
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
		return textValue("no name has that type"), nil
	}
	if len(rows) == 0 {
		return textValue("no names have been defined yet"), nil
	}
	w := [2]int{}
	for _, r := range rows {
		w[0], w[1] = max(w[0], uniseg.StringWidth(r[0])), max(w[1], uniseg.StringWidth(r[1]))
	}
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight(padded(r[0], w[0])+"  "+padded(r[1], w[1])+"  "+r[2], " ") + "\n")
	}
	return textValue(strings.TrimRight(b.String(), "\n")), nil
}

// summary is a variable's value in a few words.
func (s *Session) summary(d *check.Def) string {
	switch d.Kind {
	case check.Const:
		return "const " + d.Val.String()
	case check.Func:
		return shownName(d.Cell)
	case check.Type:
		return "type " + shownName(d.Cell)
	}
	v := s.value(d)
	if !v.IsValid() {
		return ""
	}
	if t, ok := v.Interface().(interface {
		Shape() []int
	}); ok && !(v.Kind() == reflect.Pointer && v.IsNil()) {
		if dt, ok := v.Interface().(fmt.Stringer); ok && dt != nil {
			return strings.TrimSpace(dtypeOf(v.Interface()) + fmt.Sprint(t.Shape()))
		}
	}
	return clip(rt.Brief.Text(v.Interface()))
}

// value is what a variable holds.
func (s *Session) value(d *check.Def) reflect.Value {
	sym, ok := d.Engine.(*lower.Symbol)
	if !ok || sym.Slot == nil {
		return reflect.Value{}
	}
	v := reflect.ValueOf(sym.Slot).Elem()
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

func (s *Session) resetMagic(_ context.Context, _ int, arg string) ([]Value, *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	only := strings.FieldsFunc(arg, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
	only = slices.DeleteFunc(only, func(name string) bool { return name == "-f" || name == "-s" }) // IPython's: ask nothing, and only names
	for _, n := range only {
		if !slices.ContainsFunc(s.env.Names(), func(d *check.Def) bool { return d.Name == n }) {
			return nil, usage("no cell has defined %s", n)
		}
	}
	for _, d := range s.env.Names() {
		if len(only) > 0 && !slices.Contains(only, d.Name) {
			continue
		}
		if sym, ok := d.Engine.(*lower.Symbol); ok && sym.Slot != nil && !sym.Captured {
			reflect.ValueOf(sym.Slot).Elem().SetZero()
		}
		s.env.Forget(d.Name)
	}
	if len(only) == 0 {
		s.outs = outs{}
	}
	return nil, nil
}

// ranges reads numbers of cells as they are typed: 3, 2-5, 7. Without any it gives all from 1 to most.
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

// typedCells are the texts of cells, by number; those of magics that ask about cells are left out.
func (s *Session) typedCells() map[int]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.outs.in)
}

// number reads a magic's only argument, a whole number that is not negative.
func number(arg string) (int, *Error) {
	n, err := strconv.Atoi(strings.TrimSpace(arg))
	if err != nil || n < 0 {
		return 0, usage("%q is no whole number from 0", strings.TrimSpace(arg))
	}
	return n, nil
}

func (s *Session) keepMagic(_ context.Context, _ int, arg string) ([]Value, *Error) {
	if strings.TrimSpace(arg) != "" {
		n, err := number(arg)
		if err != nil {
			return nil, err
		}
		s.mu.Lock()
		s.opts.Keep = n
		s.trim()
		s.poke()
		s.mu.Unlock()
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return textValue(fmt.Sprintf("Out keeps %d values; it has %d", s.opts.Keep, len(s.outs.order))), nil
}

func (s *Session) precisionMagic(_ context.Context, _ int, arg string) ([]Value, *Error) {
	o := tensor.GetPrintOptions()
	if strings.TrimSpace(arg) == "" {
		return textValue(fmt.Sprintf("tensors are written with %d digits after the point", o.Precision)), nil
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
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}, {"B", 1}}

// parseSize reads 8MB.
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

// sizeText writes 8.0 MB.
func sizeText(n int) string {
	for _, u := range sizes[:3] {
		if float64(n) >= u.bytes {
			return fmt.Sprintf("%.1f %s", float64(n)/u.bytes, u.unit)
		}
	}
	return fmt.Sprintf("%d B", n)
}

func (s *Session) depthMagic(_ context.Context, _ int, arg string) ([]Value, *Error) {
	const least, most = 64 << 10, 256 << 20
	if strings.TrimSpace(arg) == "" {
		return textValue(fmt.Sprintf("a cell may use %s of stack", sizeText(s.eng.Stack()))), nil
	}
	if err := s.restricted("%depth BYTES"); err != nil {
		return nil, err
	}
	n, ok := parseSize(arg)
	if !ok || n < least || n > most {
		return nil, usage("%s is no size from %s to %s", strings.TrimSpace(arg), sizeText(least), sizeText(most))
	}
	s.eng.SetStack(n)
	return nil, nil
}

func (s *Session) goroutinesMagic(_ context.Context, _ int, arg string) ([]Value, *Error) {
	switch strings.TrimSpace(arg) {
	case "":
	case "stop":
		return s.stopGoroutines()
	default:
		return nil, usage("%%goroutines lists them; %%goroutines stop ends them")
	}
	all := s.eng.Goroutines()
	if len(all) == 0 {
		return textValue("no goroutine of a cell runs"), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, g := range all {
		at := &Error{}
		s.locate(at, g.Line)
		place := fmt.Sprintf("%s:%d", at.Cell, at.Line)
		fmt.Fprintf(&b, "%4d  since %-8s  %-10s  %s\n", g.ID, short(time.Since(g.Began)), place, strings.TrimSpace(at.Source))
	}
	return textValue(strings.TrimRight(b.String(), "\n")), nil
}

func (s *Session) stopGoroutines() ([]Value, *Error) {
	n, err := s.eng.StopGoroutines()
	if err != nil {
		return nil, s.runError(err)
	}
	text := fmt.Sprintf("%d ended", n)
	if left := s.Goroutines(); left > 0 {
		text += fmt.Sprintf("; %d inside compiled code, which cannot be stopped", left)
	}
	return textValue(text), nil
}
