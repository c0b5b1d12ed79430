package interp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cellsOf reads a file of cells: a line of -- ends each.
func cellsOf(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), "\n") // what the file is
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n--\n")
}

// TestSafe tries to get out of the restricted mode, and does there what may be done.
func TestSafe(t *testing.T) {
	s := New(Options{Safe: true})
	defer s.Close()
	file := filepath.Join(t.TempDir(), "file")
	for _, src := range cellsOf(t, "escapes.txt") {
		got := cell(s, strings.ReplaceAll(src, "FILE", file))
		if !strings.Contains(got, "refused in the restricted mode") && !strings.Contains(got, "not available") &&
			!strings.Contains(got, "no package") && !strings.Contains(got, "import") {
			t.Errorf("%s\ngives %s", src, got)
		}
		if _, err := os.Stat(file); err == nil {
			t.Fatalf("%s wrote the file", src)
		}
	}
	if err := os.WriteFile(file, []byte("read me"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ src, want string }{
		{`b, err := os.ReadFile("FILE"); string(b), err`, "read me"},
		{"fmt.Println(len(os.Args) > 0)\nfmt.Fprintln(os.Stderr, os.Getpid() > 0)", "true\n"},
		{"x := Ones(2); x + 1", "tensor([2., 2.])"},
		{"f, err := os.Open(\"FILE\")\ndefer f.Close()\nb2, _ := io.ReadAll(f)\nstring(b2)", "read me"},
		{"%time x.Sum()", "tensor(2.)"},
		{"%who", "x"},
		{`fmt.Sprintf("%x", md5.Sum(nil))`, "d41d8cd98f00b204e9800998ecf8427e"},
		{`_, zerr := zip.OpenReader("FILE"); zerr`, "not a valid zip file"},
		{`xb, _ := xml.Marshal([]int{1, 2}); string(xb)`, "<int>1</int><int>2</int>"},
		{`me, merr := user.Current(); me != nil, merr`, "true"},
		{`slog.New(slog.NewTextHandler(io.Discard, nil)).Info("x"); url.PathEscape("a b")`, "a%20b"},
	} {
		if got := cell(s, strings.ReplaceAll(c.src, "FILE", file)); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.src, got, c.want)
		}
	}
}

// TestSafeLanguage: the restricted mode takes ordinary cells: those of the language's tests.
func TestSafeLanguage(t *testing.T) {
	s := New(Options{Safe: true})
	defer s.Close()
	for _, src := range cellsOf(t, "ordinary.txt") {
		if got := cell(s, src); strings.Contains(got, "refused") {
			t.Errorf("%s\ngives %s", src, got)
		}
	}
}
