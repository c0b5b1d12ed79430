package visualize

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

var figure = regexp.MustCompile(sizeText + `\b|` + timeText + `\b`)

// checkPicture holds the figures in the texts of a picture against those of the text form, which were looked at.
func checkPicture(t *testing.T, v View) {
	t.Helper()
	in := map[string]bool{"0 B": true} // where an axis begins
	for _, f := range figure.FindAllString(v.Text(false), -1) {
		in[f] = true
	}
	seen := 0
	for _, text := range viewtest.TextsOf(v.SVG()) {
		for _, f := range figure.FindAllString(text.String, -1) {
			if seen++; !in[f] {
				t.Errorf("the picture has %s (%q), the text has not:\n%s", f, text.String, v.Text(false))
			}
		}
	}
	if seen == 0 {
		t.Error("a picture without figures")
	}
}

// flopsOf reads a number of operations; it is known to three digits.
func flopsOf(text string) float64 {
	number, unit, _ := strings.Cut(text, " ")
	f, _ := strconv.ParseFloat(number, 64)
	return f * map[string]float64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[strings.TrimSuffix(unit, "flop")]
}

// TestFiguresOfShapes: the sizes, bytes and operations of each call, and their sums, are those of the program.
func TestFiguresOfShapes(t *testing.T) {
	row := regexp.MustCompile(`(?m)In\[2\]:(\d+) +#?\S+ +(\w+)\(.*\) +→ (\[[\d ]*\]) float32 +(view|` + sizeText +
		`)(?: +(\d+(?:\.\d+)? [kMG]?flop))?$`)
	total := regexp.MustCompile(`(\d+) calls?, results of (` + sizeText + `)(?: \(the largest (` + sizeText +
		`)\))?, (\d+(?:\.\d+)? [kMG]?flop); nothing was computed`)
	randomPrograms(t, func(s *viewtest.Session, p *randomProgram) {
		v := Shapes(func() { p.run(s) })
		text := v.String()
		rows := row.FindAllStringSubmatch(text, -1)
		if len(rows) != len(p.steps) {
			t.Fatalf("%d rows of %d in\n%s", len(rows), len(p.steps), text)
		}
		bytes, largest, flops := 0, 0, 0.0
		for i, step := range p.steps {
			r := rows[i]
			if r[1] != strconv.Itoa(i+1) || r[2] != step.op || r[3] != fmt.Sprint(step.shape) {
				t.Errorf("%q is %s → %v", r[0], step.op, step.shape)
			}
			if step.bytes == 0 != (r[4] == "view") {
				t.Errorf("%q: %d bytes", r[0], step.bytes)
			} else if step.bytes > 0 {
				checkBytes(t, r[0], r[4], step.bytes)
			}
			if got := flopsOf(r[5]); math.Abs(got-step.flops) > 0.0051*step.flops {
				t.Errorf("%q: %g operations", r[0], step.flops)
			}
			bytes, largest, flops = bytes+step.bytes, max(largest, step.bytes), flops+step.flops
		}
		m := total.FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no sum in\n%s", text)
		}
		if m[1] != strconv.Itoa(len(p.steps)) || math.Abs(flopsOf(m[4])-flops) > 0.0051*flops {
			t.Errorf("%q: %d calls, %g operations", m[0], len(p.steps), flops)
		}
		checkBytes(t, m[0], m[2], bytes)
		if m[3] != "" || largest < bytes {
			checkBytes(t, m[0], m[3], largest)
		}
		checkPicture(t, v)
	})
}

