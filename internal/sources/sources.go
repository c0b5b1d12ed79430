// Package sources has the text of the packages that operators are made of, so that a user can read it at the prompt
// without a copy of the repository: where an operator's row, shape rule, kernel, formula, body and tests are, and what
// stands there.
//
// The generated methods and functions by which operators are called, and the declarations of kernels in assembly, are
// there as text, and not in the index.
//
//	sources.go    the archive: text of a file
//	index.go      functions, and what is registered under a name, found by parsing the files
//	tests.go      the tests of each operator
//
// The archive is generated. A test compares it with the files.
package sources

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
)

// The positions of tests are in the archive too, so it is written after all other generated files.
//
//go:generate go run gotorch/internal/gen/sources -o data_gen.zip

//go:embed data_gen.zip
var data []byte

var files = sync.OnceValue(func() map[string]*zip.File {
	m := map[string]*zip.File{}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		panic("sources: " + err.Error()) // the embedded file is broken
	}
	for _, f := range z.File {
		m[f.Name] = f
	}
	return m
})

// Read returns the text of a file by its path in the repository, "tensor/plan.go"; false where the archive does not
// have it.
func Read(file string) (string, bool) {
	f := files()[file]
	if f == nil {
		return "", false
	}
	r, err := f.Open()
	if err != nil {
		return "", false
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), err == nil
}

// Files lists the files of a directory, "tensor", by name.
func Files(dir string) (list []string) {
	for name := range files() {
		if path.Dir(name) == dir && strings.HasSuffix(name, ".go") {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Size is the number of bytes that the archive takes in the program.
func Size() int { return len(data) }

// Named finds the path of a file in the archive from the path that the compiler noted, which depends on where and how
// the program was built.
func Named(compiled string) (string, bool) {
	name := strings.ReplaceAll(compiled, `\`, "/")
	for {
		if files()[name] != nil {
			return name, true
		}
		i := strings.IndexByte(name, '/')
		if i < 0 {
			return "", false
		}
		name = name[i+1:]
	}
}
