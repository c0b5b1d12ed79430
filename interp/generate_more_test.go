package interp

import "fmt"

// idiom writes statements that belong together: what a user writes in one go, and what an interpreter may get wrong
// as a whole.
func (g *gen) idiom(d int) []string {
	t, u := g.typ(), g.one("int", "string", "P", "N", "A3", "S", "bool", "[]int")
	a, b, c := g.name("v"), g.name("v"), g.name("v")
	in, loops := g.inFunc, g.loops
	inside := func(f func() string) string { // of a closure
		g.inFunc, g.loops = "", nil
		defer func() { g.inFunc, g.loops = in, loops }()
		return f()
	}
	i := g.name("i")
	switch g.IntN(22) {
	case 0: // a method value keeps its receiver
		r := g.one("P", "S", "A3", "U")
		return []string{fmt.Sprintf("%s := %s; %s := %s.Sum; %s = %s; fmt.Print(%s(), %s.Sum(), \";\")", a, g.typed(r, 2), b,
			a, a, g.expr(r, 2), b, a)}
	case 1:
		return []string{fmt.Sprintf("%s, %s := any(%s).(%s); fmt.Println(%s, %s)", a, b, g.typed(t, 2), u, a, b)}
	case 2:
		return g.loop("for "+i+", "+a+" := range cut("+g.expr("string", 2)+") ", d, [2]string{i, "int"})[:0:0]
	case 3:
		return []string{fmt.Sprintf("{ type L struct { A %s; B %s; c *L }; %s := L{A: %s, B: %s}; %s := %s; %s.A = %s; "+
			"%s.c = &%s; fmt.Printf(\"%%v %%+v %%T;\", %s.A, %s.c.B, %s.A) }",
			u, u, a, g.expr(u, 2), g.expr(u, 1), b, a, b, g.expr(u, 2), b, a, a, b, b)}
	case 4: // closures of a loop
		return []string{fmt.Sprintf("{ var %s []func() %s; for %s := range 3 { %s := %s; use(%s, %s); %s = append(%s, "+
			"func() %s { defer func() { %s = %s }(); return %s }) }; for _, f := range %s { fmt.Print(f(), f(), \";\") } }",
			a, u, i, b, g.force(u, g.expr(u, 2)), i, b, a, a, u, b, g.expr(u, 1), b, a)}
	case 5:
		return []string{fmt.Sprintf("%s := %s; %s := &%s; %s := &%s; **%s = %s; fmt.Println(%s, **%s)", a,
			g.force(u, g.expr(u, 2)), b, a, c, b, c, g.expr(u, 2), a, c)}
	case 6:
		return []string{inside(func() string {
			return fmt.Sprintf("fmt.Println(func() (r %s, n int) { for %s := range 3 { defer func() { n += %s; if n > 2 { r "+
				"= %s } }() }; return %s, %s }())", u, i, i, g.expr(u, 2), g.expr(u, 2), g.expr("int", 1))
		})}
	case 7:
		return []string{fmt.Sprintf(
			"%s := map[int]%s{1: %s}; %s[1], %s[2] = %s, %s[1]; %s[%s%%3] = %s[2]; fmt.Println(%s, len(%s))", a, u,
			g.expr(u, 2), a, a, g.expr(u, 1), a, a, g.expr("int", 1), a, a, a)}
	case 8:
		return []string{fmt.Sprintf("%s := make(chan %s, 1); select { case %s <- %s: fmt.Print(\"sent;\"); default: "+
			"fmt.Print(\"full;\") }; select { case %s, ok := <-%s: fmt.Println(%s, ok); default: fmt.Print(\"empty;\") }; "+
			"close(%s); %s, ok%s := <-%s; fmt.Println(%s, ok%s)",
			a, u, a, g.expr(u, 2), b, a, b, a, c, c, a, c, c)}
	case 9:
		return []string{inside(func() string {
			return fmt.Sprintf("func() { %s := 0; again: %s++; fmt.Print(%s, \";\"); if %s < 3 { goto again } }()", a, a,
				g.expr("int", 1), a)
		})}
	case 10:
		return []string{fmt.Sprintf("fmt.Println(func() (%s, %s, error) { return %s, %s, %s }())", t, u,
			g.expr(g.one("P"), 0)+"", g.expr(u, 1), "nil")}[:0:0]
	case 11:
		return []string{fmt.Sprintf("%s := []%s{%s, %s, %s}; slices.SortStableFunc(%s, func(a, b %s) int { return "+
			"len(fmt.Sprint(a)) - len(fmt.Sprint(b)) }); %s := slices.IndexFunc(%s, func(x %s) bool { return "+
			"len(fmt.Sprint(x)) > 2 }); fmt.Println(%s, %s)",
			a, u, g.expr(u, 2), g.expr(u, 1), g.expr(u, 2), a, u, b, a, u, a, b)}
	case 12: // values of arrays and structs are copies
		return []string{fmt.Sprintf("%s := [2]%s{%s, %s}; %s := %s; %s := &%s; %s[0] = %s; for i, x := range %s { %s[1-i] "+
			"= x }; for i, x := range %s { %s[1-i] = x }; fmt.Println(%s, %s)", a, u, g.expr(u, 2), g.expr(u, 1), b, a, c, b, c,
			g.expr(u, 2), b, b, c, c, a, b)}
	case 13:
		return []string{fmt.Sprintf("%s := []*S{{A: %s}, {B: %s}}; %s[0].Inc(%s); %s[1].D, %s[0].A = %s[0].D, %s[1].A; "+
			"for _, p := range %s { p.A++; fmt.Print(*p, \";\") }", a, g.expr("int", 2), g.expr("string", 1), a,
			g.expr("int", 1), a, a, a, a, a)}
	case 14:
		return []string{fmt.Sprintf("%s := []S{{A: %s}, {D: %s}}; for i := range %s { %s[i].Inc(%s); %s[i].D[1] += i }; "+
			"for _, s := range %s { s.Inc(5) }; fmt.Println(%s)", a, g.expr("int", 2), g.expr("[2]int", 1), a, a,
			g.expr("int", 1), a, a, a)}
	case 15:
		return []string{fmt.Sprintf("%s := struct { *S; k %s }{&S{A: %s}, %s}; %s := %s; %s.Inc(%s); %s.A += 2; %s.S = "+
			"&S{}; fmt.Println(%s.A, %s.Sum(), %s.k, I(%s).Sum())", a, u, g.expr("int", 2), g.expr(u, 2), b, a, b,
			g.expr("int", 1), b, b, a, b, b, a)}
	case 16:
		return []string{fmt.Sprintf(
			"const %s = %d; const %s %s = %s*2 + 1; fmt.Println(%s*%s, %s<<2, float64(%s)/2, %s/2, %s == 7)", a, g.IntN(20), b,
			g.one("int16", "int", "N", "uint16"), a, b, b, b, a, a, b)}
	case 17:
		return []string{fmt.Sprintf("%s := func(n int) func() %s { %s := []%s{%s, %s}; return func() %s { n++; return "+
			"%s[n%%2] } }; %s := %s(%s & 7); fmt.Println(%s(), %s(), %s(0)())", a, u, b, u, g.expr(u, 1), g.expr(u, 1), u, b, c,
			a, g.expr("int", 1), c, c, a)}
	case 18:
		return []string{fmt.Sprintf("var %s func(int) %s; %s = func(n int) %s { if n <= 0 { return %s }; x := %s(n - 1); "+
			"use(x); return %s }; fmt.Println(%s(3))", a, u, a, u, g.expr(u, 2), a, g.one("x", g.expr(u, 1)), a)}
	case 19:
		return []string{fmt.Sprintf("%s := append([]%s(nil), %s, %s, %s); %s := %s[1:2]; %s = append(%s, %s); %s = "+
			"append(%s[:1], %s[2:]...); fmt.Println(%s, %s, len(%s), cap(%s[:1:2]))", a, u, g.expr(u, 1), g.expr(u, 2),
			g.expr(u, 1), b, a, b, b, g.expr(u, 2), a, a, a, a, b, a, a)}
	case 20:
		return []string{fmt.Sprintf("for %s, %s := range map[string]%s{\"k\": %s} { fmt.Print(%s, %s, \";\") }", a, b, u,
			g.expr(u, 2), a, b)}
	}
	return []string{fmt.Sprintf("for %s, %s := range cut(%s) { fmt.Print(%s, string(%s), %s, \";\") }", i, a,
		g.expr("string", 2), i, a, g.expr("int", 1))}
}
