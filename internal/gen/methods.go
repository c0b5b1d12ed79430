package main

import (
	"bytes"
	"fmt"
	"strings"

	"gotorch/tensor/opdef"
)

// arg is how one parameter of a row stands in a Go signature.
type arg struct {
	slot   int
	name   string
	goType string
	set    string // the setter of Call
}

// shape of a Go signature: what is positional, whether the last is variadic, whether options follow.
type signature struct {
	sig      *opdef.Sig
	args     []arg
	variadic bool
	options  bool
}

// signatureOf applies API.md's rule 3: required arguments are positional, in the schema's order, and a list of ints
// (or the *tensors of a Variadic row) is variadic if nothing follows it.
func signatureOf(s *opdef.Sig) signature {
	g := signature{sig: s}
	var optional []int
	for i := range s.Params {
		if p := &s.Params[i]; p.HasDef || p.KwOnly {
			optional = append(optional, i)
		} else {
			g.args = append(g.args, argOf(s, i))
		}
	}
	factory := s.Tags.Class() == opdef.Factory
	// a list that ends the schema is variadic even with a default: Squeeze(0), Roll(shifts, dims…)
	if n := len(s.Params); n > 0 && !factory {
		last := &s.Params[n-1]
		if listsInts(last) && !last.KwOnly && last.HasDef && len(optional) == 1 && last.Types[0].N == 0 &&
			!s.Tags.Has(opdef.Out) {
			g.args = append(g.args, argOf(s, n-1))
			optional = nil
		}
	}
	hasOut := s.Tags.Has(opdef.Out)
	if n := len(g.args); n > 0 {
		a := &g.args[n-1]
		p := &s.Params[a.slot]
		free := len(optional) == 0 && !hasOut && a.slot == len(s.Params)-1 || factory
		switch {
		case free && len(p.Types) == 1 && (p.IsList("int") && p.Types[0].N == 0 || factory && p.IsList("int")):
			g.variadic, a.goType, a.set = true, "...int", "setOther"
		case free && p.IsList("Index"):
			g.variadic, a.goType, a.set = true, "...any", "setOther"
		case free && len(p.Types) == 1 && p.IsList("Scalar"):
			g.variadic, a.goType, a.set = true, "...Number", "set"
		case p.IsList("Tensor") && s.Tags.Has(opdef.Variadic):
			g.variadic, a.goType, a.set = true, "...*Tensor", "setOther"
		}
	}
	g.options = (len(optional) > 0 || hasOut) && !g.variadic
	return g
}

func listsInts(p *opdef.Param) bool { return len(p.Types) == 1 && p.IsList("int") }

// argOf returns the Go type of a positional parameter.
func argOf(s *opdef.Sig, i int) arg {
	p := &s.Params[i]
	a := arg{slot: i, name: opdef.GoParam(p.Name), goType: "any", set: "set"}
	if len(p.Types) > 1 {
		if p.Is("Tensor") && p.Is("Scalar") && len(p.Types) == 2 {
			a.goType, a.set = "Operand", "setOperand"
		}
		return a
	}
	switch t := p.Types[0]; {
	case t.List && t.Base == "int" && t.N > 0:
		a.goType = "Ints"
	case t.List && t.Base == "int":
		a.goType, a.set = "[]int", "setOther"
	case t.List && t.Base == "Tensor":
		a.goType, a.set = "[]*Tensor", "setOther"
	case t.List && t.Base == "Index":
		a.goType, a.set = "Ix", "setOther"
	case t.List && t.Base == "Scalar", t.List && t.Base == "float":
		a.goType, a.set = "any", "set"
	case t.Base == "Tensor":
		a.goType, a.set = "*Tensor", "setTensor"
	case t.Base == "Scalar":
		a.goType = "Number"
	case p.Optional:
	case t.Base == "int":
		a.goType, a.set = "int", "setInt"
	case t.Base == "float":
		a.goType, a.set = "float64", "setFloat"
	case t.Base == "bool":
		a.goType, a.set = "bool", "setBool"
	case t.Base == "str":
		a.goType, a.set = "string", "setOther"
	case t.Base == "ScalarType":
		a.goType, a.set = "Dtype", "setOther"
	case t.Base == "Device":
		a.goType, a.set = "Device", "setOther"
	case t.Base == "MemoryFormat":
		a.goType, a.set = "MemoryFormat", "setOther"
	case t.Base == "Generator":
		a.goType, a.set = "*Generator", "setOther"
	}
	return a
}

