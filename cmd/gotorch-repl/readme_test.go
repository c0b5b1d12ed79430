package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

var fences = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// blocks returns the fenced blocks of a kind in a Markdown file, which must have one.
func blocks(t *testing.T, file, kind string) []string {
	t.Helper()
	out := fenced(t, file, kind)
	if len(out) == 0 {
		t.Fatalf("%s has no block of kind %s", file, kind)
	}
	return out
}

func fenced(t *testing.T, file, kind string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range fences.FindAllStringSubmatch(string(text), -1) {
		if m[1] == kind {
			out = append(out, m[2])
		}
	}
	return out
}

// varying is what differs from run to run: durations, how often %timeit ran, and the numbers of storages, which are
// given in the order of asking, which other tests share.
var varying = regexp.MustCompile(`\d[\d.]* ?(?:ns|µs|ms|s)\b|runs of \d+|storage #\d+`)

// instructionSet is what the notes of kernels say on some machines only.
var instructionSet = regexp.MustCompile(` avx(?:2|512)\b`)

// steady is what a session shows without what varies.
func steady(shown string) string {
	return varying.ReplaceAllString(instructionSet.ReplaceAllString(shown, ""), "·")
}

// TestDocumentedSessions types the sessions of the README and of docs, those of a file one after the other, and
// compares all that they show; -update writes what differs.
func TestDocumentedSessions(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	sessions := 0
	for _, file := range append(files, filepath.Join(root, "README.md")) {
		rel, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		var typed []string
		for _, block := range fenced(t, rel, "text") {
			if strings.HasPrefix(block, ">>> ") {
				typed = append(typed, block)
			}
		}
		if len(typed) == 0 {
			continue
		}
		sessions++
		t.Run(filepath.Base(file), func(t *testing.T) {
			s := newSession()
			defer s.Close()
			name := filepath.Join(t.TempDir(), "session.txt")
			if err := os.WriteFile(name, []byte(strings.Join(typed, "\n")), 0o666); err != nil {
				t.Fatal(err)
			}
			for _, e := range transcript(t, name) {
				var out strings.Builder
				evalPlain(t.Context(), s, e.code, plain(&out, &out, nil))
				if steady(out.String()) == steady(e.want) {
					continue
				}
				if *update && e.want != "" {
					text, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(file, []byte(strings.Replace(string(text), e.want, out.String(), 1)), 0o666); err != nil {
						t.Fatal(err)
					}
				} else {
					t.Errorf(">>> %s\n%swant\n%s", e.code, out.String(), e.want)
				}
			}
		})
	}
	if sessions < 2 {
		t.Errorf("sessions in %d files only", sessions)
	}
}

// TestReadmeProgram builds and runs the Go program of the README.
func TestReadmeProgram(t *testing.T) {
	dir, err := os.MkdirTemp(root, "readme_program_")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(blocks(t, "README.md", "go")[0]), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "./"+filepath.Base(dir))
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if want := "tensor([[ 3],\n        [12]])\n"; err != nil || string(out) != want {
		t.Errorf("%v\n%swant\n%s", err, out, want)
	}
}

// TestReadmeCommands runs the commands of the README: the prompt, the install; and sees that the test command is the
// one it says.
func TestReadmeCommands(t *testing.T) {
	t.Parallel() // it drives other processes
	commands := strings.Join(blocks(t, "README.md", "console"), "")
	for _, c := range strings.Split(strings.TrimSpace(commands), "\n") {
		switch c = strings.TrimPrefix(c, "$ "); c {
		case "go run ./cmd/gotorch-repl":
			cmd := exec.Command("go", "run", "./cmd/gotorch-repl")
			cmd.Dir, cmd.Stdin = root, strings.NewReader("Arange(3)\n")
			if out, err := cmd.Output(); err != nil || string(out) != "tensor([0, 1, 2])\n" {
				t.Errorf("%s: %v\n%s", c, err, out)
			}
		case "go test ./...": // this is it
		case "go install ./cmd/gotorch-repl && gotorch-repl install --user":
			home := t.TempDir()
			cmd := exec.Command(program(t), "install", "--user")
			cmd.Env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME=", "JUPYTER_DATA_DIR=")
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), home) {
				t.Errorf("%s: %v\n%s", c, err, out)
			}
		default:
			t.Errorf("the command %q is not tested", c)
		}
	}
}

// TestReadmePicture draws the README's picture again.
func TestReadmePicture(t *testing.T) {
	svg, errOut, status := feed(t,
		"x := Arange(12).View(3, 4)\nfmt.Println(visualize.Strides(x, x.T(), x[1:, ::2]).SVG())\n")
	if status != 0 {
		t.Fatal(errOut)
	}
	name := filepath.Join(root, "docs", "strides.svg")
	if *update {
		if err := os.WriteFile(name, []byte(svg), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if svg != string(want) {
		t.Errorf("docs/strides.svg is stale: go test ./cmd/gotorch-repl -run Readme -update\n%s", svg)
	}
}
