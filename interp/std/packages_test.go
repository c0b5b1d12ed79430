package std_test

import (
	"context"
	"errors"
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
	"time"
)

// TestPackagesStop interrupts cells inside of packages that read what never comes or never ends.
func TestPackagesStop(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	const types = `type P struct { X int; y int }
type In struct { Z int }
type E struct { In; W int }
type Endless struct{ s string }
func (e Endless) Read(p []byte) (int, error) { n := 0; for n+len(e.s) <= len(p) && n < 4096 { n += copy(p[n:],
	e.s) }; return n, nil }
type Sink struct{}
func (Sink) Write(p []byte) (int, error) { return len(p), nil }
pr, pw := io.Pipe()
var p P; var e E
`
	for _, src := range []string{
		"gob.NewDecoder(pr).Decode(&p)",
		"var m map[string]int; gob.NewDecoder(pr).Decode(&m)",
		"gob.NewDecoder(bufio.NewReader(pr)).Decode(&p)",
		"xml.NewDecoder(pr).Decode(&p)",
		"xml.NewDecoder(bufio.NewReader(pr)).Decode(&e)",
		"xml.NewDecoder(pr).Token()",
		"json.NewDecoder(pr).Decode(&e)",
		"gzip.NewReader(pr)",
		"zlib.NewReader(pr)",
		"io.ReadAll(flate.NewReader(pr))",
		"b := make([]byte, 10); flate.NewReader(bufio.NewReader(pr)).Read(b)",
		"b := make([]byte, 10); bzip2.NewReader(pr).Read(b)",
		"tar.NewReader(pr).Next()",
		"gob.NewEncoder(pw).Encode(p)",
		"xml.NewEncoder(pw).Encode(e)",
		"io.Copy(io.Discard, Endless{\"abcd\"})",
		"io.ReadAll(bufio.NewReader(Endless{\"\"}))",
		"gz := gzip.NewWriter(pw); gz.Write([]byte(\"x\")); gz.Close()",
		"b := make([]byte, 1e8); gz := gzip.NewWriter(io.Discard); for { gz.Write(b) }",
		"bufio.NewReader(Endless{\"\"}).ReadString(10)",
		"for sc := bufio.NewScanner(io.TeeReader(Endless{\"a\\n\"}, io.Discard)); sc.Scan(); {}",
		"io.Copy(io.Discard, io.MultiReader(Endless{\"ab\"}))",
		"tar.NewWriter(pw).WriteHeader(&tar.Header{Name: \"x\"})",
		"w, _ := zip.NewWriter(pw).Create(\"x\"); for { w.Write(make([]byte, 1e6)) }",
		"slog.New(slog.NewJSONHandler(pw, nil)).Info(\"x\")",
		"json.NewEncoder(pw).Encode(e)",
		"var s scanner.Scanner; s.Init(pr); s.Scan()",
		"io.Copy(gzip.NewWriter(io.Discard), Endless{\"abcd\"})",
		"import crand \"crypto/rand\"\nio.Copy(gzip.NewWriter(Sink{}), crand.Reader)",
		"xml.NewDecoder(Endless{\"<a>\"}).Decode(&p)",
		"xml.NewDecoder(Endless{\"<a></a>\"}).Decode(&e)\nd := xml.NewDecoder(Endless{\"<a></a>\"}); for { d.Token() }",
		"l := slog.New(slog.NewTextHandler(Sink{}, nil)); for { l.Info(\"x\", \"p\", p) }",
		"for i := 0; ; i++ { sha256.Sum256([]byte(fmt.Sprint(i))) }",
		"b := make([]byte, 2e8); for { sha512.Sum512(b) }",
		"template.Must(template.New(\"\").Parse(`{{range .}}{{.}}{{end}}`)).Execute(io.Discard, make(chan int))",
		"t := template.Must(template.New(\"\").Parse(`{{range .C}}{{.}}{{end}}`))\n" +
			"t.Execute(Sink{}, map[string]any{\"C\": make(chan int)})",
	} {
		t.Run(src, func(t *testing.T) {
			s := interp.New(interp.Options{})
			defer s.Close()
			if got := celltest.Cell(s, types); got != "" {
				t.Fatal(got)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			var e *interp.Error
			if _, err := s.Eval(ctx, src, interp.Discard); !errors.As(err, &e) || e.Name != "Interrupted" {
				t.Errorf("%v", err)
			}
			got := celltest.Cell(s, "p.X + 1")
			// one call of a hash function over all bytes ends by itself, late on a busy machine
			for begin := time.Now(); strings.HasPrefix(got, "Busy") && time.Since(begin) < 30*time.Second; {
				time.Sleep(100 * time.Millisecond)
				got = celltest.Cell(s, "p.X + 1")
			}
			if got != "1\n" {
				t.Errorf("then p.X + 1 is %q", got)
			}
		})
	}
}

// TestPackagesFail makes packages fail, and what they call: each is an error of the cell, and the session goes on.
func TestPackagesFail(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, `type Bad struct{ X int }
func (Bad) Write(p []byte) (int, error) { panic("no writing") }
func (Bad) Read(p []byte) (int, error) { panic("no reading") }
func (Bad) MarshalXML(*xml.Encoder, xml.StartElement) error { panic("no XML") }
func (Bad) GobEncode() ([]byte, error) { panic("no gob") }
func (Bad) LogValue() slog.Value { panic("no value") }
func (Bad) MarshalText() ([]byte, error) { return nil, errors.New("no text") }
type Shape interface{ Area() float64 }
type Square struct{ Side float64 }
func (s Square) Area() float64 { return s.Side * s.Side }
type Cycle struct { Next *Cycle; v int }
type Drawing struct { Shapes []Shape }
cycle := &Cycle{}
cycle.Next = cycle
var buf bytes.Buffer`)
	for _, c := range []struct{ src, want string }{
		{`c := exec.Command("echo", "x"); c.Stdout = Bad{}; c.Run()`, "no writing"},
		{`c := exec.Command("cat"); c.Stdin = Bad{}; c.Run()`, "no reading"},
		{"ctx, cancel := context.WithCancel(context.Background())\nc := exec.CommandContext(ctx, \"sleep\", \"100\"); " +
			"c.Cancel = func() error { panic(\"no cancel\") }\nc.Start(); cancel(); c.Wait()", "no cancel"},
		{`var c *exec.Cmd; c.Run()`, "nil"},
		{`var c *exec.Cmd; c.Wait()`, "nil"},
		{`(&exec.Cmd{}).Run()`, "exec: no command"},
		{`(&exec.Cmd{}).Wait()`, "exec: not started"},
		{`c := exec.Command("true"); c.Run(); c.Run()`, "exec: already started"},
		{`c := exec.Command("true"); c.Stdout = &buf; c.Output()`, "exec: Stdout already set"},
		{`xml.Marshal(Bad{})`, "no XML"},
		{`gob.NewEncoder(&buf).Encode(Bad{})`, "no gob"},
		{`slog.New(slog.NewTextHandler(io.Discard, nil)).Info("x", "k", Bad{}); "lives"`, "lives"},
		{`slog.New(nil)`, "nil Handler"},
		{`slog.SetDefault(nil)`, "nil"},
		{`var l *slog.Logger; l.Info("x")`, "nil"},
		{`gob.Register(Square{})`, "gob.Register cannot be used in a cell for main.Square"},
		{`gob.NewEncoder(&buf).Encode(Drawing{[]Shape{Square{1}}})`,
			"an interface holds a value of a type that a cell declares"},
		{`gob.NewEncoder(&buf).Encode(cycle)`, "it contains itself"},
		{"type none struct{ x int }\ngob.NewEncoder(&buf).Encode(none{})", "no exported fields"},
		{`gob.NewDecoder(strings.NewReader("garbage that is no gob")).Decode(&buf)`, "EOF"},
		{`gob.NewDecoder(&buf).Decode(Square{})`, "non-pointer"},
		{`xml.Unmarshal([]byte("<a>"), Square{})`, "non-pointer"},
		{`png.Encode(io.Discard, image.NewUniform(color.Black))`, "image/png.Encode: 2,000,000,000 elements take 89.4 GiB"},
		{`h := "\x00\x00\x00\rIHDR\x00\x01\x86\xa0\x00\x01\x86\xa0\x08\x06\x00\x00\x00"; var b bytes.Buffer
b.WriteString("\x89PNG\r\n\x1a\n" + h); binary.Write(&b, binary.BigEndian, crc32.ChecksumIEEE([]byte(h[4:])))
image.Decode(io.MultiReader(&b, strings.NewReader("\x00\x00\x00\x00IDAT")))`, "10,000,000,000 elements take"},
		{`var e png.Encoder; e.Encode(io.Discard, image.White)`, "image/png.Encoder.Encode: 2,000,000,000 elements"},
		{`var sq *Square; xml.Unmarshal([]byte("<a>"), sq)`, "nil pointer"},
		{`xml.Unmarshal([]byte("<a><b></a>"), &Square{})`, "XML syntax error"},
		{`xml.Marshal(make(chan int))`, "unsupported type"},
		{`zip.NewReader(bytes.NewReader(nil), -5)`, "zip"},
		{`tar.NewReader(strings.NewReader(strings.Repeat("x", 1024))).Next()`, "tar"},
		{`hmac.New(nil, nil)`, "nil"},
		{`import crand "crypto/rand"` + "\n" + `crand.Int(crand.Reader, big.NewInt(0))`, "argument to Int is <= 0"},
		// the names that several packages have are what they were
		{`rand.Intn(1) + len(template.HTMLEscapeString("<"))`, "4"},
		{`import "unique"`, "package unique is not available in cells"},
	} {
		if got := celltest.Cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%s\ngives %s\nwant %s", c.src, got, c.want)
		}
		if got := celltest.Cell(s, "1 + 1"); got != "2\n" {
			t.Errorf("after %s 1 + 1 is %q", c.src, got)
		}
	}
}