// TestFiguresOfTraces: each call is there with the bytes and sizes of its result, and what an outline says of all is
// the sum of its lines.
func TestFiguresOfTraces(t *testing.T) {
	head := regexp.MustCompile(`^(\w+)\(.*\)   In\[2\]:(\d+)   keys`)
	outcome := regexp.MustCompile(`^└─ .*?   (?:(` + sizeText + `)   )?(` + timeText + `)   → float32(\[[\d ]*\])$`)
	line := regexp.MustCompile(`^(\w+) → float32(\[[\d ]*\])  @ In\[2\]:(\d+) +(?:(` + sizeText + `)  )?(` +
		timeText + `)$`)
	whole, folded := 0, 0
	randomPrograms(t, func(s *viewtest.Session, p *randomProgram) {
		v := TraceFunc(func() { p.run(s) })
		text := v.String()
		bytes := 0
		for _, step := range p.steps {
			bytes += step.bytes
		}
		found, nanos, within := 0, 0.0, 0.0
		call := func(op, at, shape, size, took string) {
			i, _ := strconv.Atoi(at)
			step := p.steps[i-1]
			if op != step.op || shape != fmt.Sprint(step.shape) {
				t.Errorf("%s → %s at line %d is %s → %v", op, shape, i, step.op, step.shape)
			}
			if size == "" {
				size = "0 B"
			}
			checkBytes(t, fmt.Sprintf("%s at line %d", op, i), size, step.bytes)
			n, w := nanosOf(t, took)
			found, nanos, within = found+1, nanos+n, within+w
		}
		var open []string
		for _, l := range strings.Split(text, "\n") {
			if m := head.FindStringSubmatch(l); m != nil {
				open = m
			} else if m := outcome.FindStringSubmatch(l); m != nil && open != nil {
				call(open[1], open[2], m[3], m[1], m[2])
				open = nil
			} else if m := line.FindStringSubmatch(l); m != nil {
				call(m[1], m[3], m[2], m[4], m[5])
			}
		}
		m := regexp.MustCompile(`trace: (\d+) calls?, with what they call (\d+), (` + sizeText + `) of results, (` +
			timeText + `)`).FindStringSubmatch(text)
		if m == nil {
			if whole++; found != len(p.steps) {
				t.Errorf("%d calls of %d in\n%s", found, len(p.steps), text)
			}
			checkPicture(t, v)
			return
		}
		folded++
		inner := 0
		var count func(list []*TracedCall)
		count = func(list []*TracedCall) {
			for _, c := range list {
				inner++
				count(c.Inner)
			}
		}
		count(v.Calls)
		if m[1] != strconv.Itoa(len(p.steps)) || m[2] != strconv.Itoa(inner) {
			t.Errorf("%q: there are %d, in all %d", m[0], len(p.steps), inner)
		}
		checkBytes(t, m[0], m[3], bytes)
		all, w := nanosOf(t, m[4])
		if found == len(p.steps) && math.Abs(all-nanos) > within+w || found < len(p.steps) && nanos > all+within+w {
			t.Errorf("%q: %d calls of %d took %g ns", m[0], found, len(p.steps), nanos)
		}
		if found < min(len(p.steps), 50) {
			t.Errorf("%d calls of %d in\n%s", found, len(p.steps), text)
		}
		checkPicture(t, v)
	})
	if whole == 0 || folded == 0 {
		t.Errorf("%d traces whole, %d folded", whole, folded)
	}
}

// TestFiguresOfFlames: the times of a flame add up, its shares and the widths of its bars are those times, and the
// table counts the calls, bytes and operations of the program.
func TestFiguresOfFlames(t *testing.T) {
	head := regexp.MustCompile(`flame   (` + timeText + `), of which (` + timeText + `) in (\d+) calls?`)
	node := regexp.MustCompile(`(?m)^( *)(\S.*?)  [█▏▎▍▌▋▊▉ ]{24} +(\d+|<1) %  (` + timeText + `)$`)
	bar := regexp.MustCompile(`<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"[^>]*><title>\w+  [^<]*?\n(` + timeText +
		`), (\d+|&lt;1) % of the function`)
	randomPrograms(t, func(s *viewtest.Session, p *randomProgram) {
		v := Flame(func() { p.run(s) })
		text := v.String()
		m := head.FindStringSubmatch(text)
		if m == nil {
			t.Fatal(text)
		}
		total, within := nanosOf(t, m[1])
		in, inWithin := nanosOf(t, m[2])
		type level struct{ left, within float64 }
		above := []level{{in, inWithin}}
		for _, l := range node.FindAllStringSubmatch(text, -1) {
			depth := len(l[1])/2 + 1
			took, w := nanosOf(t, l[4])
			share := math.Round(100 * took / total)
			if l[3] == "<1" {
				share = 0
			} else if f, _ := strconv.ParseFloat(l[3], 64); math.Abs(f-share) > 1+100*within/total {
				t.Errorf("%q is %.1f %% of %g", l[0], 100*took/total, total)
			}
			if depth > len(above) {
				t.Fatalf("%q stands too deep in\n%s", l[0], text)
			}
			above = above[:depth]
			if above[depth-1].left -= took; above[depth-1].left < -(above[depth-1].within + w) {
				t.Errorf("what is beneath takes longer by %g ns: %q", -above[depth-1].left, l[0])
			}
			above[depth-1].within += w
			above = append(above, level{took, w})
		}
		const wide = 676.0
		bars := bar.FindAllStringSubmatch(v.SVG(), -1)
		for _, b := range bars {
			px, _ := strconv.ParseFloat(b[3], 64)
			took, w := nanosOf(t, b[4])
			if math.Abs(px-took/total*wide) > 0.06+wide*(w+took*within/total)/total {
				t.Errorf("a bar of %s is %g wide where %s are %g", b[4], px, m[1], wide)
			}
		}
		if len(bars) == 0 {
			t.Error("no bars")
		}
		checkOperators(t, p, text, m[3])
	})
}

