package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor/opdef"
)

// operators writes the variable of each operator.
func operators(sigs []*opdef.Sig) *bytes.Buffer {
	b := new(bytes.Buffer)
	fmt.Fprintf(b,
		"package tensor\n\n// operators has a place for each row of the table.\nvar operators [%d]Op\n\nvar (\n", len(sigs))
	for i, s := range sigs {
		fmt.Fprintf(b, "op%s = &operators[%d]\n", s.OpName(), i)
	}
	b.WriteString(")\n")
	return b
}

// parsedTable writes the rows as they are parsed, in a form that the compiler lays out as data.
func parsedTable(sigs []*opdef.Sig) *bytes.Buffer {
	var types []string // each list of types once
	params := func(ps []opdef.Param) string {
		var list []string
		for _, p := range ps {
			text := fmt.Sprintf("%#v", p.Types)
			at := slices.Index(types, text)
			if at < 0 {
				at = len(types)
				types = append(types, text)
			}
			f := fields{{"Name", p.Name}, {"Optional", p.Optional}, {"HasDef", p.HasDef}, {"Default", p.Default},
				{"KwOnly", p.KwOnly}}
			list = append(list, fmt.Sprintf("{Types: types%d%s}", at, f))
		}
		return "[]Param{" + strings.Join(list, ", ") + "}"
	}
	rows := new(bytes.Buffer)
	for _, s := range sigs {
		f := fields{{"Overload", s.Overload}, {"Tags", uint32(s.Tags)}, {"Doc", s.Doc}, {"Example", s.Example},
			{"Schema", s.Schema}, {"goName", s.GoName()}}
		fmt.Fprintf(rows, "{Name: %q%s,\nParams: %s, Rets: %s},\n", s.Name, f, params(s.Params), params(s.Rets))
	}
	b := new(bytes.Buffer)
	b.WriteString("package opdef\n\nvar (\n")
	for i, text := range types {
		fmt.Fprintf(b, "types%d = %s\n", i, strings.ReplaceAll(text, "opdef.", ""))
	}
	fmt.Fprintf(b, ")\n\nvar signatures = [...]Sig{\n%s}\n", rows)
	return b
}

// fields writes those fields of a struct that are not zero.
type fields []struct {
	name  string
	value any
}

func (f fields) String() string {
	var b strings.Builder
	for _, x := range f {
		if x.value != "" && x.value != false && x.value != uint32(0) {
			fmt.Fprintf(&b, ", %s: %#v", x.name, x.value)
		}
	}
	return b.String()
}
