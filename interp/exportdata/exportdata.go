// Package exportdata gives the types and the documentation of the packages that
// cells can import, without a Go toolchain: the generator embeds the Go
// compiler's export data of each.
package exportdata

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
)

// The operators' methods are generated first: go generate goes by the names of
// packages, and their types are what is read here.
//
//go:generate go generate gotorch/tensor
//go:generate go run gotorch/internal/gen/exportdata -o data_gen.zip

//go:embed data_gen.zip
var data []byte

var files = sync.OnceValue(func() map[string]*zip.File {
	m := map[string]*zip.File{}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		panic("exportdata: " + err.Error()) // the embedded file is broken
	}
	for _, f := range z.File {
		m[f.Name] = f
	}
	return m
})

func read(name string) ([]byte, error) {
	f := files()[name]
	if f == nil {
		return nil, fmt.Errorf("%s is not there", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b := make([]byte, f.UncompressedSize64)
	_, err = io.ReadFull(r, b)
	return b, err
}

// Version is the Go release that the data was made with.
func Version() string {
	b, _ := read("version")
	return string(b)
}

// Paths returns the import paths of all packages, sorted.
func Paths() []string {
	var ps []string
	for name := range files() {
		if p, ok := strings.CutPrefix(name, "types/"); ok {
			ps = append(ps, p)
		}
	}
	slices.Sort(ps)
	return ps
}

// more are packages beside the embedded ones; only a build for tests has some.
var more = map[string]*types.Package{}

// Has reports whether a package is there.
func Has(path string) bool { return files()["types/"+path] != nil || more[path] != nil }

// Importer is a types.Importer over the embedded packages. A package is read
// when it is first asked for. It is safe for concurrent use.
type Importer struct {
	mu   sync.Mutex
	pkgs map[string]*types.Package
	docs map[string]map[string]string
}

// NewImporter makes an importer that has read nothing yet.
func NewImporter() *Importer {
	return &Importer{pkgs: map[string]*types.Package{}, docs: map[string]map[string]string{}}
}

// Import returns the package with that path, the same one every time.
func (m *Importer) Import(path string) (p *types.Package, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := more[path]; p != nil {
		return p, nil
	}
	if p := m.pkgs[path]; p != nil && p.Complete() {
		return p, nil
	}
	b, err := read("types/" + path)
	if err != nil {
		return nil, fmt.Errorf("package %s is not available in this session", path)
	}
	return gcexportdata.Read(bytes.NewReader(b), token.NewFileSet(), m.pkgs, path)
}

// Doc returns the documentation of an exported name of a package: "Println",
// "Tensor.Sum" for a method or a field, "" for the package itself.
func (m *Importer) Doc(path, name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, ok := m.docs[path]
	if !ok {
		if b, err := read("docs/" + path); err == nil {
			json.Unmarshal(b, &d)
		}
		m.docs[path] = d
	}
	return d[name]
}
