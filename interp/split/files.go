package split

import (
	"bufio"
	"bytes"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"gotorch/internal/ipynb"
	"gotorch/internal/lazyre"
	"gotorch/interp/syntax"
)

// FileCell is a cell of a file.
type FileCell struct {
	Src  string
	Skip int // the lines of the file before it
}

// Text is the part with empty lines in place of those before it, so that messages have the file's own line numbers.
func (p FileCell) Text() string { return strings.Repeat("\n", p.Skip) + p.Src }

// File splits a file into cells: the code cells of a notebook; a program (package main) into what it declares and a
// call of main, a file of another package into what it declares; at lines "// %%" where there are such; else as the
// prompt would take it, a line, and more where one is not whole: see [Lines].
func File(name string, text []byte, whole func(src string) bool) ([]FileCell, error) {
	if err := IsText(text); err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch {
	case filepath.Ext(name) == ".ipynb":
		return notebookParts(text)
	case IsFile(text):
		declares, ok := declarations(string(text))
		if !ok {
			return nil, errors.New("the package clause stands where it cannot be found")
		}
		if !isProgram(text) {
			return []FileCell{{Src: declares}}, nil
		}
		return []FileCell{{Src: declares}, {Src: "main()"}}, nil
	case marked.Match(text):
		return marks(string(text)), nil
	}
	var parts []FileCell
	line := 0
	err := Lines(strings.NewReader(string(text)), whole, func(src string, lines int) {
		if strings.TrimSpace(src) != "" {
			parts = append(parts, FileCell{src, line})
		}
		line += lines
	})
	return parts, err
}

// IsText is an error where a file is none that a user wrote.
func IsText(text []byte) error {
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return errors.New("this is no text in UTF-8")
	}
	return nil
}

// packageOf is the name in the package clause that text begins with, "" where there is none.
func packageOf(text []byte) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return f.Name.Name
}

// IsFile reports whether text begins with a package clause, isProgram whether with that of a program.
func IsFile(text []byte) bool    { return packageOf(text) != "" }
func isProgram(text []byte) bool { return packageOf(text) == "main" }

var packageClause = lazyre.New(`(?m)^package\s+\w+[ \t]*;?`)

// declarations is a file of Go with its package clause blanked.
func declarations(file string) (string, bool) {
	at := packageClause.FindIndex([]byte(file))
	if at == nil {
		return "", false
	}
	return file[:at[0]] + strings.Repeat(" ", at[1]-at[0]) + file[at[1]:], true
}

// WholeFile returns the declarations of a cell that is a Go file, which a user pasted; program reports whether it has
// a main to call.
func WholeFile(src string) (declares string, program, ok bool) {
	if !strings.Contains(src, "package") || !IsFile([]byte(src)) {
		return "", false, false
	}
	if declares, ok = declarations(src); !ok {
		return "", false, false
	}
	names := syntax.Defines(declares)
	program = isProgram([]byte(src)) && slices.Contains(names, "main")
	return declares, program, len(names) > 0
}

func notebookParts(text []byte) (parts []FileCell, err error) {
	_, cells, err := ipynb.Parse(text)
	for _, c := range cells {
		if src := ipynb.Source(c); c["cell_type"] == "code" && !ipynb.Skipped(c) && strings.TrimSpace(src) != "" {
			parts = append(parts, FileCell{Src: src})
		}
	}
	return parts, err
}

// marked is the line with which a cell of a file begins.
var marked = lazyre.New(`(?m)^// ?%%.*$`)

// marks splits a file at lines "// %%".
func marks(text string) (parts []FileCell) {
	var src []string
	begin := 0
	flush := func() {
		if cell := strings.Join(src, "\n"); strings.TrimSpace(cell) != "" {
			parts = append(parts, FileCell{cell, begin})
		}
		src = nil
	}
	for i, l := range strings.Split(text, "\n") {
		if marked.MatchString(l) {
			flush()
			begin = i + 1
			continue
		}
		src = append(src, strings.TrimSuffix(l, "\r"))
	}
	flush()
	return parts
}

// Lines splits what is read as the prompt would take it: a line at a time, more lines where one is not yet whole. each
// receives every cell, also those of only spaces, and its number of lines. What begins with a package clause is a file
// of Go, which goes to the end.
func Lines(r io.Reader, whole func(src string) bool, each func(src string, lines int)) error {
	in := bufio.NewReader(r)
	var pending strings.Builder
	for {
		line, err := in.ReadString('\n')
		pending.WriteString(line)
		src := pending.String()
		ends := err != nil
		if !ends && !IsFile([]byte(src)) {
			ends = whole(strings.TrimSuffix(src, "\n"))
		}
		if ends {
			pending.Reset()
			each(strings.TrimRight(src, "\r\n"), strings.Count(src, "\n"))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
