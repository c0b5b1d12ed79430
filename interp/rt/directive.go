package rt

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// directive is a part of a format that stands for an argument, such as %-8.3f or %[2]*[1]d.
type directive struct {
	first, last      int   // its bytes: from the one after % to the verb
	verb             byte  // the first byte of the verb
	arg              int   // the argument that the verb writes
	stars            []int // the arguments that * takes
	width, precision int
	indexed          bool // it says which arguments it takes, as in %[1]d
}

// maxWidth is where package fmt stops to count.
const maxWidth = 1 << 20

// directives are those of a format, from left to right. An argument's index may be one that is not there.
func directives(format string) iter.Seq[directive] {
	return func(yield func(directive) bool) {
		next := 0 // the argument that a directive without an index takes
		for i := 0; i < len(format); i++ {
			if format[i] != '%' {
				continue
			}
			d := directive{first: i + 1}
			n := 0 // the number before i
		verb:
			for i++; i < len(format); i++ {
				switch c := format[i]; {
				case strings.IndexByte("+-# ", c) >= 0:
				case c >= '0' && c <= '9':
					n = min(10*n+int(c-'0'), maxWidth)
				case c == '.':
					d.width, n = n, 0
				case c == '[':
					n, d.indexed = 0, true
				case c == ']' && d.indexed:
					next, n = n-1, 0
				case c == '*':
					d.stars = append(d.stars, next)
					next++
				default:
					break verb
				}
			}
			if i >= len(format) {
				return
			}
			if format[i] == '%' {
				continue
			}
			d.last, d.verb, d.arg, d.precision = i, format[i], next, n
			next++
			if !yield(d) {
				return
			}
		}
	}
}

// Format prepares a format and its arguments for fmt, which would write the type of a box, and not the name that a
// cell gave the type: for %T, and for arguments that no directive takes.
func Format(format string, args []any) (string, []any) {
	boxed := false
	for _, a := range args {
		if _, ok := Norm(a).(Box); ok {
			boxed = true
		}
	}
	if !strings.Contains(format, "p") {
		args = allInside(args)
	}
	if !boxed {
		return format, args
	}
	list := slices.Collect(directives(format))
	if slices.ContainsFunc(list, func(d directive) bool { return d.indexed }) {
		return typesWritten(format, list, args)
	}
	out, text, taken, end := slices.Clone(args), []byte(format), 0, 0
	for _, d := range list {
		taken, end = d.arg+1, d.last+1
		if isTypeOfBox(d, args) {
			text[d.last], out[d.arg] = 's', TypeName(args[d.arg])
		}
	}
	if taken >= len(args) {
		return string(text), out
	}
	if tail := strings.ReplaceAll(format[end:], "%%", "  "); strings.Contains(tail, "%") { // one that has no verb
		if strings.Contains(tail, "%[") {
			return string(text), out
		}
		text = append(text[:end+strings.Index(tail, "%")], "%%!(NOVERB)"...)
	}
	text = append(text, "%%!(EXTRA "...)
	for i, a := range args[taken:] {
		if i > 0 {
			text = append(text, ", "...)
		}
		if a == nil {
			text, out[taken+i] = append(text, "%s"...), "<nil>"
			continue
		}
		text = append(text, escaped(TypeName(a))+"=%v"...)
	}
	return string(append(text, ')')), out
}

// isTypeOfBox reports whether a directive writes the type of a box.
func isTypeOfBox(d directive, args []any) (yes bool) {
	if d.verb == 'T' && d.arg >= 0 && d.arg < len(args) {
		_, yes = Norm(args[d.arg]).(Box)
	}
	return yes
}

func escaped(s string) string { return strings.ReplaceAll(s, "%", "%%") }

// typesWritten is a format with indices, in which an argument may be taken more than once: the types of boxes are
// written in it, and what follows them says which argument it takes.
func typesWritten(format string, list []directive, args []any) (string, []any) {
	var b strings.Builder
	done, moved := 0, false
	indexed, taken := false, 0 // of the directives that are left
	for _, d := range list {
		at, index := d.last, d.arg
		if len(d.stars) > 0 {
			at, index = d.first+strings.IndexByte(format[d.first:], '*'), d.stars[0]
		}
		switch {
		case isTypeOfBox(d, args):
			b.WriteString(format[done : d.first-1])
			stars := make([]any, 0, len(d.stars)+1)
			for _, i := range d.stars {
				if i >= 0 && i < len(args) {
					stars = append(stars, args[i])
				}
			}
			directive := "%" + indices.ReplaceAllString(format[d.first:d.last], "") + "s"
			b.WriteString(escaped(fmt.Sprintf(directive, append(stars, TypeName(args[d.arg]))...)))
			done, moved = d.last+1, true
			continue
		case moved:
			b.WriteString(format[done:at])
			if format[at-1] != ']' {
				b.WriteString("[" + strconv.Itoa(index+1) + "]")
			}
			done, moved, indexed = at, false, true
		}
		indexed, taken = indexed || d.indexed, d.arg+1
	}
	b.WriteString(format[done:])
	if !indexed && taken < len(args) {
		args = args[:max(taken, 0)] // fmt does not complain of more where there are indices
	}
	return b.String(), args
}

var indices = regexp.MustCompile(`\[[^]]*\]`)
