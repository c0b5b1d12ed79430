package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"gotorch/internal/programs"
	"gotorch/interp"
)

// interpreted has the programs of package programs: cells beside Python, and beside yaegi as it is.
func interpreted(t *table) {
	t.in("interpreted programs")
	for _, p := range programs.All {
		setup := "def declare():\n pass" // rows without a setup have a statement too
		if p.Setup != "" {
			setup = strings.TrimSpace(p.Setup)
		}
		t.add("p."+strings.ReplaceAll(p.Name, " ", "_"), setup, p.Python, func() func() {
			s := interp.New(interp.Options{})
			cell := func(src string) (shown string) {
				values, err := s.Eval(context.Background(), src, nil)
				if err != nil {
					panic(err)
				}
				for _, v := range values {
					shown += v.Text
				}
				return shown
			}
			cell(p.Declare)
			if got := cell(p.Run); got != p.Want {
				panic(fmt.Sprintf("%s gives %s, not %s", p.Name, got, p.Want))
			}
			return func() { cell(p.Run) }
		})
		t.rows[len(t.rows)-1].program = &p
	}
}

// yaegi is the command of the interpreter beneath cells, for comparison.
type yaegi struct{ dir string }

// startYaegi builds the command. It returns nil where that cannot be done: outside of the source tree.
func startYaegi() *yaegi {
	dir, err := os.MkdirTemp("", "yaegi")
	if err != nil {
		return nil
	}
	y := &yaegi{dir}
	if err := exec.Command("go", "build", "-o", y.path(), "github.com/traefik/yaegi/cmd/yaegi").Run(); err != nil {
		y.close()
		return nil
	}
	return y
}

func (y *yaegi) path() string { return filepath.Join(y.dir, "yaegi") }

func (y *yaegi) close() {
	if y != nil {
		os.RemoveAll(y.dir)
	}
}

// measure is the least time of three runs of p in seconds, 0 where it fails. The command reads Go from standard input,
// as its users type it.
func (y *yaegi) measure(p *programs.Program) float64 {
	if y == nil {
		return 0
	}
	imports, declare := "", p.Declare
	if first, rest, ok := strings.Cut(declare, "\n"); ok && strings.HasPrefix(first, "import") {
		imports, declare = first+"\n", rest
	}
	statements := strings.Split(p.Run, "\n")
	result := statements[len(statements)-1]
	run := strings.Join(statements[:len(statements)-1], "\n") + "\n_ = " + result
	cmd := exec.Command(y.path())
	cmd.Stdin = strings.NewReader(imports + "import \"time\"\n" + declare + `
var began, least = time.Now(), 1e9
for round := 0; round < 3; round++ {
began = time.Now()
` + run + `
if took := time.Since(began).Seconds(); took < least { least = took }
}
println("seconds", least)
`)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0
	}
	var seconds float64
	if _, after, ok := strings.Cut(string(out), "seconds "); ok {
		fmt.Sscan(after, &seconds)
	}
	return seconds
}
