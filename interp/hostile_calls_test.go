package interp

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gotorch/interp/std/packages"
	"gotorch/interp/symbols"
)

// Note: hostile calls
//
// What cells can call is known by its type, and so are arguments that are hostile to it: values that are deep or hold
// themselves, sizes beyond memory, functions that panic, block or write to what is walked through, readers that never
// end. A call is made from a number: FuzzCalls looks for those that end the process or block it. Calls are made in the
// restricted mode, which refuses the functions that would harm the machine.

// hostilePrelude has what the arguments of hostile calls are made of.
const hostilePrelude = `type Node struct { Next *Node; M map[string]any; L []any }
type Bad struct{ N int }
func (Bad) Error() string { panic("Error") }
func (Bad) Read(p []byte) (int, error) { for i := range p { p[i] = '[' }; return len(p), nil }
func (Bad) Write(p []byte) (int, error) { panic("Write") }
func (Bad) Len() int { return 1 << 40 }
func (Bad) Less(i, j int) bool { return true }
func (Bad) Swap(i, j int) {}
func (Bad) Push(any) {}
func (Bad) Pop() any { panic("Pop") }
func (Bad) ReadByte() (byte, error) { return '{', nil }
func (Bad) ReadRune() (rune, int, error) { return '(', 1, nil }
func (Bad) UnreadRune() error { return nil }
func (Bad) UnreadByte() error { return nil }
func (Bad) MarshalText() ([]byte, error) { panic("MarshalText") }
func (Bad) UnmarshalText([]byte) error { panic("UnmarshalText") }
func (b *Bad) Seek(int64, int) (int64, error) { select {} }
var _loop, _deep = &Node{}, any(nil)
_loop.Next = _loop; _loop.L = []any{_loop}; _loop.M = map[string]any{"m": _loop}
var _self = []any{nil}
_self[0] = _self
var _map = map[string]any{"a": 1}
_map["m"] = _map
var _far = Ones(1).Expand(1 << 45)`

// hostileDeep makes the deep value deeper, as far as it comes in the time of a cell.
const hostileDeep = "for i := 0; i < 500000; i++ { _deep = []any{_deep} }"

// hostileCalls makes calls from the names of all packages.
type hostileCalls struct {
	all []called
}

type called struct {
	path, name string // a function's, or that of a method's type
	method     string
	t          reflect.Type // of the function; of a method, with the receiver
}

func newHostileCalls() *hostileCalls {
	c := &hostileCalls{}
	for _, p := range packages.All {
		if slices.Contains([]string{"os", "os/exec", "testing", "runtime", "net/http", "net/http/httptest"},
			p.Path) {
			continue
		}
		pkg, ok := symbols.Lookup(p.Path)
		if !ok {
			continue
		}
		for name, v := range pkg.Symbols() {
			switch {
			case !v.IsValid() || strings.ContainsAny(name, "[_"):
			case v.Kind() == reflect.Func:
				c.all = append(c.all, called{p.Path, name, "", v.Type()})
			case v.Kind() == reflect.Pointer && v.IsNil() && v.Type().Elem().Kind() != reflect.Interface:
				for i := range v.Type().NumMethod() {
					m := v.Type().Method(i)
					c.all = append(c.all, called{p.Path, name, m.Name, m.Type})
				}
			}
		}
	}
	slices.SortFunc(c.all, func(a, b called) int {
		return strings.Compare(a.path+"."+a.name+"."+a.method, b.path+"."+b.name+"."+b.method)
	})
	return c
}

// cell is the call that belongs to a number.
func (c *hostileCalls) cell(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	f := c.all[r.IntN(len(c.all))]
	pkg, _ := symbols.Lookup(f.path)
	var args []string
	for i := range f.t.NumIn() {
		if f.method != "" && i == 0 {
			continue
		}
		t := f.t.In(i)
		if f.t.IsVariadic() && i == f.t.NumIn()-1 {
			for range r.IntN(3) {
				args = append(args, hostileArg(r, t.Elem(), 0))
			}
			break
		}
		args = append(args, hostileArg(r, t, 0))
	}
	fun := pkg.Name + "." + f.name
	if f.method != "" {
		fun = "(" + hostileArg(r, f.t.In(0), 1) + ")." + f.method
	}
	return fmt.Sprintf("import %q\n%s(%s)", f.path, fun, strings.Join(args, ", "))
}

