package interp

import (
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
	"gotorch/tensor"
)

// Note: what is asked about a cell that is being typed. It may hold prompts, commands and _, which are no Go: they are
// blanked or replaced, so that every offset stays what it is, before package check looks at the rest.

// Complete gives what can stand at the cursor, a byte offset into src.
func (s *Session) Complete(src string, cursor int) check.Completion {
	src, cursor, shift := partNear(src, min(max(cursor, 0), len(src)))
	c := s.complete(src, cursor)
	c.Start, c.End = c.Start+shift, c.End+shift
	return c
}

func (s *Session) complete(src string, cursor int) check.Completion {
	goSrc, m := asGo(src, cursor)
	if c, ok := s.completeMagic(src, cursor, m); ok {
		return c
	}
	if c, ok := completeLetter(goSrc, cursor); ok {
		return c
	}
	quiet, done := s.quiet() // or values may be changing
	defer done()
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, quote, ok := check.StringAt(goSrc, cursor); ok && quote != '\'' {
		if c, ok := s.completeKey(goSrc, at, cursor, quiet); ok {
			return c
		}
		if c := check.Complete(s.env, goSrc, cursor); len(c.Candidates) > 0 {
			return c
		}
		return completeFile(src, at, cursor, quote)
	}
	goSrc, shift := s.withLast(goSrc, cursor)
	c := check.Complete(s.env, goSrc, cursor+shift)
	c.Start, c.End = c.Start-shift, c.End-shift
	for i, k := range c.Candidates {
		if k.Def != nil && quiet {
			if sum := s.brief(k.Def); sum != "" {
				c.Candidates[i].Sig = sum
			}
		}
	}
	c.Candidates = slices.DeleteFunc(c.Candidates, func(k check.Candidate) bool { // what is Out[3] has a name that nobody types
		return k.Def != nil && outName.MatchString(k.Text) && (c.Start == c.End || src[c.Start] != '_')
	})
	return c
}

// brief is the value of a variable in a word: the shape of a tensor, the length of what has one, a number.
func (s *Session) brief(d *check.Def) string {
	v := s.value(d)
	if !v.IsValid() || d.Kind != check.Var {
		return ""
	}
	switch k := v.Kind(); {
	case k == reflect.Bool, v.CanInt(), v.CanUint(), v.CanFloat(), k == reflect.String && v.Len() <= 30:
		if v.Type().PkgPath() != "" {
			return ""
		}
		text := fmt.Sprint(v)
		if k == reflect.String {
			text = strconv.Quote(text)
		}
		return s.typeOf(d) + " = " + text
	case k == reflect.Slice, k == reflect.Map:
		return fmt.Sprintf("%s of %d", s.typeOf(d), v.Len())
	}
	if _, ok := v.Interface().(interface{ Shape() []int }); ok {
		return s.summary(d)
	}
	return ""
}

var shownBefore = lazyre.New(`(^|[^\pL\pN_.])(_\d*|Out\[\d+\])((?:\[[^\]]*\]|\.[\pL\pN_.]+|\([^()]*\))*\.[\pL\pN_]*)$`)

// withLast writes something of the same type in place of a _, _3 or Out[3] that a dot follows before the cursor: they
// are made only when a cell that names them runs.
func (s *Session) withLast(src string, cursor int) (string, int) {
	m := shownBefore.Re().FindStringSubmatchIndex(src[:cursor])
	if m == nil {
		return src, 0
	}
	n := s.outs.last
	if digits := strings.Trim(src[m[4]:m[5]], "_Out[]"); digits != "" {
		n, _ = strconv.Atoi(digits)
	}
	if _, ok := s.outs.vals[n].(*tensor.Tensor); !ok {
		return src, 0
	}
	const same = "(*Tensor)(nil)"
	return src[:m[4]] + same + src[m[5]:], len(same) - (m[5] - m[4])
}

