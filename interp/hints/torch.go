package hints

import (
	_ "embed"
	"path"
	"strings"
	"sync"

	"gotorch/interp/check"
)

// Note: PyTorch's names. Torch answers for every public name of PyTorch. Rules find most counterparts, because Go's
// name is PyTorch's in another case. The table torch_names.txt has those with another name, and for the rest one
// sentence on why there is none. A test asks for all names that PyTorch 1.13 has.

//go:embed torch_names.txt
var torchText string

// torchRow is what the table says of a name: a counterpart, or a sentence with {} for the name.
type torchRow struct {
	goName, say string
	first       bool // it goes before what the rules find
}

// torchModule is the rows of a module: by name, and by pattern in their order.
type torchModule struct {
	exact    map[string]torchRow
	patterns []string
	rows     []torchRow
}

// find returns the row of a name.
func (m *torchModule) find(name string) (torchRow, bool) {
	if m == nil {
		return torchRow{}, false
	}
	if r, ok := m.exact[name]; ok {
		return r, true
	}
	for i, p := range m.patterns {
		if ok, _ := path.Match(p, name); ok {
			return m.rows[i], true
		}
	}
	return torchRow{}, false
}

var torchTable = sync.OnceValue(func() map[string]*torchModule {
	table := map[string]*torchModule{}
	var in *torchModule
	var waiting []string // names whose sentence follows
	for line := range strings.Lines(torchText) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			in = &torchModule{exact: map[string]torchRow{}}
			table[strings.Trim(line, "[]")] = in
		case line[0] == ' ':
			for _, name := range waiting {
				name, first := strings.CutPrefix(name, "!")
				row := torchRow{say: strings.TrimSpace(line), first: first || isUpper(name) && in == table["."]}
				if strings.Contains(name, "*") {
					in.patterns, in.rows = append(in.patterns, name), append(in.rows, row)
				} else {
					in.exact[name] = row
				}
			}
			waiting = nil
		default:
			for _, word := range strings.Fields(line) {
				if name, goName, ok := strings.Cut(word, "="); ok {
					in.exact[strings.TrimPrefix(name, "!")] = torchRow{goName: goName, first: true}
				} else {
					waiting = append(waiting, word)
				}
			}
		}
	}
	return table
})

func isUpper(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// Torch says what a name of PyTorch's, such as torch.optim.Adam, is here: Go's name, or one sentence on what to write
// or why there is no counterpart. It is not ok where nothing is known of it.
func (n Names) Torch(full string) (goName, say string, ok bool) {
	below := torchPath(full)
	if below == "" || n.Env.Lookup("torch") != nil {
		return "", "", false
	}
	module, name := ".", below
	if i := strings.LastIndexByte(below, '.'); i >= 0 {
		module, name = below[:i], below[i+1:]
	}
	row, inTable := torchTable()[module].find(name)
	if !inTable && module != "." {
		row, inTable = torchTable()["."].exact[name]
	}
	said := func() (string, string, bool) { return row.goName, strings.ReplaceAll(row.say, "{}", full), true }
	if inTable && row.first {
		return said()
	}
	for _, p := range paths {
		if below == p.name {
			return "", full + " here: " + p.say, true
		}
	}
	if got := inModule(n, module, name); got != "" {
		return got, "", true
	}
	if got := n.byRule(module, name); got != "" {
		return got, "", true
	}
	if inTable {
		return said()
	}
	if base, found := strings.CutSuffix(name, "_copy"); found {
		if got := n.byRule(module, base); got != "" {
			return "", full + " is a copy of a view: " + got + " and then Clone.", true
		}
	}
	if base, found := strings.CutSuffix(name, "_"); found {
		if got := n.byRule(module, base); got != "" {
			return "", full + " has no form here that writes in place: x.Copy_(y) writes the result y of " + got +
				" into x.", true
		}
	}
	if first, _, found := strings.Cut(module, "."); found || torchTable()[module] == nil { // torch.cuda.is_available
		if row, ok := torchTable()["."].find(first); ok && row.say != "" {
			return "", strings.ReplaceAll(row.say, "{}", full), true
		}
	}
	return "", "", false
}

// byRule is Go's name of one of PyTorch's functions or methods, which is the same in another case.
func (n Names) byRule(module, name string) string {
	full := "torch." + name
	switch module {
	case ".", "Tensor", "nn.functional":
	case "linalg", "fft", "special":
		full = "torch." + module + "." + name
	default:
		return ""
	}
	d, ok := check.Describe(n.Env, full, len(full))
	if !ok || d.Path != check.TensorPath {
		return ""
	}
	return d.Name
}
