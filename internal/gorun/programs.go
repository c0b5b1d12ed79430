package main

import (
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"gotorch/interp/std/packages"
)

// program is a file that Go's test driver would compile and run.
type program struct {
	path string // below the directory of all
	text string
	want string // what it prints
}

// programs finds those that count, by path, and counts the others by their reason.
func programs(dir string, only *regexp.Regexp) (all []program, left map[string]int, err error) {
	left = map[string]int{}
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".go" {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		path, err := filepath.Rel(dir, file)
		if err != nil || !only.MatchString(path) {
			return err
		}
		text := string(data)
		header, _, _ := strings.Cut(text, "\n")
		if strings.TrimSpace(header) != "// run" {
			return nil
		}
		if why := leftOut(file, text); why != "" {
			left[why]++
			return nil
		}
		out, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		all = append(all, program{path, text, string(out)})
		return nil
	})
	return all, left, err
}

// available are the packages that cells have.
var available = map[string]bool{}

func init() {
	for _, p := range packages.All {
		available[p.Path] = true
	}
}

// leftOut says why a program does not count; it is empty for one that does.
func leftOut(file, text string) string {
	for line := range strings.Lines(text) {
		if x, err := constraint.Parse(strings.TrimSpace(line)); err == nil && !x.Eval(holds) {
			return "for another system or with another tag"
		}
		if strings.HasPrefix(line, "package ") {
			break
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
	if err != nil {
		return "" // the program shows what is wrong with it
	}
	for _, s := range f.Imports {
		if p, err := strconv.Unquote(s.Path.Value); err == nil && !available[p] {
			return "imports " + p + ", which cells do not have"
		}
	}
	return ""
}

// holds reports whether a build tag is set for a program of this machine.
func holds(tag string) bool {
	switch tag {
	case runtime.GOOS, runtime.GOARCH, "gc":
		return true
	case "unix":
		return runtime.GOOS != "windows"
	}
	return strings.HasPrefix(tag, "go1.")
}