// checkOperators holds the table of a flame against the program.
func checkOperators(t *testing.T, p *randomProgram, text, all string) {
	t.Helper()
	row := regexp.MustCompile(`(?m)^([a-z_]+) +(\d+) +(` + timeText + `)(?: +(` + timeText + `))?(?: +(` + sizeText +
		`))?(?: +[\d.]+ [kMGT]?B/s +(?:in cache|(?:\d+|<1) %))?` +
		`(?: +(\d+(?:\.\d)? [kMG]|\d+) +[\d.]+ [kMGT]?flop/s +(?:\d+|<1) %)?$`)
	calls, moved, flops := map[string]int{}, map[string]int{}, map[string]float64{}
	for _, s := range p.steps {
		calls[s.op]++
		moved[s.op] += s.moved
		flops[s.op] += s.flops
	}
	sum := 0
	rows := row.FindAllStringSubmatch(text, -1)
	for _, r := range rows {
		n, _ := strconv.Atoi(r[2])
		sum += n
		op := r[1]
		if calls[op] == 0 { // what a body calls
			continue
		}
		if n != calls[op] {
			t.Errorf("%q: there are %d", r[0], calls[op])
		}
		delete(calls, op)
		if r[5] != "" || moved[op] > 0 {
			checkBytes(t, r[0], r[5], moved[op])
		}
		if got := flopsOf(r[6]); math.Abs(got-flops[op]) > 0.051*max(1, math.Pow(10, math.Floor(math.Log10(flops[op]+1)))) {
			t.Errorf("%q: %g operations", r[0], flops[op])
		}
	}
	if want, _ := strconv.Atoi(all); sum != want || len(calls) > 0 {
		t.Errorf("the table has %d calls of %s; not there: %v\n%s", sum, all, calls, text)
	}
}

// TestFiguresOfMemory: the storages of a view of memory are those that the program makes, each with its bytes and
// while it is there; the peak, what was made, and what is there at each mark add up.
func TestFiguresOfMemory(t *testing.T) {
	head := regexp.MustCompile(`peak (` + sizeText + `) at .*?   made (` + sizeText +
		`) in (\d+) storages?   there at the end (` + sizeText + `)`)
	row := regexp.MustCompile(`(?m)^(\w+)(?: → v(\d+))?(?: \(for \w+\))? @ In\[2\]:(\d+) +(` + sizeText +
		`) +(` + timeText + `) +(` + timeText + `) +(there at the end(?:, held by v(\d+))?|gone by (` + timeText + `))`)
	randomPrograms(t, func(s *viewtest.Session, p *randomProgram) {
		keep := map[int]bool{} // values that are there at the end; others may be gone as soon as they were used
		var kept []*tensor.Tensor
		v := Memory(func() {
			values := p.run(s)
			for i := len(p.leaves); i < len(values); i += 3 {
				keep[p.storageOf(i)] = true
				kept = append(kept, s.Name(fmt.Sprintf("v%d", i), values[i]))
			}
		})
		made, storages, most, atEnd := 0, 0, 0, 0
		for i, step := range p.steps {
			if step.bytes > 0 {
				made, storages = made+step.bytes, storages+1
				if keep[len(p.leaves)+i] {
					atEnd += step.bytes
				}
			}
		}
		text := v.String()
		m := head.FindStringSubmatch(text)
		if m == nil {
			t.Fatal(text)
		}
		checkBytes(t, "made", m[2], made)
		checkBytes(t, "peak", m[1], v.Peak)
		if m[3] != strconv.Itoa(storages) || v.Peak > made || v.Peak < most {
			t.Errorf("%q: %d storages of %d bytes", m[0], storages, made)
		}
		if last := v.Marks[len(v.Marks)-1].Live; last < atEnd {
			t.Errorf("%d bytes are there at the end, %d are held", last, atEnd)
		} else {
			checkBytes(t, "at the end", m[4], last)
		}
		rows := row.FindAllStringSubmatch(text, -1)
		if len(rows) != min(storages, 30) {
			t.Fatalf("%d storages of %d in\n%s", len(rows), storages, text)
		}
		for _, r := range rows {
			i, _ := strconv.Atoi(r[3])
			step := p.steps[i-1]
			if r[1] != step.op {
				t.Errorf("%q is of %s", r[0], step.op)
			}
			checkBytes(t, r[0], r[4], step.bytes)
			begun, a := nanosOf(t, r[5])
			used, b := nanosOf(t, r[6])
			if used < begun-a-b {
				t.Errorf("used before it was made: %q", r[0])
			}
			if r[9] != "" {
				if gone, c := nanosOf(t, r[9]); gone < used-b-c {
					t.Errorf("used after it was gone: %q", r[0])
				}
			}
			if keep[len(p.leaves)+i-1] && r[9] != "" {
				t.Errorf("it is held: %q", r[0])
			}
		}
		for i, k := range v.Marks { // each from what is said of the storages
			live := 0
			for _, o := range v.Storages {
				if o.MadeMark <= i && (o.GoneMark < 0 || o.GoneMark > i) {
					live += o.Bytes
				}
			}
			if k.Live != live {
				t.Errorf("mark %d has %d bytes, its storages %d", i, k.Live, live)
			}
		}
		checkPicture(t, v)
		for i, x := range kept {
			_ = x.Numel()
			delete(s.Named, kept[i])
		}
	})
}