var bigInts = []string{"-1", "0", "1", "3", "1 << 20", "1 << 40", "1<<62 + 1", "-1 << 63"}

// hostileArg writes an argument.
func hostileArg(r *rand.Rand, t reflect.Type, depth int) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	name := strings.ReplaceAll(t.String(), "interface {}", "any")
	if strings.Contains(name, "struct {") || strings.Contains(name, "·") || depth > 3 {
		return "nil"
	}
	if name == "*tensor.Tensor" {
		return pick("Ones(2, 3)", "_far", "Empty(0)", "Ones(1 << 22)", "_far.T()", "Ones(3, requires_grad=true)",
			"Zeros(2, 3, 4, 5)", "Ones(2, dtype=Complex64)", "Arange(5)", "Ones(1).Expand(1<<20, 1<<20)")
	}
	switch t.Kind() {
	case reflect.Bool:
		return pick("true", "false")
	case reflect.Int, reflect.Int64:
		return fmt.Sprintf("%s(%s)", name, pick(bigInts...))
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return fmt.Sprintf("%s(%s)", name, pick("0", "1", "1<<40", "1<<63"))
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return fmt.Sprintf("%s(%s)", name, pick("0", "1", "100", "127"))
	case reflect.Float32, reflect.Float64:
		return fmt.Sprintf("%s(%s)", name, pick("0", "-1", "1e300*1e-290", "math.NaN()", "math.Inf(1)"))
	case reflect.Complex64, reflect.Complex128:
		return fmt.Sprintf("%s(%s)", name, pick("0", "1i"))
	case reflect.String:
		return fmt.Sprintf("%s(%s)", name, pick(`""`, `"a"`, `strings.Repeat("(", 1<<22)`, `strings.Repeat("a", 1<<28)`,
			`"%1000000000d"`, `strings.Repeat("<a>", 1<<20)`, `strings.Repeat("[", 1<<22)`, `"/dev/zero"`,
			`"/proc/self/mem"`, `"."`, `"\x00\xff"`))
	case reflect.Func:
		return hostileFunc(r, t, name)
	case reflect.Slice:
		elem := strings.TrimPrefix(name, "[]")
		if !strings.HasPrefix(name, "[]") {
			return name + "(nil)"
		}
		switch r.IntN(4) {
		case 0:
			return "nil"
		case 1:
			return fmt.Sprintf("make(%s, 1<<22)", name)
		}
		return fmt.Sprintf("[]%s{%s, %s}", elem, hostileArg(r, t.Elem(), depth+1), hostileArg(r, t.Elem(), depth+1))
	case reflect.Map:
		return pick("nil", name+"{}")
	case reflect.Chan:
		return pick("nil", fmt.Sprintf("make(%s)", strings.TrimPrefix(name, "<-")))
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct && depth < 2 && r.IntN(4) > 0 {
			return fmt.Sprintf("new(%s)", strings.TrimPrefix(name, "*"))
		}
		return fmt.Sprintf("(%s)(nil)", name)
	case reflect.Interface:
		switch {
		case t.NumMethod() == 0:
			return pick("_deep", "_loop", "_self", "_map", "Bad{}", "nil", "_far", "func() { panic(1) }", "&_map", "&_self",
				"make(chan int)", "[]any{_loop, _map}", "1 << 60", `"a"`, "reflect.ValueOf(_loop)", "map[any]any{1: _self}")
		case reflect.TypeFor[*os.File]().Implements(t) || name == "error":
			return pick("Bad{}", "&Bad{}", "nil", "bytes.NewReader(make([]byte, 1<<22))", "io.Discard", "os.Stdin",
				`strings.NewReader("[[[[")`)
		}
		return pick("nil", "&Bad{}")
	}
	return fmt.Sprintf("*new(%s)", name)
}

