package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"gotorch/internal/module"
	"gotorch/tensor/opdef"
)

// mark is the line in the comment of a declaration of package tensor that is for backends, autograd and tools, and not
// for users at a prompt.
const mark = "//gotorch:internal"

// internalNames writes the exported names of package tensor whose declarations have the mark, and the functions of
// overloads that users call under the name of another, as a table of package check, which offers them only where
// nothing else is meant.
func internalNames(sigs []*opdef.Sig) *bytes.Buffer {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", module.Path+"/tensor").Output()
	if err != nil {
		log.Fatal("go list: ", err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "*.go"))
	if err != nil {
		log.Fatal(err)
	}
	var names []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_gen.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			log.Fatal(err)
		}
		for _, d := range f.Decls {
			names = append(names, marked(d)...)
		}
	}
	made := functions(sigs).Bytes()
	for _, s := range sigs {
		if s.IsPrivate() && s.Overload != "" && s.Name[0] != '_' && bytes.Contains(made, []byte("\nfunc "+s.GoName()+"(")) {
			names = append(names, s.GoName())
		}
	}
	slices.Sort(names)
	var b bytes.Buffer
	b.WriteString("package check\n\n// internalNames are the exported names of package tensor that are marked " + mark +
		".\nvar internalNames = map[string]bool{\n")
	for _, name := range slices.Compact(names) { // a name may be declared once for each system
		fmt.Fprintf(&b, "%q: true,\n", name)
	}
	b.WriteString("}\n")
	return &b
}

// marked are the exported names of a declaration that has the mark, or whose specification has it.
func marked(d ast.Decl) (names []string) {
	add := func(docs []*ast.CommentGroup, ids ...*ast.Ident) {
		if !slices.ContainsFunc(docs, hasMark) {
			return
		}
		for _, id := range ids {
			if id.IsExported() {
				names = append(names, id.Name)
			}
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			add([]*ast.CommentGroup{d.Doc}, d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				add([]*ast.CommentGroup{d.Doc, s.Doc}, s.Name)
			case *ast.ValueSpec:
				add([]*ast.CommentGroup{d.Doc, s.Doc}, s.Names...)
			}
		}
	}
	return names
}

func hasMark(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return c.Text == mark })
}
