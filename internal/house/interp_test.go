package house

import (
	"bytes"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// interpImports says which packages of interp each package of interp may import. Package interp itself joins them all.
var interpImports = map[string][]string{
	"core":       nil, // the language between lower and the engine
	"syntax":     nil,
	"exportdata": nil,
	"allow":      nil, // the names that the restricted mode allows
	"symbols":    nil, // generated tables of host packages
	"check":      {"exportdata", "syntax"},
	"disk":       {"check", "exportdata", "syntax"}, // packages from disk
	"export":     {"check", "syntax"},
	"rt":         {"symbols", "task"},
	"task":       nil, // what runs cells, as host packages see it

	"std/packages": nil, // what cells can import
	"std/env":      {"rt", "task"},
	"std/encoding": {"rt"},
	"std/json":     {"rt", "std/encoding", "std/env"},
	"std/gob":      {"rt", "std/encoding", "std/env"},
	"std/xml":      {"rt", "std/encoding", "std/env"},
	"std/log":      {"rt", "std/env"},
	"std/slog":     {"rt", "std/encoding", "std/env", "std/log"},
	"std/exec":     {"rt", "std/env", "task"},
	"std/http":     {"std/env", "task"},
	"std": {"rt", "std/env", "std/exec", "std/gob", "std/http", "std/json", "std/log", "std/packages", "std/slog",
		"std/xml", "symbols", "task"},

	"lower":  {"check", "core", "rt", "std/packages", "symbols"},              // no engine
	"split":  {"syntax"},                                                      // cells and files into their parts
	"values": {"check", "lower", "rt", "yaegi"},                               // what variables hold
	"result": {"syntax"},                                                      // what a cell ends with
	"hints":  {"check", "exportdata", "result", "split", "syntax", "values"},  // for users who come from Python
	"learn":  {"result"},                                                      // lessons; no engine and no session
	"shell":  {"check", "learn", "result", "rt", "split", "syntax", "values"}, // commands; no engine and no session

	"internal/celltest": {"result"}, // what tests of cells share

	"yaegi/quick": nil,
	"yaegi":       {"core", "rt", "std", "std/env", "task", "yaegi/quick"},
}

func TestInterpImports(t *testing.T) {
	const interp = "gotorch/interp/"
	for _, p := range packages(t) {
		name, ok := strings.CutPrefix(p.ImportPath, interp)
		if !ok {
			continue
		}
		may, ok := interpImports[name]
		if !ok {
			t.Errorf("%s has no row in interpImports", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			if other, ok := strings.CutPrefix(imp, interp); ok && !slices.Contains(may, other) {
				t.Errorf("%s must not import %s", p.ImportPath, imp)
			}
		}
	}
}

// TestOneImportsYaegi: one package knows the interpreter that cells run on.
func TestOneImportsYaegi(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath == "gotorch/interp/yaegi" {
			continue
		}
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, "github.com/traefik/yaegi") {
				t.Errorf("%s imports %s; only gotorch/interp/yaegi may", p.ImportPath, imp)
			}
		}
	}
}

// unsafeIn are the folders and files that may import package unsafe.
var unsafeIn = []string{
	"tensor", "backends", "internal/gemm", "internal/parallel", "internal/simd",
	"internal/hugepages",        // advises the system about memory
	"interp/yaegi/private.go",   // reads and writes structs that the interpreter does not export
	"interp/yaegi/quick",        // so do its steps, wherever they run: an accessor between would cost what they save
	"interp/std/heap_object.go", // calls a function of the runtime: see the note in finalizer.go
	"internal/confine",          // hands its filter to the kernel
	"internal/conformance",      // makes storages of recorded bytes, as a backend does
}

func TestUnsafe(t *testing.T) {
	handWritten(t, func(name string, text []byte) {
		rel, _ := filepath.Rel(root, name)
		rel = filepath.ToSlash(rel)
		if strings.HasSuffix(rel, "_test.go") || !bytes.Contains(text, []byte(`"unsafe"`)) {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range f.Imports {
			path, _ := strconv.Unquote(imp.Path.Value)
			if path == "unsafe" && !slices.ContainsFunc(unsafeIn, func(in string) bool {
				return rel == in || strings.HasPrefix(rel, in+"/")
			}) {
				t.Errorf("%s imports unsafe", rel)
			}
		}
	})
}

// most is how many Go files, tests and generated ones left out, a package may have. The packages of larger have more.
const most = 40

var larger = []string{"tensor", "backends/cpu", "internal/simd", "autograd", "visualize"}

func TestPackagesStaySmall(t *testing.T) {
	n := map[string]int{}
	handWritten(t, func(name string, text []byte) {
		rel, _ := filepath.Rel(root, name)
		if !strings.HasSuffix(rel, "_test.go") {
			n[filepath.ToSlash(filepath.Dir(rel))]++
		}
	})
	for dir, files := range n {
		if files > most && !slices.Contains(larger, dir) {
			t.Errorf("%s has %d files: something in it wants a package of its own", dir, files)
		}
	}
}