// results returns the Go results and the run function.
func results(s *opdef.Sig) (ret, run string) {
	if s.Rets[0].IsList("Tensor") {
		return "[]*Tensor", "runList"
	}
	if s.Rets[0].Is("bool") {
		return "bool", "runBool"
	}
	if len(s.Rets) == 1 {
		return "*Tensor", "run1"
	}
	var names []string
	for i := range s.Rets {
		names = append(names, opdef.GoParam(s.Rets[i].Name))
	}
	return "(" + strings.Join(names, ", ") + " *Tensor)", fmt.Sprintf("run%d", len(s.Rets))
}

// write emits one function or method. self is the slot of the receiver, -1 for a function; inPlace gives the
// underscore form.
func (g signature) write(b *bytes.Buffer, self int, inPlace bool) {
	s := g.sig
	name := s.GoName()
	if inPlace {
		name += "_"
	}
	if s.IsPrivate() {
		name = "call" + strings.TrimPrefix(s.OpName(), "Private")
	}
	comment(b, s, name, inPlace)
	b.WriteString("func ")
	if self >= 0 {
		b.WriteString("(x *Tensor) ")
	}
	fmt.Fprintf(b, "%s(", name)
	var list []string
	for _, a := range g.args {
		if a.slot != self {
			list = append(list, a.name+" "+a.goType)
		}
	}
	if g.options {
		list = append(list, "opts ...Option")
	}
	ret, run := results(s)
	fmt.Fprintf(b, "%s) %s {\n\tc := begin(op%s)\n", strings.Join(list, ", "), ret, s.OpName())
	if inPlace {
		b.WriteString("\tc.Variant = InPlace\n")
	}
	g.setArgs(b, self)
	if g.options {
		b.WriteString("\tc.options(opts)\n")
	}
	fmt.Fprintf(b, "\treturn c.%s()\n}\n\n", run)
}

func (g signature) setArgs(b *bytes.Buffer, self int) {
	for i, a := range g.args {
		v, set := a.name, a.set
		if a.slot == self {
			v, set = "x", "setTensor"
		}
		if g.variadic && i == len(g.args)-1 && g.sig.Params[a.slot].HasDef {
			fmt.Fprintf(b, "\tif len(%s) > 0 {\n\t\tc.%s(%d, %s)\n\t}\n", v, set, a.slot, v)
			continue
		}
		fmt.Fprintf(b, "\tc.%s(%d, %s)\n", set, a.slot, v)
	}
}

// comment writes the documentation: the row's sentence, then the schema.
func comment(b *bytes.Buffer, s *opdef.Sig, name string, inPlace bool) {
	doc := s.Doc
	if inPlace {
		doc = fmt.Sprintf("%s is [Tensor.%s] that writes its result into x, which it returns.", name, s.GoName())
	}
	fmt.Fprintf(b, "// %s\n//\n//\t%s\n", doc, s.Schema)
}

func methods(sigs []*opdef.Sig) *bytes.Buffer {
	b := new(bytes.Buffer)
	b.WriteString("package tensor\n\n")
	for _, s := range sigs {
		if !s.HasMethod() || s.IsPrivate() {
			continue
		}
		g := signatureOf(s)
		g.write(b, s.Self(), false)
		if s.Tags.Has(opdef.InPlace) {
			g.write(b, s.Self(), true)
		}
	}
	return b
}

func functions(sigs []*opdef.Sig) *bytes.Buffer {
	b := new(bytes.Buffer)
	b.WriteString("package tensor\n\n")
	for _, s := range sigs {
		if s.Tags.Class() == opdef.Factory {
			writeFactory(b, s, false)
		} else if s.HasFunction() || s.IsPrivate() {
			signatureOf(s).write(b, -1, false)
		}
	}
	return b
}

// writeFactory emits a factory as a function or as a method of Factory, which sets its options first. Where sizes are
// variadic, options are given by With alone.
func writeFactory(b *bytes.Buffer, s *opdef.Sig, method bool) {
	g := signatureOf(s)
	comment(b, s, s.GoName(), false)
	b.WriteString("func ")
	if method {
		b.WriteString("(w *Factory) ")
	}
	var list []string
	for _, a := range g.args {
		list = append(list, a.name+" "+a.goType)
	}
	if g.options {
		list = append(list, "opts ...Option")
	}
	fmt.Fprintf(b, "%s(%s) *Tensor {\n\tc := begin(op%s)\n", s.GoName(), strings.Join(list, ", "), s.OpName())
	g.setArgs(b, -1)
	if method {
		b.WriteString("\tc.options(w.opts)\n")
	}
	if g.options {
		b.WriteString("\tc.options(opts)\n")
	}
	b.WriteString("\treturn c.run1()\n}\n\n")
}

func factoryMethods(sigs []*opdef.Sig) *bytes.Buffer {
	b := new(bytes.Buffer)
	b.WriteString("package tensor\n\n")
	for _, s := range sigs {
		if s.Tags.Class() == opdef.Factory {
			writeFactory(b, s, true)
		}
	}
	return b
}
