package main

import (
	"bytes"
	"fmt"
	"go/format"
	"go/types"
	"slices"
	"strings"

	"gotorch/internal/module"
)

// Note: which arguments are guarded is decided by their types, for all functions and methods that cells can call. An
// argument of type any, or of reflect.Value, may be followed to its end. A map is read or written. A function may be
// called any number of times. An int is the number of elements to make if its name says so, and the function returns
// something with elements, or fills its receiver. Tables have what is known not to be so.

// stores are packages and functions that keep a value of any type and do not look into it, and those that guard
// themselves.
var stores = []string{
	"container/", "fmt.", "errors.", "gotorch/visualize/display.", "sync.Pool.", "sync/atomic.Value.Store",
	"sync/atomic.Value.Swap", "context.WithCancelCause", "runtime.KeepAlive", "runtime.SetFinalizer", "reflect.TypeOf",
	"reflect.ValueOf", "reflect.Indirect", "reflect.Append", "reflect.AppendSlice", "reflect.Copy", "reflect.Zero",
	"reflect.New", "reflect.NewAt", "reflect.Value.Send", "reflect.Value.TrySend", "reflect.Value.Call",
	"reflect.MapIter.", "reflect.Swapper", "runtime.Pinner.", "sort.", "flag.",
}

// hashing are those that compare or hash a value and do not follow its pointers.
var hashing = []string{
	"sync.Map.", "sync/atomic.Value.", "context.WithValue", "hash/maphash.", "reflect.Value.Equal",
	"reflect.Value.Comparable", "reflect.Value.MapIndex", "reflect.Value.SetMapIndex",
}

// mapValues are methods of reflection that use a map which they stand for.
var mapValues = map[string]string{
	"reflect.Value.MapKeys": "reads", "reflect.Value.MapIndex": "reads", "reflect.Value.MapRange": "copies",
	"reflect.Value.Seq": "copies", "reflect.Value.Seq2": "copies", "reflect.Value.SetMapIndex": "writes",
	"reflect.Value.Clear": "writes",
}

// filling write into the values that they are given, maps in them too.
var filling = []string{"Unmarshal", "Decode", "DecodeElement", "DecodeValue"}

// detecting follow values and find out by themselves that one holds itself; comparing do so with all fields.
var detecting, comparing = []string{"encoding/json.", "gotorch/visualize/display.JSON"}, []string{"reflect.DeepEqual"}

// printing write values as fmt does.
var printing = []string{"log.", "text/template.", "html/template.", "gotorch/visualize/widgets.", "testing."}

// readers are methods of maps that do not write them.
var readers = []string{"Get", "Has", "Encode", "Values", "Clone", "Write", "WriteSubset", "AddressList", "Date",
	"String"}

// texts turn their first argument into a string or a list that is many times as long.
var texts = map[string][]string{
	"doubles": {"encoding/hex.EncodeToString", "strings.ToUpper", "strings.ToLower", "strings.ToValidUTF8",
		"strings.Title",
		"bytes.ToUpper", "bytes.ToLower", "bytes.Clone", "strings.Clone", "encoding/json.Valid", "bytes.Title",
		"bytes.ToTitle", "strings.ToTitle", "bytes.ToValidUTF8", "strconv.Unquote", "net/url.PathUnescape",
		"net/url.QueryUnescape", "encoding/hex.DecodeString", "encoding/base32.Encoding.EncodeToString",
		"encoding/base32.Encoding.DecodeString", "encoding/base64.Encoding.EncodeToString",
		"encoding/base64.Encoding.DecodeString",
		// their errors have a copy of the text, and quote it
		"strconv.Atoi", "strconv.ParseBool", "strconv.ParseInt", "strconv.ParseUint", "strconv.ParseFloat",
		"strconv.ParseComplex", "time.Parse", "time.ParseInLocation", "time.ParseDuration", "net/url.Parse",
		"net/url.ParseRequestURI"},
	"swells": {"strconv.Quote", "strconv.QuoteToASCII", "strconv.QuoteToGraphic", "html.EscapeString",
		"html.UnescapeString", "net/url.QueryEscape", "net/url.PathEscape", "encoding/hex.Dump", "bytes.Runes",
		"regexp.QuoteMeta", "text/template.HTMLEscapeString", "text/template.JSEscapeString", "unicode/utf16.Decode"},
	"splits": {"strings.Split", "strings.SplitN", "strings.SplitAfter", "strings.SplitAfterN", "strings.Fields",
		"strings.FieldsFunc", "bytes.Split", "bytes.SplitN", "bytes.SplitAfter", "bytes.SplitAfterN", "bytes.Fields",
		"bytes.FieldsFunc", "unicode/utf16.Encode"},
}

