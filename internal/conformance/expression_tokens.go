package conformance

import (
	"regexp"
	"strconv"
	"strings"

	"gotorch/tensor"
)

var pythonToken = regexp.MustCompile(`^(?:\.\.\.|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?j?|` +
	`[A-Za-z_]\w*|'[^']*'|"[^"]*"|\*\*|//|==|!=|<=|>=|<<|>>|.)`)

// tokensOf splits a Python expression.
func tokensOf(text string) (tokens []string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		t := pythonToken.FindString(text)
		tokens, text = append(tokens, t), text[len(t):]
	}
	return tokens
}

// atom is a number, a string, a name, a tuple or a list.
func (p *expression) atom() any {
	switch t := p.next(); {
	case t == "(":
		list, many := p.list(")")
		if len(list) == 1 && !many {
			return list[0]
		}
		return list
	case t == "[":
		list, _ := p.list("]")
		return list
	case t == "...":
		return tensor.Ellipsis
	case t == "None":
		return nil
	case t == "True", t == "False":
		return t == "True"
	case t == "torch":
		return module("")
	case t == "F":
		return module("nn.functional")
	case t != "" && (t[0] == '\'' || t[0] == '"'):
		return t[1 : len(t)-1]
	case t != "" && (t[0] >= '0' && t[0] <= '9' || t[0] == '.' && len(t) > 1):
		return p.literal(t)
	default:
		v, ok := p.names[t]
		if !ok {
			p.fail("the name %q is not known", t)
		}
		return v
	}
}

func (p *expression) literal(t string) any {
	if im, ok := strings.CutSuffix(t, "j"); ok {
		f, err := strconv.ParseFloat(im, 64)
		if err != nil {
			p.fail("the number %s is not understood", t)
		}
		return complex(0, f)
	}
	v, err := number(t)
	if err != nil {
		p.fail("the number %s is not understood", t)
	}
	return v
}

// list reads expressions, and slices of an index, up to the closing token; many is true if there is a comma.
func (p *expression) list(end string) (list []any, many bool) {
	for !p.accept(end) {
		list = append(list, p.sliceOr(end))
		if p.peek() != end {
			p.expect(",")
			many = true
		}
	}
	return list, many
}

// sliceOr is an expression, or start:stop:step before a closing bracket.
func (p *expression) sliceOr(end string) any {
	var parts [3]any
	n := 0
	for ; n < 3; n++ {
		if t := p.peek(); t != ":" && t != "," && t != end {
			parts[n] = p.binary(0)
		}
		if end != "]" || !p.accept(":") {
			break
		}
	}
	if n == 0 {
		return parts[0]
	}
	return tensor.Slice(parts[0], parts[1], parts[2])
}

// arguments reads those of a call up to its closing parenthesis.
func (p *expression) arguments() (args []any, kwargs map[string]any) {
	kwargs = map[string]any{}
	for !p.accept(")") {
		if len(p.tokens) > 1 && p.tokens[1] == "=" {
			name := p.next()
			p.next()
			kwargs[name] = p.binary(0)
		} else {
			args = append(args, p.binary(0))
		}
		if p.peek() != ")" {
			p.expect(",")
		}
	}
	return args, kwargs
}
