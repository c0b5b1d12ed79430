package disk

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"gotorch/interp/check"
)

// Module is a module that packages were read from, as a program that imports them names it.
type Module struct {
	module.Version
	Dir      string // where it lies, if it is no module of the cache
	Requires []module.Version
	Replaces []*modfile.Replace // with full paths
}

// Modules lists the modules of the packages that were read.
func (l *Loader) Modules() (list []Module) {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := map[string]bool{}
	for _, p := range l.byDir {
		r := p.root
		m := Module{Version: module.Version{Path: r.path}, Dir: r.dir}
		if r.dir == "" {
			if !r.cached(p.Dir) {
				continue
			}
			var err error
			if m.Version, _, err = r.moduleOf(p.Path); err != nil {
				continue
			}
		} else {
			for _, q := range r.file.Require {
				m.Requires = append(m.Requires, q.Mod)
			}
			for _, x := range r.file.Replace {
				if x.New.Version == "" {
					x = &modfile.Replace{Old: x.Old, New: module.Version{Path: r.local(x.New.Path)}}
				}
				m.Replaces = append(m.Replaces, x)
			}
		}
		if !seen[m.Path] {
			seen[m.Path] = true
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// Loose lists the packages that were read and are in no module.
func (l *Loader) Loose() (list []*check.Package) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for dir, p := range l.byDir {
		if p.root.dir == "" && !p.root.cached(dir) {
			list = append(list, p.Package)
		}
	}
	slices.SortFunc(list, func(a, b *check.Package) int { return strings.Compare(a.Dir, b.Dir) })
	return list
}

// Text returns a file of a package with other import paths.
func (l *Loader) Text(s *check.Source, dir string, path func(string) string) string {
	text := s.Text.Src
	for _, spec := range slices.Backward(s.Tree.Imports) {
		p := unquoted(spec.Path.Value)
		if !relative(p) {
			continue
		}
		at := l.Fset.Position(spec.Path.Pos()).Offset
		full := filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(p)))
		text = text[:at] + `"` + path(full) + `"` + text[at+len(spec.Path.Value):]
	}
	return text
}