// walkers are the packages whose functions walk through texts and lists of numbers to their end.
var walkers = []string{
	"bytes.", "crypto/", "encoding/", "go/", "gonum.org/", "hash/", "html.", "math/big.", "mime.", "net/url.", "path.",
	"regexp.", "sort.", "strconv.", "strings.", "text/", "unicode/", "path/filepath.", "compress/", "image/",
}

// brief are functions of those packages that look at a few bytes, or stop at the first that is wrong.
var brief = []string{
	"strings.HasPrefix", "strings.HasSuffix", "strings.CutPrefix", "strings.CutSuffix", "strings.New",
	"strings.TrimPrefix",
	"strings.TrimSuffix", "bytes.HasPrefix", "bytes.HasSuffix", "bytes.CutPrefix", "bytes.CutSuffix", "bytes.New",
	"bytes.TrimPrefix", "bytes.TrimSuffix", "bytes.Lines", "strings.Lines", "strings.SplitSeq", "strings.SplitAfterSeq",
	"strings.FieldsSeq", "bytes.SplitSeq", "bytes.SplitAfterSeq", "bytes.FieldsSeq", "unicode/utf8.Decode",
	"unicode/utf8.FullRune", "unicode/utf8.EncodeRune", "unicode/utf8.AppendRune", "unicode/utf16.AppendRune",
	"strconv.Parse", "strconv.Atoi", "strconv.AppendBool", "strconv.AppendFloat", "strconv.AppendInt",
	"strconv.AppendUint", "strconv.AppendQuoteRune", "encoding/json.New", "encoding/hex.New", "path/filepath.Glob",
	"path/filepath.EvalSymlinks", "path/filepath.Abs", "sort.Search", "go/ast.", "go/token.", "net/url.User",
}

// unchanged are types with methods that do not change their receivers.
var unchanged = []string{"encoding/base32.Encoding.", "encoding/base64.Encoding."}

// parsers read text by recursion.
var parsers = []string{"text/template.Template.Parse", "regexp.Compile", "regexp.MustCompile"}

// limits take a number for the most of something, and make no more than there is.
var limits = []string{
	"strings.Split", "strings.Replace", "bytes.Split", "bytes.Replace", "bytes.Buffer.Next", "bytes.Buffer.Truncate",
	"bytes.Buffer.Peek", "bufio.Reader.Peek", "regexp.", "container/ring.Ring.", "os.File.", "math/big.Int.",
	"math/rand.Rand.Shuffle", "math/rand/v2.Rand.Shuffle", "reflect.Value.SetLen", "reflect.Value.SetCap",
	"gotorch/tensor.",
}

// sizes are the names that say that a number is one of elements.
var sizes = []string{"n", "size", "len", "cap", "count", "newcap", "prec", "width", "bits", "minLength"}

// boundary writes interp/std/boundary_gen.go.
func boundary(offered []*types.Package) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Code generated by internal/gen/symbols. DO NOT EDIT.\n\npackage std\n\n" +
		"// boundary are the arguments that are checked before compiled code has them, by package and function.\n" +
		"var boundary = map[string]map[string][]guarded{\n")
	ops := operatorNames()
	for _, pkg := range offered {
		var rows []string
		add := func(name string, f *types.Func) {
			if module.Has(pkg.Path()) && ops[name] || f.Signature().TypeParams().Len() > 0 {
				return
			}
			if list := guards(pkg.Path()+"."+name, f.Signature()); list != "" {
				rows = append(rows, fmt.Sprintf("%q: {%s},\n", name, list))
			}
		}
		scope := pkg.Scope()
		for _, name := range scope.Names() {
			switch o := scope.Lookup(name).(type) {
			case *types.Func:
				if o.Exported() {
					add(name, o)
				}
			case *types.TypeName:
				n, ok := o.Type().(*types.Named)
				if !ok || !o.Exported() || types.IsInterface(n) || n.TypeParams().Len() > 0 {
					continue
				}
				for m := range n.Methods() {
					if m.Exported() {
						add(name+"."+m.Name(), m)
					}
				}
			}
		}
		if len(rows) > 0 {
			slices.Sort(rows)
			fmt.Fprintf(&b, "%q: {\n%s},\n", pkg.Path(), strings.Join(rows, ""))
		}
	}
	b.WriteString("}\n")
	return format.Source(b.Bytes())
}

