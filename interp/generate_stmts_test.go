package interp

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generate returns the declarations and the statements of a cell of that number.
func generate(id int) (decls, stmts []string) {
	g := &gen{Rand: rand.New(rand.NewPCG(uint64(id), 3)), id: id, fixed: map[string]bool{}, budget: 40}
	for range g.IntN(3) {
		decls = append(decls, g.function())
	}
	for range 4 + g.IntN(8) {
		stmts = append(stmts, g.stmt(3)...)
	}
	for _, v := range g.vars {
		if genByName[v[1]].kind != "func" {
			stmts = append(stmts, g.print(v[0]))
		}
	}
	return decls, stmts
}

// function declares a function of a cell's own.
func (g *gen) function() string {
	f := genFunc{name: fmt.Sprintf("f%d_%d", g.id, len(g.funcs))}
	defer func(n, b int) { g.vars, g.budget, g.inFunc = g.vars[:n], b, "" }(len(g.vars), g.budget)
	g.budget = 12
	var params, results []string
	for range g.IntN(3) {
		n, t := g.name("p"), g.typ()
		f.params = append(f.params, t)
		params = append(params, n+" "+t)
		g.vars = append(g.vars, [2]string{n, t})
	}
	for range 1 + g.IntN(2) {
		t := g.typ()
		f.results = append(f.results, t)
		n := g.name("r")
		results = append(results, n+" "+t)
		if genByName[t].zero {
			g.vars = append(g.vars, [2]string{n, t})
		}
	}
	named := g.IntN(2) == 0
	if !named {
		g.vars = g.vars[:len(params)]
	}
	g.inFunc = strings.Join(f.results, "|")
	var body []string
	if named {
		for i, r := range results {
			if !genByName[f.results[i]].zero {
				body = append(body, strings.Fields(r)[0]+" = "+g.expr(f.results[i], 1))
			}
		}
	}
	for range 1 + g.IntN(4) {
		body = append(body, g.stmt(2)...)
	}
	if named && g.IntN(2) == 0 {
		body = append(body, "return")
	} else {
		body = append(body, g.ret())
	}
	res := strings.Join(f.results, ", ")
	if named {
		res = strings.Join(results, ", ")
	}
	text := "func " + f.name + "(" + strings.Join(params, ", ") + ") (" + res + ") { " + strings.Join(body, "; ") + " }"
	g.funcs = append(g.funcs, f)
	return text
}

func (g *gen) ret() string {
	var vs []string
	for _, t := range strings.Split(g.inFunc, "|") {
		vs = append(vs, g.expr(t, 2))
	}
	return "return " + strings.Join(vs, ", ")
}

// print shows a variable.
func (g *gen) print(v string) string {
	return fmt.Sprintf("fmt.Printf(%q, %s, %s)", g.one("%v|%T\n", "%+v|%T\n", "%v|%T\n"), v, v)
}

func (g *gen) declare(t, e string) []string {
	n := g.name("v")
	var s string
	switch {
	case g.IntN(3) == 0 || strings.HasPrefix(e, "func") && t == "F":
		s = "var " + n + " " + t + " = " + e
	case g.IntN(4) == 0 && genByName[t].zero:
		s = "var " + n + " " + t
	default:
		s = n + " := " + g.force(t, e)
	}
	g.vars = append(g.vars, [2]string{n, t})
	return []string{s, "_ = " + n}
}

// force gives an untyped expression its type.
func (g *gen) force(t, e string) string {
	switch genByName[t].kind {
	case "int", "float", "string", "bool", "complex", "iface":
		return t + "(" + e + ")"
	}
	if t == "F" {
		return "F(" + e + ")"
	}
	return e
}

// block writes statements with a scope of their own.
func (g *gen) block(d int, head ...string) string {
	defer func(n int) { g.vars = g.vars[:n] }(len(g.vars))
	out := head
	for range 1 + g.IntN(3) {
		out = append(out, g.stmt(d-1)...)
	}
	return "{ " + strings.Join(out, "; ") + " }"
}

// with writes a block in which a name is known.
func (g *gen) with(d int, names ...[2]string) string {
	n := len(g.vars)
	var head []string
	for _, v := range names {
		g.vars = append(g.vars, v)
		head = append(head, "_ = "+v[0])
	}
	s := g.block(d, head...)
	g.vars = g.vars[:n]
	return s
}

