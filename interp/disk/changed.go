package disk

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gotorch/interp/check"
)

// stamp tells whether the files of a folder are those that were read.
type stamp map[string]struct {
	size int64
	time time.Time
}

func stampOf(dir string) stamp {
	s := stamp{}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		fi, err := os.Stat(filepath.Join(dir, e.Name())) // of what a link points to
		if err != nil || fi.IsDir() || !strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		s[e.Name()] = struct {
			size int64
			time time.Time
		}{fi.Size(), fi.ModTime()}
	}
	return s
}

// names are the files' names, sorted.
func (s stamp) names() []string { return slices.Sorted(maps.Keys(s)) }

// Changed lists the packages, in no order, whose files are no longer those that were read. Those of the module cache
// never change.
func (l *Loader) Changed() (list []*check.Package) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for dir, p := range l.byDir {
		if !p.root.cached(dir) && !maps.Equal(p.stamp, stampOf(dir)) {
			list = append(list, p.Package)
		}
	}
	return list
}

// Reload reads packages again, and those that import them. It returns the new packages beside what they were; with an
// error nothing has changed.
func (l *Loader) Reload(list []*check.Package) (fresh, old []*check.Package, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	again := map[*check.Package]bool{}
	for _, p := range list {
		again[p] = true
	}
	for more := true; more; {
		more = false
		for _, p := range l.byDir {
			if !again[p.Package] && slices.ContainsFunc(p.Imports, func(q *check.Package) bool { return again[q] }) {
				again[p.Package], more = true, true
			}
		}
	}
	before := maps.Clone(l.byDir)
	r := &reading{Loader: l, old: map[string]*check.Package{}}
	clear(l.roots) // go.mod may be another
	for p := range again {
		delete(l.byDir, p.Dir)
		r.old[p.Dir] = p
	}
	dirs := slices.Sorted(maps.Keys(r.old))
	for _, p := range list { // the error of a package that changed comes before those of what imports it
		dirs = append([]string{p.Dir}, dirs...)
	}
	for _, dir := range dirs {
		if _, err := r.load(dir, importer{dir: dir}); err != nil {
			for _, now := range l.byDir {
				if before[now.Dir] != now {
					delete(l.defs, now.Pkg)
				}
			}
			l.byDir = before
			return nil, nil, err
		}
	}
	for dir, p := range r.old {
		fresh, old = append(fresh, l.byDir[dir].Package), append(old, p)
	}
	return fresh, old, nil
}
