// Package hints tells users who come from Python, the shell or Julia what to write: in place of an error of the check
// (hints.go, with the tables in table.go), and beneath a cell that ran and means something else there (advice.go).
package hints

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
	"gotorch/interp/exportdata"
	"gotorch/interp/split"
	"gotorch/interp/syntax"
)

// Names is what cells have defined.
type Names struct {
	Env  *check.Env
	Safe bool // the session is restricted
}

// Note: hints. Users come from Python, IPython, the shell and Julia, and type what they typed there. All of it is Go
// first: only a line that does not check is compared with the tables of rules, and then one message that says what to
// write replaces the message of Go's grammar and those that follow from it.

// rule is a pattern of another language, and what to write here.
type rule struct {
	line *lazyre.Regexp // the line, or what of it stands at the place of the error
	say  string         // with ${1} for what the expression took
	make func(n Names, m []string) string
}

// hint is what a rule says about a text; "" where it does not match.
func (h rule) hint(n Names, text string) string {
	m := h.line.Re().FindStringSubmatchIndex(text)
	switch {
	case m == nil:
		return ""
	case h.make != nil:
		return h.make(n, h.line.FindStringSubmatch(text))
	}
	return string(h.line.Re().ExpandString(nil, h.say, text, m))
}

// Translate replaces messages about what users of other languages type by what to write here.
func (n Names) Translate(ds syntax.Diagnostics) syntax.Diagnostics {
	for i, d := range ds {
		if say, col := n.hintOf(d); say != "" {
			d.Msg = say
			if col > 0 {
				d.Col = col
			}
			return append(slices.Clone(ds[:i]), d)
		}
		ds[i].Msg = n.nearWords(hintAlone(d.Msg))
	}
	return ds
}

// hintOf is what to say instead of a message, and the column where it is about another place.
func (n Names) hintOf(d syntax.Diagnostic) (say string, col int) {
	if d.Line == 0 || strings.HasPrefix(d.Msg, "Go has no **") { // the check knows that it is a tensor
		return "", 0
	}
	line := strings.TrimSpace(d.Source)
	begin := len(d.Source) - len(strings.TrimLeft(d.Source, " \t")) + 1
	word, _ := split.CutWord(strings.TrimLeft(line, ";"))
	if n.Env.Lookup(word) == nil {
		for _, h := range shellHints {
			if say := h.hint(n, line); say != "" {
				return say, begin
			}
		}
	}
	for _, h := range lineHints {
		if say := h.hint(n, line); say != "" {
			return say, begin
		}
	}
	// Go's grammar takes it nowhere
	if strings.HasPrefix(d.Msg, "expected ") || strings.HasPrefix(d.Msg, "Go's strings") {
		plain := quoted.ReplaceAllString(line, `""`)
		for _, h := range phraseHints {
			if say := h.hint(n, plain); say != "" {
				return say, begin
			}
		}
		if d.Col > 1 && d.Col <= len(d.Source) {
			for _, h := range stringHints {
				if say := h.hint(n, d.Source[d.Col-2:]); say != "" {
					return say, d.Col - 1
				}
			}
		}
	}
	at := d.Source[min(d.Col-1, len(d.Source)):]
	for _, h := range placeHints {
		if say := h.hint(n, at); say != "" {
			return say, 0
		}
	}
	for _, h := range slices.Concat(messageHints, trainingHints) {
		if say := h.hint(n, d.Msg); say != "" {
			return say, 0
		}
	}
	if m := pythonCase.FindStringSubmatch(d.Msg); m != nil && strings.HasPrefix(at, m[1]) &&
		!strings.HasPrefix(at[len(m[1]):], "(") && d.Col > 1 && d.Source[d.Col-2] == '.' {
		return m[1] + " is PyTorch's name: Go's is the method " + m[2] + "()", 0
	}
	if m := noMember.FindStringSubmatch(d.Msg); m != nil {
		if say := cmp.Or(memberHints[m[2]], memberHints[snake(m[2])]); say != "" {
			return strings.ReplaceAll(say, "X", m[1]), 0
		}
	}
	if name, ok := strings.CutPrefix(d.Msg, "undefined: "); ok {
		name, _, _ = strings.Cut(name, " ") // (there is …)
		if say := packageHints[name]; say != "" {
			return "undefined: " + name + ": Go writes " + say, 0
		}
		if say := wordHints[name]; say != "" {
			return "undefined: " + name + ": " + say, 0
		}
		if p := otherPackages[name]; p != "" && strings.HasPrefix(at, name+".") {
			return "undefined: " + name + ": " + n.notForCells(p), 0
		}
	}
	return "", 0
}

