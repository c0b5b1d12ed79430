package disk

import (
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// root is the module that decides on versions: the one around the working directory, or around a folder that was
// imported. Its dir is "" where no go.mod is: then a module's newest version in the cache is taken.
type root struct {
	dir, path string
	file      *modfile.File
	versions  map[string]string // module path → version
	replaced  map[string]module.Version
}

// rootOf returns the module that a folder is in.
func (l *Loader) rootOf(dir string) (*root, error) {
	at := goModAbove(dir)
	if r := l.roots[at]; r != nil {
		return r, nil
	}
	r := &root{dir: at, replaced: map[string]module.Version{}}
	if at != "" {
		name := filepath.Join(at, "go.mod")
		text, err := readFile(name)
		if err != nil {
			return nil, err
		}
		if r.file, err = modfile.ParseLax(name, text, nil); err != nil {
			return nil, err
		}
		if full, err := modfile.Parse(name, text, nil); err == nil { // Lax leaves replacements out
			r.file = full
		}
		if r.file.Module == nil {
			return nil, fmt.Errorf("%s names no module", name)
		}
		r.path = r.file.Module.Mod.Path
		for _, x := range r.file.Replace {
			r.replaced[key(x.Old)] = x.New
		}
		r.build()
	}
	l.roots[at] = r
	return r, nil
}

// goModAbove is the folder of the nearest go.mod, "" for none.
func goModAbove(dir string) string {
	for {
		if fi, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && fi.Mode().IsRegular() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

func key(m module.Version) string { return m.Path + "@" + m.Version }

func modulePath(text []byte) string { return modfile.ModulePath(text) }

// required lists the modules that a go.mod names.
func required(text []byte) (paths []string) {
	f, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil {
		return nil
	}
	for _, r := range f.Require {
		paths = append(paths, r.Mod.Path)
	}
	return paths
}

// build finds the version of each module. Since Go 1.17 a go.mod lists all; before, those that modules require in turn
// count too, each with the highest version that anyone asks for.
func (r *root) build() {
	r.versions = map[string]string{}
	todo := r.file.Require
	full := r.file.Go != nil && semver.Compare("v"+r.file.Go.Version, "v1.17") >= 0
	for len(todo) > 0 {
		q := todo[0].Mod
		todo = todo[1:]
		if semver.Compare(q.Version, r.versions[q.Path]) <= 0 {
			continue
		}
		r.versions[q.Path] = q.Version
		if full {
			continue
		}
		if text, err := readFile(r.goMod(q)); err == nil {
			if f, err := modfile.ParseLax("go.mod", text, nil); err == nil {
				todo = append(todo, f.Require...)
			}
		}
	}
}

// replacement is what go.mod puts in a module's place.
func (r *root) replacement(m module.Version) (module.Version, bool) {
	if to, ok := r.replaced[key(m)]; ok {
		return to, true
	}
	to, ok := r.replaced[key(module.Version{Path: m.Path})]
	return to, ok
}

// goMod is the file with what a module requires.
func (r *root) goMod(m module.Version) string {
	if to, ok := r.replacement(m); ok {
		if to.Version == "" {
			return filepath.Join(r.local(to.Path), "go.mod")
		}
		m = to
	}
	p, err1 := module.EscapePath(m.Path)
	v, err2 := module.EscapeVersion(m.Version)
	if err1 != nil || err2 != nil {
		return ""
	}
	return filepath.Join(cache(), "cache", "download", filepath.FromSlash(p), "@v", v+".mod")
}

func (r *root) local(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(r.dir, filepath.FromSlash(p))
}

// folder is where a module's files lie.
func (r *root) folder(m module.Version) (string, error) {
	if to, ok := r.replacement(m); ok {
		if to.Version == "" {
			return r.local(to.Path), nil
		}
		m = to
	}
	p, err := module.EscapePath(m.Path)
	if err != nil {
		return "", err
	}
	v, err := module.EscapeVersion(m.Version)
	if err != nil {
		return "", err
	}
	return filepath.Join(cache(), filepath.FromSlash(p)+"@"+v), nil
}

// moduleOf finds the module that has a package, and its folder: that with the longest path.
func (r *root) moduleOf(p string) (m module.Version, dir string, err error) {
	for path := p; path != "." && path != ""; path = parent(path) {
		v := r.versions[path]
		_, replaced := r.replaced[key(module.Version{Path: path})]
		if r.dir == "" {
			v = newest(path)
		}
		if v == "" && !replaced {
			continue
		}
		m = module.Version{Path: path, Version: v}
		if dir, err = r.folder(m); err != nil {
			return m, "", err
		}
		rel, _ := below(path, p)
		if _, err := os.Stat(dir); err != nil {
			return m, "", fmt.Errorf("module %s is not in the module cache: go mod download %s fetches it", m, m.Path)
		}
		if hasGo(filepath.Join(dir, filepath.FromSlash(rel))) {
			return m, dir, nil
		}
	}
	switch {
	case m.Path != "":
		return m, "", fmt.Errorf("package %s: module %s has no such package", p, m)
	case r.dir == "":
		return m, "", fmt.Errorf("package %s is in no module of the module cache (%s): "+
			"go get in a folder with a go.mod fetches one", p, cache())
	}
	return m, "", fmt.Errorf("package %s is in no module that %s requires: go get %s adds it",
		p, filepath.Join(r.dir, "go.mod"), p)
}

func parent(p string) string {
	i := strings.LastIndexByte(p, '/')
	return p[:max(i, 0)]
}

// newest is the highest version of a module in the cache, "" for none.
func newest(p string) (v string) {
	escaped, err := module.EscapePath(p)
	if err != nil {
		return ""
	}
	at := filepath.Join(cache(), filepath.FromSlash(escaped)) + "@"
	dirs, _ := filepath.Glob(escapeGlob(at) + "*")
	for _, d := range dirs {
		u, err := module.UnescapeVersion(strings.TrimPrefix(d, at))
		if err == nil && (v == "" || semver.Compare(u, v) > 0) {
			v = u
		}
	}
	return v
}

// cache is the folder of the module cache, as the go command chooses it.
func cache() string {
	if dir := setting("GOMODCACHE"); dir != "" {
		return dir
	}
	list := filepath.SplitList(build.Default.GOPATH)
	if dir := setting("GOPATH"); dir != "" {
		list = filepath.SplitList(dir)
	}
	if len(list) == 0 {
		return ""
	}
	return filepath.Join(list[0], "pkg", "mod")
}

// setting is one of the go command's, from the environment or its file.
func setting(name string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	file := os.Getenv("GOENV")
	if file == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		file = filepath.Join(dir, "go", "env")
	}
	text, _ := readFile(file)
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
			return v
		}
	}
	return ""
}

// cached reports whether a folder is in the module cache.
func (r *root) cached(dir string) bool {
	rel, err := filepath.Rel(cache(), dir)
	return err == nil && filepath.IsLocal(rel)
}

// pathOf is the import path of a folder: by its module, or else the folder itself.
func (r *root) pathOf(dir string) string {
	if r.dir != "" {
		if rel, err := filepath.Rel(r.dir, dir); err == nil && filepath.IsLocal(rel) {
			return strings.TrimSuffix(r.path+"/"+filepath.ToSlash(rel), "/.")
		}
	}
	return filepath.ToSlash(dir)
}
