package std

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
	"gotorch/interp/std/packages"
	"gotorch/interp/symbols"
	"gotorch/interp/task"
)

// idle runs nothing.
type idle struct{}

func (idle) Exit(string)                            {}
func (idle) Child(_ *task.Streams, f func()) func() { return f }
func (idle) GoroutineCount() int                    { return 0 }
func (idle) Report(any)                             {}

// TestPackages holds the rows of the table of packages, and the patches, against the packages.
func TestPackages(t *testing.T) {
	e := env.New(idle{}, rt.New())
	defer e.Close()
	patched := maps.Clone(patches)
	for _, p := range packages.All {
		host, ok := symbols.Lookup(p.Path)
		if !ok {
			t.Errorf("%s: no symbols; run go generate ./interp/symbols", p.Path)
			continue
		}
		before := host.Symbols()
		_, names, _ := Package(e, p.Path)
		for name := range names {
			if !before[name].IsValid() {
				t.Errorf("%s has no %s, which a patch sets", p.Path, name)
			}
		}
		has := func(what, name string) {
			typ, method, isMethod := strings.Cut(name, ".")
			v, ok := before[typ]
			if ok && isMethod {
				t := v.Type().Elem()
				if t.Kind() != reflect.Interface {
					t = reflect.PointerTo(t)
				}
				_, ok = t.MethodByName(method)
				ok = ok || method == "*"
			}
			if !ok {
				t.Errorf("%s has no %s, which is listed as %s", p.Path, name, what)
			}
		}
		for _, name := range p.Blocking {
			has("blocking", name)
		}
		for name := range patches[p.Path].Methods {
			has("patched", name)
		}
		delete(patched, p.Path)
		if _, ok := packages.Generic(p.Path); ok != p.Generic {
			t.Errorf("%s: its row says Generic: %v, and a source is there: %v", p.Path, p.Generic, ok)
		}
	}
	for path := range patched {
		t.Errorf("%s has a patch and no row", path)
	}
	files, err := os.ReadDir("packages/generic")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".go.txt")
		if !slices.ContainsFunc(packages.All, func(p packages.Package) bool {
			return p.Generic &&
				strings.ReplaceAll(p.Path, "/", "_") == name
		}) {
			t.Errorf("packages/generic/%s belongs to no row", f.Name())
		}
	}
}