// asGo blanks what is no Go in a cell: the prompts of a session that was pasted, and commands. m is the command in
// whose line the cursor stands.
func asGo(src string, cursor int) (goSrc string, m invocation) {
	var b strings.Builder
	at := 0
	for line := range strings.Lines(src) {
		here := at <= cursor && cursor <= at+len(strings.TrimRight(line, "\n"))
		at += len(line)
		blank := len(firstPrompt.FindString(line))
		if blank == 0 && firstPrompt.MatchString(src) {
			blank = len(morePrompt.FindString(line))
		}
		rest := line[blank:]
		trimmed := strings.TrimLeft(rest, " \t")
		indent := len(rest) - len(trimmed)
		switch {
		case isCommand(rest), trimmed == "%" || trimmed == "!", strings.HasPrefix(trimmed, "?"):
			head := len(trimmed) - len(strings.TrimLeft(trimmed, "%?!"))
			name := trimmed[:head]
			if trimmed[0] == '%' {
				head += len(trimmed[head:]) - len(strings.TrimLeftFunc(trimmed[head:], func(r rune) bool { return r != ' ' && r != '\n' }))
				name = trimmed[:head]
			}
			if here {
				m = invocation{name, trimmed[head:]}
			}
			if takesGo(strings.TrimLeft(name, "%")) || trimmed[0] == '?' {
				blank += indent + head
			} else {
				blank = len(strings.TrimRight(line, "\n"))
			}
		}
		b.WriteString(strings.Repeat(" ", blank) + line[blank:])
	}
	return b.String(), m
}

// takesGo reports whether Go follows a command: a statement, an expression, names.
func takesGo(name string) bool {
	m, ok := magicNamed(name)
	if !ok {
		return false
	}
	for _, w := range []string{"STATEMENT", "EXPRESSION", "X", "Y", "NAME", "OPERATOR", "DTYPE", "GENERATOR"} {
		if slices.ContainsFunc(strings.FieldsFunc(m.args, func(r rune) bool { return strings.ContainsRune(" ,[]()|…", r) }), func(s string) bool { return s == w }) {
			return name != "env"
		}
	}
	return false
}

// completeMagic completes %na, and what a command takes that is no Go: files, other commands, variables of the
// environment.
func (s *Session) completeMagic(src string, cursor int, m invocation) (c check.Completion, ok bool) {
	if m.name == "" {
		return c, false
	}
	begin := strings.LastIndexByte(src[:cursor], '\n') + 1
	line := src[begin:cursor]
	sign := strings.IndexAny(line, "%!?")
	if sign < 0 {
		return c, false
	}
	word := cursor - len(line) + strings.LastIndexAny(line, " \t=") + 1
	c.Start, c.End = word, cursor
	name := strings.TrimLeft(m.name, "%")
	switch {
	case strings.HasPrefix(line[sign:], "%") && !strings.ContainsAny(line[sign:], " \t"), strings.HasPrefix(line[sign:], "?%"), name == "help":
		c.Start = max(word, begin+sign)
		c.Start += len(src[c.Start:cursor]) - len(strings.TrimLeft(src[c.Start:cursor], "?"))
		typed := src[c.Start:cursor]
		bare := strings.TrimLeft(typed, "%")
		for _, g := range magicGroups {
			for _, row := range g.rows {
				if strings.HasPrefix(row.name, bare) {
					c.Candidates = append(c.Candidates, check.Candidate{Text: typed[:len(typed)-len(bare)] + row.name, Type: "magic", Sig: strings.TrimSpace(row.args + " " + row.doc)})
				}
			}
		}
		return c, true
	case name == "env" && !strings.Contains(line, "="):
		for _, v := range os.Environ() {
			if k, _, _ := strings.Cut(v, "="); strings.HasPrefix(k, src[word:cursor]) {
				c.Candidates = append(c.Candidates, check.Candidate{Text: k, Type: "variable"})
			}
		}
		slices.SortFunc(c.Candidates, func(a, b check.Candidate) int { return strings.Compare(a.Text, b.Text) })
		return c, true
	case m.name == "!" || m.name == "!!" || s.takesFile(name):
		if start, quote, ok := check.StringAt(line[sign+1:], len(line)-sign-1); ok {
			return completeFile(src, begin+sign+1+start, cursor, quote), true
		}
		return completeFile(src, word, cursor, 0), true
	case strings.HasSuffix(strings.TrimRight(src[:word], " \t"), " -o"):
		return completeFile(src, word, cursor, 0), true
	}
	return c, false
}

