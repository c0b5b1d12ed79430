package interp

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"sort"
	"strings"
	"time"

	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/visualize/display"
)

// magic is a command of the session's own: %name at the beginning of a line
// takes the rest of the line, %%name on a cell's first line takes the cell.
type magic struct {
	name, args, doc string
	run             func(s *Session, ctx context.Context, n int, arg string) ([]Value, *Error)
}

// magics is the table of all, in the order in which %help lists them.
var magics []magic

func init() { // the table refers to itself through help
	magics = []magic{
		{"help", "", "this list", (*Session).helpMagic},
		{"time", "STATEMENT", "runs it and says how long it took", (*Session).timeMagic},
		{"timeit", "STATEMENT", "runs it many times and gives mean and deviation", (*Session).timeitMagic},
		{"who", "", "the names that cells have defined", (*Session).whoMagic},
		{"go", "", "the plain Go of the last cell", (*Session).goMagic},
		{"reset", "", "forgets all names, In and Out", (*Session).resetMagic},
	}
	for _, m := range viewMagics {
		magics = append(magics, m.magic())
	}
}

// invocation is a magic as it was typed.
type invocation struct{ name, arg string }

// magicOf finds a magic at the beginning of a text; rest is what follows its
// line, with empty lines for those before it, so that line numbers stay.
func magicOf(src string) (m invocation, rest string, ok bool) {
	blank := 0
	text := src
	for {
		line, after, more := strings.Cut(text, "\n")
		if strings.TrimSpace(line) != "" || !more {
			break
		}
		text = after
		blank++
	}
	line, after, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(line)
	pad := strings.Repeat("\n", blank+1)
	switch {
	case strings.HasPrefix(line, "%%"):
		name, arg, _ := strings.Cut(line[2:], " ")
		return invocation{name, pad + strings.TrimSpace(arg) + after}, "", true
	case strings.HasPrefix(line, "%"):
		name, arg, _ := strings.Cut(line[1:], " ")
		return invocation{name, strings.TrimSpace(arg)}, pad + after, true
	case strings.HasPrefix(line, "?"):
		return invocation{"?" + help(line), strings.Trim(line, "? ")}, pad + after, true
	case strings.HasSuffix(line, "?") && !strings.ContainsAny(line, "\"`/'"):
		return invocation{"?" + help(line), strings.Trim(line, "? ")}, pad + after, true
	}
	return invocation{}, "", false
}

// help is empty for ?, and ? for ??.
func help(line string) string {
	if strings.HasPrefix(line, "??") || strings.HasSuffix(line, "??") {
		return "?"
	}
	return ""
}

func (s *Session) magic(ctx context.Context, n int, m invocation) ([]Value, *Error) {
	if strings.HasPrefix(m.name, "?") {
		if m.arg == "" {
			return s.helpMagic(ctx, n, "")
		}
		s.mu.Lock()
		text, ok := s.describe(m.arg, len(m.arg), m.name == "??")
		s.mu.Unlock()
		if !ok {
			return nil, usage("nothing is known of %s", m.arg)
		}
		return textValue(text), nil
	}
	for _, row := range magics {
		if row.name == m.name {
			return row.run(s, ctx, n, m.arg)
		}
	}
	return nil, usage("there is no %%%s; %%help lists what there is", m.name)
}

func usage(format string, args ...any) *Error {
	return &Error{Name: "UsageError", Value: fmt.Sprintf(format, args...)}
}

func textValue(text string) []Value {
	return []Value{{Text: text, Bundle: display.Text(text)}}
}

func (s *Session) helpMagic(context.Context, int, string) ([]Value, *Error) {
	var b strings.Builder
	b.WriteString("Cells are Go; on tensors also x[1:, ::2], a @ b, a < 0 and x.Sum(dim=0).\n" +
		"?name, name? and name.Method? describe, name?? shows the source. Out[n], _n and _ are what was shown.\n")
	for _, m := range magics {
		fmt.Fprintf(&b, "%%%-20s %s\n", strings.TrimSpace(m.name+" "+m.args), m.doc)
	}
	return textValue(strings.TrimRight(b.String(), "\n")), nil
}

