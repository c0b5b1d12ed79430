package main

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"gotorch/interp/check"
	"gotorch/interp/disk"
)

// looseNames are the import paths in a program of packages that are in no module: folders of the program's own.
type looseNames struct {
	module, base string
}

// of returns the path of the package in a folder.
func (n looseNames) of(dir string) string {
	if !filepath.IsAbs(filepath.FromSlash(dir)) {
		return dir
	}
	return n.module + "/" + n.folder(dir)
}

func (n looseNames) folder(dir string) string {
	if rel, err := filepath.Rel(n.base, filepath.FromSlash(dir)); err == nil && filepath.IsLocal(rel) && rel != "." {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(dir)
}

// copyLoose writes packages that are in no module into the program's folder.
func (e exportCommand) copyLoose(l *disk.Loader, names looseNames) error {
	for _, p := range l.Loose() {
		dir := filepath.Join(e.Dir, filepath.FromSlash(names.folder(p.Dir)))
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		for _, s := range p.Sources {
			if err := writeSource(dir, l, p, s, names); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeSource(dir string, l *disk.Loader, p *check.Package, s *check.Source, names looseNames) error {
	return os.WriteFile(filepath.Join(dir, filepath.Base(s.Text.Name)), []byte(l.Text(s, p.Dir, names.of)), 0o666)
}

// addModules adds the modules that cells import packages of to the program's go.mod, and their sums to its go.sum.
func (e exportCommand) addModules(list []disk.Module) error {
	if len(list) == 0 {
		return nil
	}
	name := filepath.Join(e.Dir, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	f, err := modfile.Parse(name, text, nil)
	if err != nil {
		return err
	}
	has := map[string]string{}
	for _, r := range f.Require {
		has[r.Mod.Path] = r.Mod.Version
	}
	add := func(path, version string, indirect bool) {
		if old, ok := has[path]; !ok {
			f.AddNewRequire(path, version, indirect)
		} else if semver.Compare(version, old) > 0 {
			f.AddRequire(path, version)
		} else {
			return
		}
		has[path] = version
	}
	var sums strings.Builder
	for _, m := range list {
		if m.Dir == "" {
			add(m.Path, m.Version.Version, false)
			continue
		}
		add(m.Path, "v0.0.0", false)
		if err := f.AddReplace(m.Path, "", m.Dir, ""); err != nil {
			return err
		}
		for _, r := range m.Requires {
			add(r.Path, r.Version, true)
		}
		for _, r := range m.Replaces {
			if err := f.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version); err != nil {
				return err
			}
		}
		if text, err := os.ReadFile(filepath.Join(m.Dir, "go.sum")); err == nil {
			sums.Write(text)
		}
	}
	f.Cleanup()
	if text, err = f.Format(); err != nil {
		return err
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		return err
	}
	out, err := os.OpenFile(filepath.Join(e.Dir, "go.sum"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err := out.WriteString(sums.String()); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