// takesFile reports whether the name of a file or directory follows a command.
func (s *Session) takesFile(name string) bool {
	m, ok := magicNamed(name)
	if !ok {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimLeft(m.args, "["), " ")
	return strings.HasPrefix(first, "FILE") || strings.HasPrefix(first, "DIR")
}

// most is how many files are listed at most.
const most = 500

// completeFile completes the name of a file that begins at offset at; quote is that of the string around it, 0 for
// none.
func completeFile(src string, at, cursor int, quote byte) check.Completion {
	c := check.Completion{Start: at, End: cursor}
	typed := src[at:cursor]
	dir, base := filepath.Split(typed)
	c.Start += len(dir)
	where := dir
	if rest, ok := strings.CutPrefix(dir, "~"); ok {
		if home, err := os.UserHomeDir(); err == nil && (rest == "" || os.IsPathSeparator(rest[0])) {
			where = home + rest
		}
	}
	if where == "" {
		where = "."
	}
	entries, err := os.ReadDir(where)
	if err != nil {
		return c
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || base == "" && strings.HasPrefix(name, ".") || len(c.Candidates) == most {
			continue
		}
		k := check.Candidate{Text: name, Type: "file"}
		info, err := os.Stat(filepath.Join(where, name))
		switch {
		case err == nil && info.IsDir():
			k.Text, k.Type = name+string(os.PathSeparator), "directory"
		case err == nil:
			k.Sig = sizeText(int(info.Size()))
		}
		if quote == '"' {
			q := strconv.Quote(k.Text)
			k.Text = q[1 : len(q)-1]
		}
		c.Candidates = append(c.Candidates, k)
	}
	return c
}

var mapIndex = lazyre.New(`(?:^|[^\pL\pN_.])([\pL_][\pL\pN_]*)\[["` + "`]$")

// completeKey completes the keys of a map that a variable holds: m["al.
func (s *Session) completeKey(src string, at, cursor int, quiet bool) (c check.Completion, ok bool) {
	m := mapIndex.FindStringSubmatch(src[:at])
	if m == nil || !quiet {
		return c, false
	}
	d := s.env.Lookup(m[1])
	if d == nil {
		return c, false
	}
	v := s.value(d)
	if !v.IsValid() || v.Kind() != reflect.Map || v.Type().Key().Kind() != reflect.String || v.Len() > 10000 {
		return c, false
	}
	c.Start, c.End = at, cursor
	for _, k := range v.MapKeys() {
		if q := strconv.Quote(k.String()); strings.HasPrefix(q[1:], src[at:cursor]) {
			c.Candidates = append(c.Candidates, check.Candidate{Text: q[1 : len(q)-1], Type: "key"})
		}
	}
	slices.SortFunc(c.Candidates, func(a, b check.Candidate) int { return strings.Compare(a.Text, b.Text) })
	return c, true
}

// Signature is the call whose arguments are being typed at the cursor.
func (s *Session) Signature(src string, cursor int) (check.Signature, bool) {
	src, cursor, _ = partNear(src, min(max(cursor, 0), len(src)))
	goSrc, _ := asGo(src, cursor)
	s.mu.Lock()
	defer s.mu.Unlock()
	return check.SignatureAt(s.env, goSrc, cursor)
}

// typeOf is the type of a definition in the words of a cell.
func (s *Session) typeOf(d *check.Def) string {
	return types.TypeString(d.Obj.Type(), func(p *types.Package) string {
		if p == d.Obj.Pkg() {
			return ""
		}
		return p.Name()
	})
}

// dtypeOf is what a tensor's method Dtype gives, as text.
func dtypeOf(v any) string {
	m := reflect.ValueOf(v).MethodByName("Dtype")
	if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 {
		return ""
	}
	return fmt.Sprint(m.Call(nil)[0].Interface())
}