func (g *gen) stmt(d int) []string {
	g.budget--
	if d <= 0 || g.budget < 0 {
		t := g.typ()
		if p := g.places(t, true); len(p) > 0 {
			return []string{p[g.IntN(len(p))] + " = " + g.expr(t, 1)}
		}
		return []string{"fmt.Print(" + g.expr("int", 1) + ", \";\")"}
	}
	switch g.IntN(34) {
	case 22, 23, 24, 25, 26, 27:
		return g.idiom(d)
	case 28, 29, 30, 31, 32, 33:
		return g.form()
	case 0, 1, 2, 3:
		t := g.typ()
		return g.declare(t, g.expr(t, 3))
	case 4, 5:
		return g.assign()
	case 6:
		return []string{"if (" + g.expr("bool", 2) + ") " + g.block(d) + g.one("", " else "+g.block(d))}
	case 7:
		i := g.name("i")
		g.fixed[i] = true
		head := g.one("for %s := 0; %s < 3; %s++ ", "for %s := range 3 ")
		if strings.Count(head, "%s") == 3 {
			head = fmt.Sprintf(head, i, i, i)
		} else {
			head = fmt.Sprintf(head, i)
		}
		return g.loop(head, d, [2]string{i, "int"})
	case 8:
		t := g.one(g.of("slice"), g.of("array"))
		i, x := g.name("i"), g.name("x")
		return g.loop("for "+i+", "+x+" := range ("+g.typed(t, 2)+") ", d, [2]string{i, "int"},
			[2]string{x, genByName[t].elem})
	case 9:
		t := g.typ()
		i, x := g.name("i"), g.name("x")
		return g.loop("for "+i+", "+x+" := range seq["+t+"]("+g.expr(t, 2)+", "+g.expr(t, 1)+") ", d, [2]string{i, "int"},
			[2]string{x, t})
	case 10:
		return g.switches(d)
	case 11:
		return g.typeSwitch(d)
	case 12:
		in := g.inFunc
		g.inFunc = ""
		defer func(l []string) { g.inFunc, g.loops = in, l }(g.loops)
		g.loops = nil
		return []string{"try(func() " +
			g.block(d, g.one("defer func() "+g.block(1)+"()", "defer fmt.Print("+g.expr("int", 2)+", \";\")",
				"if ("+g.expr("bool", 1)+") { panic("+g.expr(g.one("string", "int", "error", "N"), 2)+") }")) + ")"}
	case 13:
		if p := g.places("*S", false); len(p) > 0 {
			return []string{p[0] + ".Inc(" + g.expr("int", 2) + ")"}
		}
		if p := g.places("S", true); len(p) > 0 && !strings.Contains(p[len(p)-1], "(") {
			return []string{p[len(p)-1] + ".Inc(" + g.expr("int", 2) + ")"}
		}
		return g.declare("S", g.make("S", 2))
	case 14: // a closure over what is there, called in statements only
		f := g.name("g")
		in, l := g.inFunc, g.loops
		g.inFunc, g.loops = "", nil
		body := g.block(d)
		g.inFunc, g.loops = in, l
		return []string{f + " := func() " + body, f + "()", f + "()"}
	case 15:
		t := g.typ()
		c, x := g.name("c"), g.name("x")
		send := c + " <- " + g.expr(t, 2)
		if g.IntN(2) == 0 {
			send = "go func() { " + send + " }()"
		}
		g.vars = append(g.vars, [2]string{x, t})
		return []string{c + " := make(chan " + t + ", 2)", send, x + " := <-" + c, "_ = " + x}
	case 16:
		for _, f := range g.funcs {
			if len(f.results) == 2 {
				a, b := g.name("v"), g.name("v")
				s := a + ", " + b + " := " + g.callOf(f, 2)
				g.vars = append(g.vars, [2]string{a, f.results[0]}, [2]string{b, f.results[1]})
				return []string{s, "_, _ = " + a + ", " + b}
			}
		}
		return g.assign()
	case 17:
		t := g.of("map")
		p := g.places(t, true)
		if len(p) == 0 {
			return g.declare(t, g.make(t, 2))
		}
		m, ty := p[g.IntN(len(p))], genByName[t]
		a, ok := g.name("v"), g.name("v")
		switch g.IntN(3) {
		case 0:
			return []string{"if " + m + " != nil { " + m + "[" + g.mapKey(ty.key) + "] = " + g.expr(ty.elem, 2) + " }"}
		case 1:
			return []string{"delete(" + m + ", " + g.mapKey(ty.key) + ")"}
		}
		s := a + ", " + ok + " := " + m + "[" + g.mapKey(ty.key) + "]"
		g.vars = append(g.vars, [2]string{ok, "bool"})
		return []string{s, "_, _ = " + a + ", " + ok}
	case 18:
		if len(g.loops) > 0 && g.IntN(2) == 0 {
			return []string{"if (" + g.expr("bool", 1) + ") { " + g.one("break", "continue") +
				g.one("", " "+g.loops[g.IntN(len(g.loops))]) + " }"}
		}
		if g.inFunc != "" {
			return []string{"if (" + g.expr("bool", 1) + ") { " + g.ret() + " }"}
		}
		return g.assign()
	case 19:
		s := g.of("slice")
		p := g.places(s, true)
		if len(p) == 0 {
			return g.declare(s, g.make(s, 2))
		}
		x, e := p[g.IntN(len(p))], genByName[s].elem
		return []string{g.one("if len("+x+") > 1 { "+x+"[0], "+x+"[1] = "+x+"[1], "+g.expr(e, 1)+" }",
			x+" = lim(append("+x+", "+g.expr(e, 2)+"))", "copy("+x+", "+g.expr(s, 1)+")", "if len("+x+") > 0 { "+x+
				" = "+x+"[1:] }")}
	case 20:
		if len(g.loops) == 0 {
			break
		}
		l := g.name("L")
		return []string{l + ": switch { default: if (" + g.expr("bool", 1) + ") { break " + l + " }; " +
			strings.Join(g.assign(), "; ") + " }"}
	}
	t := g.one("int", "string", "N", "P", "bool", "[]int", "error", "I")
	return []string{g.one("fmt.Print("+g.expr(t, 3)+", \";\")", "fmt.Println("+g.expr(t, 2)+", "+g.expr("int8", 2)+")",
		"use("+g.typed(g.typ(), 3)+")")}
}

