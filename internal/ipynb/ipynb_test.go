package ipynb

import (
	"strings"
	"testing"
)

// notebook is one with these metadata and cells.
func notebook(meta, cells string) string {
	return `{"cells":[` + cells + `],"metadata":{` + meta + `},"nbformat":4,"nbformat_minor":5}`
}

func TestParse(t *testing.T) {
	const cell = `{"cell_type":"code","id":"a","metadata":{},"outputs":[],"execution_count":null,"source":["1+\n","1"]}`
	for _, r := range []struct{ name, text, says string }{
		{"a notebook", notebook("", cell), ""},
		{"a byte order mark", "\ufeff" + notebook("", cell), ""},
		{"space behind it", notebook("", cell) + " \r\n", ""},
		{"Go", notebook(`"kernelspec":{"name":"x","language":"Go"}`, cell), ""},
		{"no cells", notebook("", ""), ""},
		{"raw and unknown cells", notebook("", `{"cell_type":"raw","source":"x"},{"cell_type":"new","x":1},`+cell), ""},

		{"empty", " \n", "the file is empty"},
		{"not UTF-8", strings.Replace(notebook("", cell), "1+", "\xe9", 1), "not UTF-8"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "not UTF-8"},
		{"no JSON", "{\n\"cells\": [}", "line 2: invalid character"},
		{"cut", notebook("", cell)[:90], "line 1: unexpected EOF"},
		{"more behind it", notebook("", cell) + "\nx", "it has ended, and more follows"},
		{"two of them", notebook("", cell) + notebook("", cell), "more follows"},
		{"a list", "[]", "no nbformat"},
		{"null", "null", "no nbformat"},
		{"other JSON", `{"a":1}`, "no nbformat"},
		{"an older one", `{"worksheets":[],"nbformat":3}`, "nbformat 3"},
		{"a newer one", `{"cells":[],"nbformat":5}`, "nbformat 5"},
		{"no list of cells", `{"cells":{},"nbformat":4}`, "no list of cells"},
		{"a cell that is none", notebook("", cell+`,"x"`), "cell 2"},
		{"a number for a text", notebook("", `{"cell_type":"code","source":5}`), "cell 1"},
		{"a number for a line", notebook("", `{"cell_type":"code","source":["a",5]}`), "cell 1"},
		{"Python", notebook(`"kernelspec":{"name":"x","language":"python"}`, cell), "cells are python"},
		{"Python by its language", notebook(`"language_info":{"name":"python"}`, cell), "cells are python"},
	} {
		_, cells, err := Parse([]byte(r.text))
		switch {
		case r.says == "" && err != nil:
			t.Errorf("%s: %v", r.name, err)
		case r.says != "" && (err == nil || !strings.Contains(err.Error(), r.says)):
			t.Errorf("%s: %v, want %q", r.name, err, r.says)
		case err == nil && len(cells) > 0 && Source(cells[len(cells)-1]) != "1+\n1":
			t.Errorf("%s: %q", r.name, cells)
		}
	}
}
