// Package allow says which names of compiled packages cells may use in the restricted mode. names.txt has the decision
// on each name; a name that is not there, or stands there as new, is rejected. The generator of the interpreter's
// symbols keeps the file: it drops names that are gone and adds those that came as new, so that what a release of Go
// adds stays rejected until someone moves it to a line that begins with allow.
//
// A name is that of a function, a variable or a type, and Type.Name for a method or a field. Constants are values and
// are not listed.
package allow

import (
	_ "embed"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"sync"
)

//go:embed names.txt
var text string

// List has a decision for each name of each package.
type List map[string]map[string]Decision

// Decision is what was decided on a name.
type Decision struct {
	Allowed bool
	Why     string // of a name that is rejected; empty for one that is new
}

// Text of the words that a line of names.txt begins with.
const (
	wordPackage = "package "
	wordAllow   = "allow "
	wordNew     = "new "
	wordRefuse  = "refuse "
)

// Parse reads the text of a list.
func Parse(text string) (List, error) {
	l, pkg := List{}, ""
	for i, line := range strings.Split(text, "\n") {
		rest, names := strings.TrimSpace(line), ""
		var d Decision
		switch {
		case rest == "" || rest[0] == '#':
			continue
		case strings.HasPrefix(rest, wordPackage):
			pkg = rest[len(wordPackage):]
			l[pkg] = map[string]Decision{}
			continue
		case strings.HasPrefix(rest, wordAllow):
			d, names = Decision{Allowed: true}, rest[len(wordAllow):]
		case strings.HasPrefix(rest, wordNew):
			names = rest[len(wordNew):]
		case strings.HasPrefix(rest, wordRefuse):
			why, after, ok := strings.Cut(rest[len(wordRefuse):], ": ")
			if !ok {
				return nil, fmt.Errorf("names.txt:%d: a refusal without a reason", i+1)
			}
			d, names = Decision{Why: why}, after
		}
		if names == "" || pkg == "" {
			return nil, fmt.Errorf("names.txt:%d: %q is no line of a list", i+1, line)
		}
		for _, name := range strings.Fields(names) {
			if _, twice := l[pkg][name]; twice {
				return nil, fmt.Errorf("names.txt:%d: %s.%s stands there twice", i+1, pkg, name)
			}
			l[pkg][name] = d
		}
	}
	return l, nil
}

const head = `# What cells may use of compiled packages in the restricted mode (--safe): see package allow. go generate
# ./interp/symbols drops names that are gone and adds names that came, as new; new names are refused. To decide on one,
# move it to a line of its package that begins with allow, or with refuse and the reason, and generate again.
`

// String is the text of a list: packages and names sorted.
func (l List) String() string {
	var b strings.Builder
	b.WriteString(head)
	for _, pkg := range sorted(l) {
		if len(l[pkg]) == 0 {
			continue
		}
		b.WriteString("\n" + wordPackage + pkg + "\n")
		lines := map[string][]string{}
		for _, name := range sorted(l[pkg]) {
			word := wordNew
			if d := l[pkg][name]; d.Allowed {
				word = wordAllow
			} else if d.Why != "" {
				word = wordRefuse + d.Why + ": "
			}
			lines[word] = append(lines[word], name)
		}
		for _, word := range sorted(lines) {
			line := word
			for _, name := range lines[word] {
				if len(line)+len(name) > 117 && line != word {
					b.WriteString(strings.TrimSpace(line) + "\n")
					line = word
				}
				line += name + " "
			}
			b.WriteString(strings.TrimSpace(line) + "\n")
		}
	}
	return b.String()
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Names is the list that the program was built with.
var Names = sync.OnceValue(func() List {
	l, err := Parse(text)
	if err != nil {
		panic(err) // a test reads the file too
	}
	return l
})

// Objects returns the objects of a package that cells can mention, with their names in the list.
func Objects(pkg *types.Package) map[types.Object]string {
	m := map[types.Object]string{}
	add := func(o types.Object, name string) {
		if _, known := m[o]; !known && o.Pkg() == pkg {
			m[o] = name
		}
	}
	for _, name := range pkg.Scope().Names() {
		switch o := pkg.Scope().Lookup(name).(type) {
		case *types.Func, *types.Var:
			if o.Exported() {
				add(o, name)
			}
		case *types.TypeName:
			if o.Exported() {
				add(o, name)
			}
			members(o.Type(), name, add)
		}
	}
	return m
}

// members adds the methods and fields that a type declares itself.
func members(t types.Type, name string, add func(types.Object, string)) {
	if n, ok := t.(*types.Named); ok {
		for i := range n.NumMethods() {
			if m := n.Method(i); m.Exported() {
				add(m, name+"."+m.Name())
			}
		}
		t = n.Underlying()
	}
	switch t := t.(type) {
	case *types.Interface:
		for i := range t.NumExplicitMethods() {
			if m := t.ExplicitMethod(i); m.Exported() {
				add(m, name+"."+m.Name())
			}
		}
	case *types.Struct:
		for i := range t.NumFields() {
			f := t.Field(i)
			if f.Exported() {
				add(f, name+"."+f.Name())
			}
			if _, named := f.Type().(*types.Named); !named {
				members(f.Type(), name+"."+f.Name(), add)
			}
		}
	case *types.Pointer:
		if _, named := t.Elem().(*types.Named); !named {
			members(t.Elem(), name, add)
		}
	case *types.Slice:
		if _, named := t.Elem().(*types.Named); !named {
			members(t.Elem(), name, add)
		}
	}
}