// hostileFunc writes a function that panics, blocks, writes to what is walked through, or does nothing.
func hostileFunc(r *rand.Rand, t reflect.Type, name string) string {
	if !strings.HasPrefix(name, "func(") {
		return "nil"
	}
	var params, results, zeros []string
	for i := range t.NumIn() {
		p := strings.ReplaceAll(t.In(i).String(), "interface {}", "any")
		if t.IsVariadic() && i == t.NumIn()-1 {
			p = "..." + strings.TrimPrefix(p, "[]")
		}
		params = append(params, fmt.Sprintf("p%d %s", i, p))
	}
	for i := range t.NumOut() {
		o := strings.ReplaceAll(t.Out(i).String(), "interface {}", "any")
		results, zeros = append(results, o), append(zeros, fmt.Sprintf("*new(%s)", o))
	}
	body := []string{"panic(Bad{})", "select {}", `_self = append(_self, 1); _map["x"] = 2; delete(_map, "a")`,
		"", "for {}", "runtime.Goexit()", "go func() { panic(1) }()", "panic(nil)"}[r.IntN(8)]
	return fmt.Sprintf("func(%s) (%s) { %s; return %s }", strings.Join(params, ", "), strings.Join(results, ", "), body,
		strings.Join(zeros, ", "))
}

// hostileCaller is the process in which hostile calls are made.
type hostileCaller struct {
	*child
	calls *hostileCalls
}

// begin starts the process and runs the prelude.
func (h *hostileCaller) begin(t *testing.T) {
	t.Helper()
	h.child = startChild(t, "safe")
	for _, src := range []string{hostilePrelude, hostileDeep} {
		if fault, said, _ := h.run(src); fault != "" || said != "" && src != hostileDeep {
			t.Fatalf("the prelude: %s %s", fault, said)
		}
	}
}

// call makes the call that belongs to a number; after a fault it starts another process.
func (h *hostileCaller) call(t *testing.T, seed uint64) {
	src := h.calls.cell(seed)
	fault, said, peak := h.run(src)
	if strings.Contains(said, "InternalError") {
		fault = said
	}
	if peak > budget*5/4+overhead {
		fault += fmt.Sprintf(" it took %d MB", peak>>20)
	}
	if testing.Verbose() && os.Getenv("GOTORCH_FUZZ") != "" {
		t.Logf("%d: %.300q: %.100q", seed, src, said)
	}
	if fault != "" {
		t.Errorf("%d: %.600s\n%.1500s", seed, src, fault)
	}
	if fault != "" || peak > budget/2 {
		h.end()
		h.begin(t)
	}
}

func newHostileCaller(t *testing.T) *hostileCaller {
	if runtime.GOOS == "windows" {
		t.Skip("the process gives up rights as unix does")
	}
	h := &hostileCaller{calls: newHostileCalls()}
	h.begin(t)
	return h
}

// FuzzCalls makes hostile calls: none ends the process or blocks it.
func FuzzCalls(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(seed)
	}
	var h *hostileCaller
	f.Cleanup(func() {
		if h != nil {
			h.end()
		}
	})
	f.Fuzz(func(t *testing.T, seed uint64) {
		if testing.Short() {
			t.Skip("it starts a process")
		}
		if h == nil {
			h = newHostileCaller(t)
		}
		h.call(t, seed)
	})
}

// TestCalls makes hostile calls for as long as GOTORCH_FUZZ says, without the slow build that go test -fuzz needs.
func TestCalls(t *testing.T) {
	d, err := time.ParseDuration(os.Getenv("GOTORCH_FUZZ"))
	if err != nil {
		t.Skip("GOTORCH_FUZZ=20m makes hostile calls for so long")
	}
	h := newHostileCaller(t)
	defer func() { h.end() }()
	seed := uint64(time.Now().UnixNano())
	for start := time.Now(); time.Since(start) < d; seed++ {
		h.call(t, seed)
	}
}
