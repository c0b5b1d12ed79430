package shell

import (
	"gotorch/internal/bytesize"
	"gotorch/interp/check"
	"gotorch/interp/split"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// AsGo blanks what is no Go in a cell: the prompts of a session that was pasted, and commands. Of the command in the
// cursor's line, m is the sign and the name.
func AsGo(src string, cursor int) (goSrc, m string) {
	src = split.BlankPrompts(src)
	b := []byte(src)
	for p := range split.Cell(src, plainlyGo) {
		if p.Kind == split.Go || p.Kind == split.Capture || p.Body == p.Pos {
			continue
		}
		end := p.Body
		if p.Kind == split.Shell || p.Kind != split.Help && !takesGo(p.Name) {
			end = p.Pos + len(strings.TrimRight(firstLine(src[p.Pos:]), "\r"))
		}
		if p.Pos <= cursor && cursor <= p.Pos+len(firstLine(src[p.Pos:])) {
			m = strings.TrimRight(src[p.Pos:p.Body], " \t")
		}
		for i := p.Pos; i < end; i++ {
			b[i] = ' '
		}
	}
	return string(b), m
}

func firstLine(src string) string {
	line, _, _ := strings.Cut(src, "\n")
	return line
}

// takesGo reports whether Go follows a command: a statement, an expression, names.
func takesGo(name string) bool {
	m, ok := magicNamed(name)
	if !ok {
		return false
	}
	for _, w := range []string{"STATEMENT", "EXPRESSION", "X", "Y", "NAME", "OPERATOR", "DTYPE", "GENERATOR"} {
		if slices.ContainsFunc(strings.FieldsFunc(m.args, func(r rune) bool {
			return strings.ContainsRune(" ,[]()|…", r)
		}), func(s string) bool { return s == w }) {
			return name != "env"
		}
	}
	return false
}

// Complete completes %na, and what a command takes that is no Go: files, other commands, variables of the
// environment.
func Complete(src string, cursor int, m string) (c check.Completion, ok bool) {
	if m == "" {
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
	name := strings.TrimLeft(m, "%")
	switch {
	case strings.HasPrefix(line[sign:], "%") && !strings.ContainsAny(line[sign:], " \t"),
		strings.HasPrefix(line[sign:], "?%"), name == "help":
		c.Start = max(word, begin+sign)
		c.Start += len(src[c.Start:cursor]) - len(strings.TrimLeft(src[c.Start:cursor], "?"))
		typed := src[c.Start:cursor]
		bare := strings.TrimLeft(typed, "%")
		for _, g := range magicGroups {
			for _, row := range g.rows {
				if strings.HasPrefix(row.name, bare) {
					c.Candidates = append(c.Candidates, check.Candidate{Text: typed[:len(typed)-len(bare)] + row.name, Type: "magic",
						Sig: strings.TrimSpace(row.args + " " + row.doc)})
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
	case strings.HasPrefix(m, "!") || takesFile(name):
		if start, quote, ok := check.StringAt(line[sign+1:], len(line)-sign-1); ok {
			return CompleteFile(src, begin+sign+1+start, cursor, quote), true
		}
		return CompleteFile(src, word, cursor, 0), true
	case name == "shapes":
		c.Candidates = completeShapes(line, src[word:cursor])
		return c, len(c.Candidates) > 0
	case strings.HasSuffix(strings.TrimRight(src[:word], " \t"), " -o"):
		return CompleteFile(src, word, cursor, 0), true
	}
	return c, false
}

// takesFile reports whether the name of a file or directory follows a command.
func takesFile(name string) bool {
	m, ok := magicNamed(name)
	if !ok {
		return false
	}
	first, _, _ := strings.Cut(strings.TrimLeft(m.args, "["), " ")
	return strings.HasPrefix(first, "FILE") || strings.HasPrefix(first, "DIR")
}

// most is how many files are listed at most.
const most = 500

// CompleteFile completes the name of a file that begins at offset at; quote is that of the string around it, 0 for
// none.
func CompleteFile(src string, at, cursor int, quote byte) check.Completion {
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
			k.Sig = bytesize.Text(int(info.Size()))
		}
		if quote == '"' {
			q := strconv.Quote(k.Text)
			k.Text = q[1 : len(q)-1]
		}
		c.Candidates = append(c.Candidates, k)
	}
	return c
}