func (s *Session) timeMagic(ctx context.Context, n int, arg string) ([]Value, *Error) {
	start := time.Now()
	vals, err := s.evalGo(ctx, s.cellName(n), arg)
	if err == nil {
		vals = append(vals, textValue("took "+short(time.Since(start)))...)
	}
	return vals, err
}

func (s *Session) timeitMagic(ctx context.Context, n int, arg string) ([]Value, *Error) {
	arg = strings.TrimSpace(arg)
	if arg == "" {
		return nil, usage("%%timeit STATEMENT")
	}
	name := s.cellName(n)
	last := s.last // the loops are not what %go is to show
	defer func() {
		s.mu.Lock()
		s.last = last
		s.mu.Unlock()
	}()
	text := func(loops int, body string) string {
		return fmt.Sprintf("for range %d { %s }", loops, body)
	}
	body := "_ = " + arg
	if _, err := s.evalGo(ctx, name, text(1, body)); err != nil {
		body = arg // no value
		if _, err := s.evalGo(ctx, name, text(1, body)); err != nil {
			return nil, err
		}
	}
	loops := 1
	var took time.Duration
	for {
		start := time.Now()
		if _, err := s.evalGo(ctx, name, text(loops, body)); err != nil {
			return nil, err
		}
		if took = time.Since(start); took > 20*time.Millisecond || loops >= 1e7 {
			break
		}
		loops *= 5
	}
	const runs = 7
	var times []float64
	for range runs {
		start := time.Now()
		if _, err := s.evalGo(ctx, name, text(loops, body)); err != nil {
			return nil, err
		}
		times = append(times, time.Since(start).Seconds()/float64(loops))
	}
	mean, dev := 0.0, 0.0
	for _, t := range times {
		mean += t / runs
	}
	for _, t := range times {
		dev += (t - mean) * (t - mean) / runs
	}
	d := func(sec float64) string { return short(time.Duration(sec * 1e9)) }
	return textValue(fmt.Sprintf("%s ± %s per loop (mean ± deviation of %d runs of %d)", d(mean), d(math.Sqrt(dev)), runs, loops)), nil
}

// short writes a duration with three digits.
func short(d time.Duration) string {
	unit := time.Nanosecond
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}

func (s *Session) goMagic(context.Context, int, string) ([]Value, *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		return nil, usage("no cell has been run yet")
	}
	return textValue(strings.TrimRight(s.last.Go(), "\n")), nil
}

func (s *Session) whoMagic(context.Context, int, string) ([]Value, *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var rows [][3]string
	for _, d := range s.env.Names() {
		if outName.MatchString(d.Name) || d.Name == "In" || d.Name == "Out" {
			continue
		}
		rows = append(rows, [3]string{d.Name, s.typeOf(d), s.summary(d)})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i][0] < rows[j][0] })
	if len(rows) == 0 {
		return textValue("no names have been defined yet"), nil
	}
	w := [2]int{}
	for _, r := range rows {
		w[0], w[1] = max(w[0], len(r[0])), max(w[1], len(r[1]))
	}
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-*s  %-*s  %s", w[0], r[0], w[1], r[1], r[2]), " ") + "\n")
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
	text := strings.ReplaceAll(fmt.Sprint(v.Interface()), "\n", " ")
	if r := []rune(text); len(r) > 40 {
		text = string(r[:39]) + "…"
	}
	return text
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

func (s *Session) resetMagic(context.Context, int, string) ([]Value, *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.env.Names() {
		if sym, ok := d.Engine.(*lower.Symbol); ok && sym.Slot != nil && !sym.Captured {
			reflect.ValueOf(sym.Slot).Elem().SetZero()
		}
		s.env.Forget(d.Name)
	}
	s.outs = outs{}
	return nil, nil
}
