package conformance

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	_ "gotorch/autograd"
	_ "gotorch/backends/cpu"
)

var (
	update = flag.Bool("update", false, "record which cases of the compact copy pass")
	every  = flag.Bool("every", false, "print every difference, not only the first of each file")
)

const (
	compact  = "testdata/vectors"
	baseline = "testdata/passing.json"
)

type runner interface{ run() error }

// outcome is what became of the cases of one file: a '1' for each that passed, and the first difference in words.
type outcome struct {
	marks   string
	first   string
	bugs    int
	reasons map[string]int // how many cases cannot be reproduced, by the reason that is proven for them
}

func (o outcome) excused() (n int) {
	for _, k := range o.reasons {
		n += k
	}
	return n
}

func (o outcome) passed() int { return strings.Count(o.marks, "1") }
func (o outcome) total() int  { return len(o.marks) }
func (o outcome) whole() bool { return o.passed() == o.total() }

func replay[T any, P interface {
	*T
	runner
}](t *testing.T, name string) outcome {
	rows, err := readLines[T](name)
	if err != nil {
		t.Fatal(err)
	}
	var o outcome
	for i := range rows {
		err := attempt(func() error { return P(&rows[i]).run() })
		if err == nil {
			o.marks += "1"
			continue
		}
		o.marks += "0"
		if c, ok := any(&rows[i]).(interface{ evidence() string }); ok {
			if why := c.evidence(); why != "" {
				if o.reasons == nil {
					o.reasons = map[string]int{}
				}
				o.reasons[why]++
				if *every {
					fmt.Printf("%s case %d: %.300s: %s\n", filepath.Base(name), i, err, why)
				}
				continue
			}
		}
		if *every {
			fmt.Printf("%s case %d: %.300s\n", filepath.Base(name), i, err)
		}
		if b, ok := err.(bug); ok {
			o.bugs++
			if o.bugs == 1 {
				o.first = fmt.Sprintf("case %d: %v", i, b)
			}
		}
		if o.first == "" {
			o.first = fmt.Sprintf("case %d: %v", i, err)
		}
	}
	return o
}

// The recorded kinds beside opinfo, in the order of the last line.
var kinds = []struct {
	name   string
	replay func(*testing.T, string) outcome
}{
	{"views", replay[viewCase]},
	{"programs", replay[programCase]},
	{"printing", replay[printingCase]},
	{"streams", replay[streamCase]},
	{"promotion", replay[promotionCase]},
}

func TestConformance(t *testing.T) {
	dir := os.Getenv("GOTORCH_VECTORS")
	isCompact := dir == ""
	if isCompact {
		dir = compact
	}
	results := map[string]outcome{}
	one := func(t *testing.T, name, file string, f func(*testing.T, string) outcome) {
		o := f(t, file)
		results[name] = o
		if o.whole() {
			fmt.Printf("%-50s %d of %d\n", name, o.passed(), o.total())
		} else {
			fmt.Printf("%-50s %d of %d%s  %.300s\n", name, o.passed(), o.total(), besides(o.excused()), o.first)
		}
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) { one(t, k.name, filepath.Join(dir, k.name+".jsonl.gz"), k.replay) })
	}
	files, err := filepath.Glob(filepath.Join(dir, "opinfo", "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s (%v)", dir, err)
	}
	t.Run("opinfo", func(t *testing.T) {
		for _, f := range files {
			op := operatorOf(f)
			t.Run(op, func(t *testing.T) { one(t, "opinfo/"+op, f, replay[opinfoCase]) })
		}
	})
	summary(results)
	if *update && !isCompact {
		document(t, results)
	}
	if isCompact {
		compare(t, results)
	}
}

// operatorOf is the operator whose vectors a file has. No two files of this repository have names that differ by case
// alone, which some file systems and module zips do not take: the vectors of T are in capital.T.jsonl.gz.
func operatorOf(file string) string {
	return strings.TrimPrefix(strings.TrimSuffix(filepath.Base(file), ".jsonl.gz"), "capital.")
}

// total is the last line of the run.
var total string

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if total != "" && (testing.Verbose() || code != 0) {
		fmt.Println(total)
	}
	os.Exit(code)
}

// summary makes the last line.
func summary(results map[string]outcome) {
	var parts []string
	for _, k := range kinds {
		o := results[k.name]
		parts = append(parts, fmt.Sprintf("%s %d of %d", k.name, o.passed(), o.total()))
	}
	ops, whole, passed, cases, beyond, none := 0, 0, 0, 0, 0, 0
	for name, o := range results {
		if strings.HasPrefix(name, "opinfo/") {
			ops++
			if o.whole() {
				whole++
			} else if o.passed()+o.excused() == o.total() {
				beyond++
			}
			none += o.excused()
			passed += o.passed()
			cases += o.total()
		}
	}
	total = fmt.Sprintf("%s · opinfo: %d of %d operators whole, %d of %d vectors",
		strings.Join(parts, " · "), whole, ops, passed, cases)
	if none > 0 {
		total += fmt.Sprintf(" · %d irreproducible, each proven: %d of %d operators whole without them",
			none, whole+beyond, ops)
	}
}

// besides says how many of those that did not pass cannot.
func besides(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (+%d irreproducible)", n)
}

// compare fails for every case that passed when the baseline was recorded and fails now.
func compare(t *testing.T, results map[string]outcome) {
	if *update {
		marks := map[string]string{} // what this run left out stays
		if text, err := os.ReadFile(baseline); err == nil {
			if err := json.Unmarshal(text, &marks); err != nil {
				t.Fatal(err)
			}
		}
		for name, o := range results {
			marks[name] = o.marks
		}
		text, err := json.MarshalIndent(marks, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(baseline, append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(baseline)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]string
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(results))
	for n := range results {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		got, was := results[n], want[n]
		if len(was) != len(got.marks) {
			t.Errorf("%s: %d cases, the baseline has %d: run with -update", n, len(got.marks), len(was))
			continue
		}
		for i := range was {
			if was[i] == '1' && got.marks[i] == '0' {
				t.Errorf("%s: case %d passed before and fails now; the first failing one: %s", n, i, got.first)
				break
			}
		}
	}
}