var quoted = lazyre.New(`"(?:[^"\\]|\\.)+"`)

var pythonCase = lazyre.New(`^(\w+) is PyTorch's name: Go's is (\w+)$`)

var noMember = lazyre.New(`^(\S+)\.(\w+): a tensor has no \w+`)

var hintInParens = lazyre.New(`^expected (?:the end of the line or ';'|'\]'), found .* \((Go .*)\)$`)

// hintAlone is the hint of a message that says what else the grammar would have taken there, which helps nobody.
func hintAlone(msg string) string {
	if m := hintInParens.FindStringSubmatch(msg); m != nil {
		return m[1]
	}
	return msg
}

var (
	noPackage  = lazyre.New(`^package (\S+) is not available in this session$`)
	noExported = lazyre.New(`^undefined: ([\pL_][\pL\pN_]*\.)([\pL_][\pL\pN_]*)$`)
)

// nearWords adds the names that a user may have meant to a message about a package, or about a name of one.
func (n Names) nearWords(msg string) string {
	var near []string
	if m := noPackage.FindStringSubmatch(msg); m != nil {
		for _, p := range exportdata.Paths() {
			if path.Base(p) == path.Base(m[1]) && p != m[1] {
				near = append(near, `"`+p+`"`)
			}
		}
		if len(near) == 0 {
			return n.notForCells(m[1])
		}
	} else if m := noExported.FindStringSubmatch(msg); m != nil && len(m[2]) > 2 {
		typed := strings.ToLower(m[2])
		var all []string
		for _, c := range check.Complete(n.Env, m[1], len(m[1])).Candidates {
			all = append(all, c.Text)
			if c.Text == "New"+m[2] { // the constructor of a type by PyTorch's name
				near = []string{m[1] + c.Text}
				break
			}
			if strings.Contains(strings.ToLower(c.Text), typed) {
				near = append(near, m[1]+c.Text)
			}
		}
		if len(near) == 0 {
			for _, like := range check.Nearest(all, m[2]) {
				near = append(near, m[1]+like)
			}
		}
	}
	if m := noExported.FindStringSubmatch(msg); m != nil && len(near) == 0 {
		if n := len(check.Complete(n.Env, m[1], len(m[1])).Candidates); n > 0 {
			return fmt.Sprintf("%s (Tab behind %s lists its %d names)", msg, m[1], n)
		}
	}
	if len(near) == 0 || len(near) > 3 {
		return msg
	}
	return msg + " (there is " + strings.Join(near, ", ") + ")"
}

// notForCells says of a package that cells cannot import it, and what to do.
func (n Names) notForCells(name string) string {
	say := "package " + name + " is not available in cells"
	if way, shell := strings.CutPrefix(insteadOf[name], "|"); way != "" && !(shell && n.Safe) {
		return say + ": " + way + "; gotorch-repl export makes a program, which can import it"
	}
	return say + "; a program can import it, which gotorch-repl export makes of them"
}

