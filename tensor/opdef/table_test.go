package opdef

import (
	"math/bits"
	"strings"
	"testing"
)

// parsed gives the whole table, parsed.
func parsed(t *testing.T) []*Sig {
	t.Helper()
	var sigs []*Sig
	for _, r := range Table() {
		s, err := Parse(r)
		if err != nil {
			t.Fatal(err)
		}
		sigs = append(sigs, s)
	}
	return sigs
}

func TestRowsHaveOneClass(t *testing.T) {
	for _, s := range parsed(t) {
		if n := bits.OnesCount32(uint32(s.Tags.Class())); n != 1 {
			t.Errorf("%s has %d shape classes, want one", s.FullName(), n)
		}
	}
}

func TestDocBeginsWithGoName(t *testing.T) {
	for _, s := range parsed(t) {
		if !strings.HasPrefix(s.Doc, s.GoName()+" ") || !strings.HasSuffix(s.Doc, ".") {
			t.Errorf("%s: %q should be a sentence that begins with %s", s.FullName(), s.Doc, s.GoName())
		}
	}
}

// TestGoNamesAreUnique: no two functions and no two methods, those in place included, share a name.
func TestGoNamesAreUnique(t *testing.T) {
	functions, methods, full := map[string]string{}, map[string]string{}, map[string]bool{}
	note := func(in map[string]string, goName, row string) {
		if other, ok := in[goName]; ok {
			t.Errorf("%s and %s are both %s", other, row, goName)
		}
		in[goName] = row
	}
	for _, s := range parsed(t) {
		if full[s.FullName()] {
			t.Errorf("%s stands in the table twice", s.FullName())
		}
		full[s.FullName()] = true
		if s.HasFunction() {
			note(functions, s.GoName(), s.FullName())
		}
		if s.HasMethod() {
			note(methods, s.GoName(), s.FullName())
		}
		if s.Tags.Has(InPlace) {
			note(methods, s.GoName()+"_", s.FullName()+" in place")
		}
	}
}

// TestAliases: a view looks into its first argument, a name with an underscore writes into it, and no kernel's result does either unasked.
func TestAliases(t *testing.T) {
	for _, s := range parsed(t) {
		looks, writes := false, false
		for _, r := range s.Rets {
			for _, typ := range r.Types {
				looks = looks || typ.Alias != "" && !typ.Write
				writes = writes || typ.Write
				if typ.Alias != "" && (len(s.Params) == 0 || s.Params[0].Types[0].Alias != typ.Alias || s.Params[0].Types[0].Write != typ.Write) {
					t.Errorf("%s: result %s(%s) has no such argument", s.FullName(), typ.Base, typ.Alias)
				}
			}
		}
		class := s.Tags.Class()
		if class == View && !looks {
			t.Errorf("%s is a view without Tensor(a)", s.FullName())
		}
		if looks && class != View && class != Composite {
			t.Errorf("%s has Tensor(a) and is no view", s.FullName())
		}
		if under := strings.HasSuffix(s.Name, "_"); under != writes {
			t.Errorf("%s: an underscore and Tensor(a!) go together", s.FullName())
		} else if under && (!s.Tags.Has(MethodOnly) || s.Tags.Has(InPlace)) {
			t.Errorf("%s is written in place already: MethodOnly, not InPlace", s.FullName())
		}
	}
}

// TestForms: what has a form in place has a method, and out takes one result.
func TestForms(t *testing.T) {
	for _, s := range parsed(t) {
		if s.Tags.Has(InPlace) && s.Self() < 0 {
			t.Errorf("%s has a form in place and no receiver", s.FullName())
		}
		if s.Tags.Has(Out) && (len(s.Rets) != 1 || s.Rets[0].Types[0].List) {
			t.Errorf("%s has a form with out and not one result", s.FullName())
		}
		if s.Tags.Class() == Factory && s.Param("requires_grad") < 0 && !s.Tags.Has(NoGrad) {
			t.Errorf("%s is a factory without requires_grad", s.FullName())
		}
	}
}