// guards lists the guarded arguments of a function.
func guards(name string, sig *types.Signature) string {
	in := func(list []string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(name, s) })
	}
	text := ""
	for what, names := range texts {
		if slices.Contains(names, name) {
			text = fmt.Sprintf("{%s, 0}", what)
		}
	}
	reflectSet := strings.HasPrefix(name, "reflect.Value.Set") && name != "reflect.Value.SetMapIndex"
	var list []string
	if r := sig.Recv(); r != nil && isMap(r.Type()) {
		list = append(list, fmt.Sprintf("{%s, -1}", uses(name)))
	}
	if how, ok := mapValues[name]; ok {
		list = append(list, fmt.Sprintf("{%s, -1}", how))
	}
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		switch {
		case name == "reflect.MapIter.Reset":
			list = append(list, fmt.Sprintf("{copies, %d}", i))
		case in(parsers) && types.Identical(p.Type(), types.Typ[types.String]):
			list = append(list, fmt.Sprintf("{parses, %d}", i))
		case isMap(p.Type()):
			list = append(list, fmt.Sprintf("{%s, %d}", uses(name), i))
		case sig.Recv() == nil && isFunc(p.Type()) && !module.Has(name[:strings.Index(name, ".")]):
			list = append(list, fmt.Sprintf("{calls, %d}", i))
		case (!in(stores) || in(detecting)) && !reflectSet && followed(p.Type()):
			how := "encodes"
			switch {
			case slices.Contains(filling, name[strings.LastIndex(name, ".")+1:]):
				how = "fills"
			case in(hashing):
				how = "hashes"
			case in(comparing):
				how = "compares"
			case in(detecting):
				how = "detects"
			case in(printing):
				how = "prints"
			}
			list = append(list, fmt.Sprintf("{%s, %d}", how, i))
		case !in(limits) && isSize(p, sig):
			list = append(list, fmt.Sprintf("{counts, %d}", i))
		}
	}
	if text != "" {
		list = []string{text}
	}
	if (sig.Recv() == nil || in(unchanged)) && in(walkers) && !in(brief) && !callsBack(sig) {
		for i := range sig.Params().Len() {
			if isLong(sig.Params().At(i).Type()) && !slices.ContainsFunc(list, follows) {
				list = append(list, fmt.Sprintf("{walks, %d}", i))
			}
		}
	}
	return strings.Join(list, ", ")
}

// follows reports whether an argument may have methods of cells, which run in place.
func follows(guard string) bool {
	kind, _, _ := strings.Cut(guard[1:], ",")
	return kind == "encodes" || kind == "detects" || kind == "fills"
}

// isLong reports whether values of a type are texts, or lists of texts or numbers.
func isLong(t types.Type) bool {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()&types.IsString != 0
	}
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	if b, ok := s.Elem().Underlying().(*types.Basic); ok {
		return b.Info()&(types.IsNumeric|types.IsString) != 0
	}
	return isLong(s.Elem())
}

// callsBack reports whether a function receives or returns functions: these run in place.
func callsBack(sig *types.Signature) bool {
	for _, list := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range list.Variables() {
			if isFunc(v.Type()) {
				return true
			}
		}
	}
	return false
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// uses says what a function does with a map.
func uses(name string) string {
	if module.Has(name[:strings.Index(name, ".")]) || slices.Contains(readers, name[strings.LastIndex(name, ".")+1:]) {
		return "reads"
	}
	return "writes"
}

func followed(t types.Type) bool {
	if s, ok := t.(*types.Slice); ok { // what a variadic function has
		t = s.Elem()
	}
	t = types.Unalias(t) // package tensor has names for any
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name() == "Value" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "reflect"
	}
	it, ok := t.Underlying().(*types.Interface)
	return ok && it.NumMethods() == 0 && it.NumEmbeddeds() == 0
}

func isSize(p *types.Var, sig *types.Signature) bool {
	if n, ok := p.Type().(*types.Named); ok && n.Obj().Name() == "Rectangle" && sig.Recv() == nil {
		return makes(sig)
	}
	b, ok := types.Unalias(p.Type()).(*types.Basic)
	if !ok || b.Kind() != types.Int && b.Kind() != types.Uint || !slices.Contains(sizes, p.Name()) {
		return false
	}
	return makes(sig) || sig.Recv() != nil && sig.Results().Len() == 0
}

// makes reports whether a function returns something with elements.
func makes(sig *types.Signature) bool {
	for r := range sig.Results().Variables() {
		switch t := r.Type().Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return true
		case *types.Basic:
			if t.Kind() == types.String {
				return true
			}
		}
	}
	return false
}