// pythonPath explains torch.nn.functional.relu and its like.
func pythonPath(n Names, m []string) string {
	name := m[2]
	if say := pathHint(n, m[1]+name); say != "" {
		return say
	}
	if say := pathHints[name]; say != "" {
		return say
	}
	if d, ok := check.Describe(n.Env, "torch."+name, len("torch.")+len(name)); ok && d.Path == check.TensorPath &&
		!strings.Contains(d.Name, ".") {
		return m[1] + name + " is " + d.Name + " here: the names of package tensor stand alone"
	}
	goName, say, _ := n.Torch(m[1] + name)
	if goName != "" {
		return m[1] + name + " is " + goName + " here"
	}
	return say
}

// power is what a ** b is of numbers.
func power(_ Names, m []string) string {
	x := m[1]
	if x == ")" || x == "]" {
		x = "x"
	}
	return "Go has no **: math.Pow(" + x + ", " + m[2] + ") of numbers, x.Pow(" + m[2] + ") of tensors"
}

// juxtaposed is Julia's 2x, where it is no number such as 1e5.
func juxtaposed(_ Names, m []string) string {
	if strings.Trim(m[2][1:], "0123456789") == "" && strings.ContainsAny(m[2][:1], "eEpPi") {
		return ""
	}
	return "Go writes " + m[1] + " * " + m[2]
}

// formatted is an f-string as a call of fmt.Sprintf.
func formatted(_ Names, m []string) string {
	var text strings.Builder
	var args []string
	for rest := m[1]; rest != ""; {
		c := rest[0]
		if c == '{' && !strings.HasPrefix(rest, "{{") {
			expr, spec, after, ok := placed(rest)
			if !ok {
				return "Go has no f-strings: write fmt.Sprintf(\"… %v\", x)"
			}
			args, rest = append(args, expr), after
			text.WriteString(verb(spec))
			continue
		}
		switch {
		case c == '%':
			text.WriteString("%%")
		default:
			text.WriteByte(c)
		}
		if rest = rest[1:]; (c == '{' || c == '}') && rest != "" && rest[0] == c { // {{ is {
			rest = rest[1:]
		}
	}
	return "Go has no f-strings: write " +
		strings.Join(append([]string{`fmt.Sprintf("` + text.String() + `"`}, args...), ", ") + ")"
}

// placed splits what an f-string has in braces at its beginning: {x[:, 0]:.2f} is x[:, 0] and .2f.
func placed(s string) (expr, spec, after string, ok bool) {
	depth, colon := 0, 0
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case c == '}' && depth == 0:
			if colon == 0 {
				expr = s[1:i]
			} else {
				expr, spec = s[1:colon], s[colon+1:i]
			}
			expr, _ = strings.CutSuffix(strings.TrimSpace(expr), "=") // {x=}
			for _, conversion := range []string{"!r", "!s"} {
				expr = strings.TrimSuffix(expr, conversion)
			}
			return strings.TrimSpace(expr), spec, s[i+1:], true
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ':' && depth == 0 && colon == 0:
			colon = i
		}
	}
	return "", "", "", false
}

// verb is how package fmt writes a format of Python's.
func verb(spec string) string {
	spec = strings.NewReplacer(">", "", "<", "-").Replace(spec)
	if spec == "" || !strings.ContainsAny(spec[len(spec)-1:], "dfgeEGxXs") {
		spec += "v"
	}
	return "%" + spec
}

// importHint explains an import of Python's.
func importHint(_ Names, m []string) string {
	name, _, _ := strings.Cut(m[1], ".")
	switch name {
	case "torch", "torchvision", "tensor":
		return "torch needs no import: its names stand alone, Zeros(2, 3), x.View(3, 2)"
	case "getpass":
		return "no import is needed: " + passwordHint
	case "numpy", "np", "jax", "tensorflow":
		return name + " is not here, tensors do its work without an import: Arange(6).View(2, 3)"
	case "matplotlib", "seaborn", "plotly":
		return "pictures need no import: visualize.Plot(y), visualize.Heatmap(x)"
	}
	if p := check.Standard().Auto[name]; p != "" {
		return `Go imports paths in quotes: import "` + p + `"`
	}
	return "Go imports paths in quotes, import \"strings\"; Python's " + name + " is not here"
}
