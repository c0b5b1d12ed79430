package disk

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// found is where a package lies.
type found struct {
	dir, path string
	shown     string // the folder as messages name it
	root      *root
}

func unquoted(s string) string {
	s, _ = strconv.Unquote(s)
	return s
}

// find returns where the package of an import path lies.
func (r *reading) find(p string, by importer) (f found, err error) {
	if !relative(p) && !filepath.IsAbs(p) {
		return r.findModule(p, by)
	}
	if by.root != nil && by.root.cached(by.dir) {
		return f, fmt.Errorf("import %q: packages of the module cache have no relative imports", p)
	}
	f.dir = filepath.FromSlash(p)
	if !filepath.IsAbs(f.dir) {
		f.dir = filepath.Join(by.dir, f.dir)
	}
	if f.root, err = r.rootOf(f.dir); err != nil {
		return f, err
	}
	f.path, f.shown = f.root.pathOf(f.dir), r.shown(f.dir)
	if _, err := os.Stat(f.dir); err != nil {
		return f, fmt.Errorf("there is no folder %s", f.dir)
	}
	return f, nil
}

func relative(p string) bool {
	return p == "." || p == ".." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../")
}

// shown is a folder as messages name it: from the working directory, where it is below.
func (l *Loader) shown(dir string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, dir); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return dir
}

// findModule finds a package by the path of its module.
func (r *reading) findModule(p string, by importer) (f found, err error) {
	if inStandard(p) {
		if hasGo(filepath.Join(by.dir, filepath.FromSlash(p))) {
			return f, fmt.Errorf("there is no package %s, and a folder: import \"./%s\" imports that", p, p)
		}
		return f, fmt.Errorf("package %s is not available in this session", p)
	}
	if by.root == nil {
		if by.root, err = r.rootOf(by.dir); err != nil {
			return f, err
		}
	}
	if err := internal(p, by); err != nil {
		return f, err
	}
	f.path, f.root = p, by.root
	if by.root.dir != "" {
		if rel, ok := below(by.root.path, p); ok {
			f.dir = filepath.Join(by.root.dir, rel)
			f.shown = r.shown(f.dir)
			if !hasGo(f.dir) {
				return f, fmt.Errorf("package %s: there is no Go in %s", p, f.shown)
			}
			return f, nil
		}
		if dir := filepath.Join(by.root.dir, "vendor", filepath.FromSlash(p)); hasGo(dir) {
			f.dir, f.shown = dir, r.shown(dir)
			return f, nil
		}
	}
	mod, dir, err := by.root.moduleOf(p)
	if err != nil {
		return f, err
	}
	rel, _ := below(mod.Path, p)
	f.dir = filepath.Join(dir, rel)
	if f.shown = r.shown(f.dir); f.shown == f.dir && mod.Version != "" {
		f.shown = path.Join(mod.Path+"@"+mod.Version, filepath.ToSlash(rel))
	}
	if !hasGo(f.dir) {
		return f, fmt.Errorf("package %s: module %s has no such package", p, mod)
	}
	return f, nil
}

// inStandard reports whether an import path is of the form that only the standard library has.
func inStandard(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".") && !localModule(p)
}

// localModule: a module may be called what the standard library could be; then its go.mod is found above the working
// directory.
func localModule(p string) bool {
	dir, err := os.Getwd()
	if err != nil {
		return false
	}
	at := goModAbove(dir)
	if at == "" {
		return false
	}
	text, err := readFile(filepath.Join(at, "go.mod"))
	if err != nil {
		return false
	}
	for _, m := range append(required(text), modulePath(text)) {
		if _, ok := below(m, p); ok && m != "" {
			return true
		}
	}
	return false
}

// internal reports an error for a package inside of a folder internal, for those outside of the folder around.
func internal(p string, by importer) error {
	i := strings.LastIndex("/"+p+"/", "/internal/")
	if i < 0 {
		return nil
	}
	parent := strings.TrimSuffix(p[:max(i-1, 0)], "/")
	from := by.path
	if from == "" && by.root != nil {
		from = by.root.pathOf(by.dir)
	}
	if _, ok := below(parent, from); ok {
		return nil
	}
	return fmt.Errorf("package %s is internal: only packages in %s may import it", p, parent)
}

// below returns what is left of a path after that of a module or folder that it is in.
func below(parent, p string) (rel string, ok bool) {
	if parent == "" {
		return p, false
	}
	if p == parent {
		return "", true
	}
	return strings.CutPrefix(p, parent+"/")
}

// hasGo reports whether a folder has Go files.
func hasGo(dir string) bool {
	names, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "*.go"))
	return len(names) > 0
}

func escapeGlob(s string) string {
	return strings.NewReplacer(`[`, `\[`, `*`, `\*`, `?`, `\?`).Replace(s)
}
