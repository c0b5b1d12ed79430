package tensor

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parseNpyHeader reads {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }: a Python dict with these three
// keys in any order.
func parseNpyHeader(s string) (h npyHeader, err error) {
	p := &pyReader{rest: s}
	seen := map[string]bool{}
	if err = p.expect("{"); err != nil {
		return h, err
	}
	for !p.take("}") {
		key, err := p.str()
		if err != nil {
			return h, err
		}
		if err = p.expect(":"); err != nil {
			return h, err
		}
		if seen[key] {
			return h, fmt.Errorf("key %q is there twice", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			if p.peek() == '[' {
				return h, errors.New("arrays of records are not taken")
			}
			h.descr, err = p.str()
		case "fortran_order":
			h.fortran, err = p.boolean()
		case "shape":
			h.shape, err = p.ints()
		default:
			err = fmt.Errorf("unknown key %q", key)
		}
		if err != nil {
			return h, err
		}
		if !p.take(",") && p.peek() != '}' {
			return h, fmt.Errorf("want , or } at %.20q", p.rest)
		}
	}
	for _, k := range []string{"descr", "fortran_order", "shape"} {
		if !seen[k] {
			return h, fmt.Errorf("key %q is missing", k)
		}
	}
	if rest := strings.TrimSpace(p.rest); rest != "" {
		return h, fmt.Errorf("%.20q after the end", rest)
	}
	return h, nil
}

// pyReader reads the few Python literals that headers are made of.
type pyReader struct{ rest string }

func (p *pyReader) peek() byte {
	p.rest = strings.TrimLeft(p.rest, " \t\r\n")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *pyReader) take(s string) bool {
	p.peek()
	rest, ok := strings.CutPrefix(p.rest, s)
	p.rest = rest
	return ok
}

func (p *pyReader) expect(s string) error {
	if !p.take(s) {
		return fmt.Errorf("want %s at %.20q", s, p.rest)
	}
	return nil
}

func (p *pyReader) str() (string, error) {
	p.take("u") // what Python 2 wrote
	q := p.peek()
	if q != '\'' && q != '"' {
		return "", fmt.Errorf("want a string at %.20q", p.rest)
	}
	end := strings.IndexByte(p.rest[1:], q)
	if end < 0 {
		return "", fmt.Errorf("a string without an end at %.20q", p.rest)
	}
	s := p.rest[1 : 1+end]
	p.rest = p.rest[2+end:]
	return s, nil
}

func (p *pyReader) boolean() (bool, error) {
	if p.take("True") {
		return true, nil
	}
	return false, p.expect("False")
}

// ints reads a tuple: (), (3,), (3, 4).
func (p *pyReader) ints() ([]int, error) {
	out := []int{}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	for !p.take(")") {
		p.peek()
		n := len(p.rest) - len(strings.TrimLeft(p.rest, "0123456789"))
		v, err := strconv.ParseInt(p.rest[:n], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("want a size at %.20q", p.rest)
		}
		if p.rest = p.rest[n:]; strings.HasPrefix(p.rest, "L") { // Python 2's long
			p.rest = p.rest[1:]
		}
		out = append(out, int(v))
		if len(out) > 64 {
			return nil, errors.New("more than 64 dimensions")
		}
		if !p.take(",") && p.peek() != ')' {
			return nil, fmt.Errorf("want , or ) at %.20q", p.rest)
		}
	}
	return out, nil
}