func (g *gen) mapKey(t string) string {
	if t == "any" {
		return g.one("1", `"a"`, "P{1, 2}", "N(3)", "[2]int{1}", "nil")
	}
	return g.expr(t, 1)
}

// loop writes a loop, with a label if something in its body names it.
func (g *gen) loop(head string, d int, vars ...[2]string) []string {
	l := g.name("L")
	g.loops = append(g.loops, l)
	body := g.with(d-1, vars...)
	g.loops = g.loops[:len(g.loops)-1]
	if strings.Contains(body, " "+l+" ") {
		head = l + ": " + head
	}
	return []string{head + body}
}

func (g *gen) switches(d int) []string {
	t := g.one("int", "string", "N", "P", "I", "bool")
	var b strings.Builder
	b.WriteString("switch " + g.one("", "use(); ") + "(" + g.force(t, g.expr(t, 2)) + ") { ")
	for i := range 1 + g.IntN(3) {
		c := g.force(t, g.expr(t, 1))
		if c == "bool(true)" || c == "bool(false)" || strings.HasPrefix(c, "string(\"") ||
			strings.HasPrefix(c, "int(") && len(c) < 7 {
			c = "k(" + c + ")" // constants may be in a switch once
		}
		b.WriteString("case " + c + g.one("", ", tr["+t+"](\"c\", "+g.expr(t, 1)+")") + ": " +
			strings.Trim(g.block(d), "{}"))
		if i == 0 && g.IntN(3) == 0 {
			b.WriteString("; fallthrough; ")
		} else {
			b.WriteString("; ")
		}
	}
	return []string{b.String() + "default: " + strings.TrimSuffix(strings.TrimPrefix(g.block(d), "{"), "}") + " }"}
}

func (g *gen) typeSwitch(d int) []string {
	x := g.name("x")
	var b strings.Builder
	b.WriteString("switch " + x + " := " + g.one("any("+g.expr(g.typ(), 2)+")", "any("+g.expr("any", 2)+")") +
		".(type) { ")
	seen := map[string]bool{}
	for range 1 + g.IntN(4) {
		t := g.typ()
		if seen[t] || t == "any" {
			continue
		}
		seen[t] = true
		b.WriteString("case " + t + ": " + g.bare(g.with(d, [2]string{x, t})) + "; ")
	}
	return []string{b.String() + "case nil, *N, map[bool]bool: fmt.Print(\"many \", " + x +
		"); default: fmt.Printf(\"other %T;\", " + x + ") }"}
}

func (g *gen) bare(s string) string {
	return strings.TrimSuffix(strings.TrimPrefix(s, "{ "), " }")
}

// assign writes an assignment to one place or several.
func (g *gen) assign() []string {
	for range 20 {
		t := g.typ()
		p := g.places(t, true)
		if len(p) == 0 {
			continue
		}
		x := p[g.IntN(len(p))]
		switch kind := genByName[t].kind; {
		case len(p) > 1 && g.IntN(3) == 0:
			y := p[g.IntN(len(p))]
			if x != y {
				return []string{x + ", " + y + " = " + g.expr(t, 2) + ", " + x}
			}
		case kind == "int" && g.IntN(2) == 0:
			return []string{x + g.one(" += ", " -= ", " *= ", " ^= ", " &^= ", " |= ", " <<= 1 + 0*") + g.expr(t, 2)}
		case kind == "int" && g.IntN(2) == 0:
			return []string{x + g.one("++", "--")}
		case (kind == "float" || kind == "complex") && g.IntN(2) == 0:
			return []string{x + g.one(" += ", " -= ") + g.expr(t, 2)}
		}
		return []string{x + " = " + g.expr(t, 2)}
	}
	t := g.typ()
	return g.declare(t, g.expr(t, 3))
}
