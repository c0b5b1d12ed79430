package line

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const (
	kUp, kDown, kRight, kLeft = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
	pasted0, pasted1          = "\x1b[200~", "\x1b[201~"
)

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, keys, want string }{
		{"plain", "abc\r", "abc"},
		{"keys of several terminals", "bc\x1b[1~a\x1b[4~d\x1b[Hx\x1b[Fy\x1bOHz\x1b[7~w\r", "wzxabcdy"},
		{"words", "one two three\x1b[1;5D\x1b[1;5DX\x1bfY\r", "one XtwoY three"},
		{"kill and yank", "one two\x17\x01\x0b\x19\x19\r", "one one "},
		{"what is cut in a row is one text", "one two three\x17\x17\x19 \x19\r", "one two three two three"},
		{"forwards too", "one two three\x01\x1bd\x1bd\x05 \x19\r", " three one two"},
		{"capitals", "one two three\x01\x1bu\x1bc\x1b[D\x1b[D\x1bl\r", "ONE Two three"},
		{"the last word", "\x1b.\r", "second"},
		{"of the cell before that", "a \x1b.\x1b. b\r", "a f(x, y)} b"},
		{"and no further", "a \x1b.\x1b.\x1b.\x1b.\r", "a f(x, y)}"},
		{"the oldest cell", "ab\x1b<\r", "first {\n\tx + f(x, y)}"},
		{"and back", "ab\x1b<\x1b>c\r", "abc"},
		{"Ctrl-R and Ctrl-S", "\x12f\x13\r\r", "first {\n\tx + f(x, y)}"},
		{"Ctrl-R twice and Ctrl-S", "\x12s\x12\x13\r\r", "second"},
		{"the cell's ends", "\x1b[13;2ua\x1b[1;5Hb\x1b[1;5Fc\r", "b\nac"},
		{"an editor", "ab\x18\x05d\r", "[ab]d"},
		{"an editor by Alt-E and F2", "ab\x1be\x1bOQ\x1b[[B\r", "[[[ab]]]"},
		{"Ctrl-X with another key", "ab\x18q\x18\x15c\r", "c"},
		{"delete, transpose", "abd\x1b[D\x1b[Dx\x14\x1b[3~\r", "abx"},
		{"an open brace goes on, indented", "f {\rx\r}\r", "f {\n\tx\n}"},
		{"in the middle of lines Enter breaks them", "f {\rx\r}" + kUp + "\ry\x1b[B\x1b[B\r", "f {\n\n\tyx\n}"},
		{"a paste is one cell and keeps its tabs", pasted0 + "f {\r\tx\r\t\tyy\r}\rz" + pasted1 + "\r",
			"f {\n\tx\n\t\tyy\n}\nz"},
		{"a paste with line ends of Windows", pasted0 + "a\r\nb\r\n" + pasted1 + "\r", "a\nb\n"},
		{"a paste holds no keys", pasted0 + "a\x1b[Ab\x01c" + pasted1 + "\r", "a[Abc"},
		{"two empty lines end what is not whole", "f {\r\r\r", "f {\n\n\t"},
		{"Alt-Enter", "a\x1b\rb\r", "a\nb"},
		{"case stands where gofmt has it", "f {\rcase 1:\rx\rdefault:\ry\r}\r", "f {\ncase 1:\n\tx\ndefault:\n\ty\n}"},
		{"undo", "abc\x17\x1f\r", "abc"},
		{"characters of several runes go as one", "e\u0301x\x7f\x7fa👩‍💻\x7f\r", "a"},
		{"unknown sequences are nothing", "a\x1b[99;1~\x1bOzb\x1b[200~\x1b[201~\r", "ab"},
		{"completion", "fo\tx al\t\r", "foox alpha"},
	} {
		got, _, err := typed(t, 40, 10, c.keys,
			Config{Complete: words("foo", "foox", "alpha"), Edit: func(s string) (string, error) {
				return "[" + s + "]\n", nil
			}}, "first {\n\tx + f(x, y)}", "second")
		if got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestEnds(t *testing.T) {
	if _, _, err := typed(t, 40, 10, "\x04", Config{}); err != io.EOF {
		t.Errorf("Ctrl-D at an empty cell: %v", err)
	}
	if _, _, err := typed(t, 40, 10, "ab", Config{}); err != io.EOF {
		t.Errorf("the end of the input: %v", err)
	}
	_, screen, err := typed(t, 40, 10, "f {\rhalf\x03", Config{})
	if !errors.Is(err, ErrInterrupt) || screen != "> f {\n.     half^C" {
		t.Errorf("Ctrl-C: %v\n%s", err, screen)
	}
	if got, _, _ := typed(t, 40, 10, "abc\x01\x04\r", Config{}); got != "bc" {
		t.Errorf("Ctrl-D in a cell: %q", got)
	}
}

func TestScreen(t *testing.T) {
	for _, c := range []struct {
		name       string
		w, h       int
		keys, want string
	}{
		{"a cell", 40, 10, "f {\rx", "> f {\n.     x▮"},
		{"rows that are full", 10, 10, "0123456789abcdef", "> 01234567\n89abcdef▮"},
		{"the cursor after a full row", 10, 10, "01234567", "> 01234567\n▮"},
		{"the cursor in an earlier row", 10, 10, "0123456789abcdef\x1b[H" + kRight, "> 0▮1234567\n89abcdef"},
		{"wide characters", 10, 10, "日本語日本語" + kLeft + kLeft, "> 日本語日\n▮本語"},
		{"wide characters and Backspace", 20, 10, "日本語" + kLeft + "\x7f", "> 日▮語"},
		{"a combining accent", 20, 10, "e\u0301e\u0301" + kLeft, "> e\u0301▮e\u0301"},
		{"more rows than the terminal has", 10, 3, pasted0 + "a\nb\nc\nd\ne" + pasted1, ". c\n. d\n. e▮"},
		{"candidates with notes", 40, 10, "fo\t", "> foo▮\n foo  note of foo\n foox note of foox"},
		{"a chosen one", 40, 10, "fo\t\t\t", "> foox▮\n foo  note of foo\n>foox note of foox"},
		{"the menu goes away", 40, 10, "fo\t\t\t.", "> foox.▮"},
		{"from the history", 40, 10, kUp, "> second▮"},
		{"a cell of lines comes back whole", 40, 10, kUp + kUp, "> first {▮\n.     x\n. }"},
		{"Up by what was typed", 40, 10, "fir" + kUp, "> first {▮\n.     x\n. }"},
		{"and back down", 40, 10, "fir" + kUp + kDown + kDown + kDown, "> fir▮"},
		{"Ctrl-R", 40, 10, "\x12X", "(history: 'X'): first {\n.     ▮x\n. }"},
		{"Ctrl-R, nothing", 40, 10, "\x12q", "(nothing has 'q'): ▮"},
		{"Ctrl-R, then Ctrl-G", 40, 10, "ab\x12X\x07", "> ab▮"},
	} {
		got := live(c.w, c.h, c.keys, Config{Complete: words("foo", "foox")}, "first {\n\tx\n}", "second")
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestSuggestion(t *testing.T) {
	got := live(40, 10, "sec", Config{Color: true}, "second thing")
	if got != "> sec▮ond thing" {
		t.Errorf("%q", got)
	}
	f := newFake(40, 10, "sec\x1b[C\r")
	e := New(Config{Terminal: f, Whole: wholeBraces, Color: true})
	e.hist.cells = []string{"second thing"}
	if cell, _ := e.Read("> ", ". "); cell != "second thing" {
		t.Errorf("taken: %q", cell)
	}
}

func TestHistoryFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history")
	os.WriteFile(file, []byte("an old line\n\n\"not quoted\n"), 0o600)
	cells := []string{"a", "f {\n\t\"x\\n\"\n}", `"quoted"`, `back\nslash`}
	e := New(Config{Terminal: newFake(40, 10, "a\r"+pasted0+"f {\n\t\"x\\n\"\n}"+pasted1+
		"\r\"quoted\"\rback\\nslash\rback\\nslash\r \r"), Whole: wholeBraces, History: file})
	for range 6 {
		if _, err := e.Read("> ", ". "); err != nil {
			t.Fatal(err)
		}
	}
	want := append([]string{"an old line", `"not quoted`}, cells...)
	if got := loadHistory(file).cells; !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestHistoryStaysBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history")
	os.WriteFile(file, []byte(strings.Repeat("a\nb\n", keepCells)+"c\n"), 0o600)
	loadHistory(file)
	if got := loadHistory(file).cells; len(got) != keepCells || got[len(got)-1] != "c" {
		t.Errorf("%d cells", len(got))
	}
}

// What is printed while a cell is typed stands above it.
func TestBackgroundOutput(t *testing.T) {
	f := newFake(20, 10, "f {\rab")
	e := New(Config{Terminal: f, Whole: wholeBraces})
	var shown string
	f.onKeys = func(left int) {
		switch left {
		case 1:
			e.Write([]byte("tick 1\nhal"))
		case 0:
			e.Write([]byte("f\n"))
			shown = f.screen(true)
		}
	}
	e.Read("> ", ". ")
	if want := "tick 1\nhalf\n> f {\n.     ab▮"; shown != want {
		t.Errorf("%s\nwant\n%s", shown, want)
	}
}

// A cell of several lines that the history gives runs again by Enter, until another key shows that it is edited.
func TestEnterRunsWhatIsRecalled(t *testing.T) {
	for keys, want := range map[string]string{
		kUp + "\r":                          "f {\n\tx\n}",
		kUp + kUp + "\r":                    "g {\n}",
		kUp + "\x05\ry\x1b[B\x1b[B\r":       "f {\n\ty\n\tx\n}",
		kUp + "\x7f" + "{\r}\x1b[B\x1b[B\r": "f {\n}\n\tx\n}",
	} {
		e := New(Config{Terminal: newFake(40, 10, keys), Whole: wholeBraces})
		e.hist.cells = []string{"g {\n}", "f {\n\tx\n}"}
		if got, err := e.Read("> ", ". "); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", keys, got, err, want)
		}
	}
}

// A program's question stands before the answer.
func TestLine(t *testing.T) {
	f := newFake(20, 10, "Adx\x7fa\r")
	e := New(Config{Terminal: f, Whole: wholeBraces})
	e.Write([]byte("hello\nname? "))
	got, err := e.Line("")
	if got != "Ada" || err != nil || f.screen(false) != "hello\nname? Ada" {
		t.Errorf("%q, %v\n%s", got, err, f.screen(false))
	}
}

// The prompt begins a row even if what was printed last did not end one.
func TestPromptBeginsARow(t *testing.T) {
	f := newFake(20, 10, "x\r")
	e := New(Config{Terminal: f, Whole: wholeBraces})
	e.Write([]byte("no end"))
	e.Read("> ", ". ")
	if got := f.screen(false); got != "no end\n> x" {
		t.Errorf("%q", got)
	}
}

// A paste of many lines is drawn once, not once a character.
func TestPasteIsDrawnOnce(t *testing.T) {
	text := strings.Repeat("0123456789012345678\n", 100)
	f := newFake(40, 50, pasted0+text+pasted1)
	e := New(Config{Terminal: f, Whole: wholeBraces})
	e.Read("> ", ". ")
	if f.drawn > 5*len(text) {
		t.Errorf("%d bytes drawn for %d pasted", f.drawn, len(text))
	}
}

// A paste takes memory in proportion to its length: a megabyte of text does not keep the editor busy.
func TestPasteIsNotCopied(t *testing.T) {
	text := strings.Repeat("a", 1<<17)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, _, err := typed(t, 40, 10, pasted0+text+pasted1+"\r", Config{})
	runtime.ReadMemStats(&after)
	if got != text || err != nil {
		t.Errorf("%d bytes of %d were read: %v", len(got), len(text), err)
	}
	if n := (after.TotalAlloc - before.TotalAlloc) / uint64(len(text)); n > 10000 {
		t.Errorf("%d bytes of memory for each that was pasted", n)
	}
}

func TestDecoderTakesPieces(t *testing.T) {
	input := "a\x1b[1;5D日\x1b[200~x\r\n\ty\x1b[201~\x1bb"
	whole := newFake(10, 10, input).keys
	r, w := io.Pipe()
	go func() {
		for i := range len(input) {
			io.WriteString(w, input[i:i+1])
		}
		w.Close()
	}()
	out, _ := io.ReadAll(&decoder{from: r})
	if pieces := []rune(string(out)); !slices.Equal(whole, pieces) || len(whole) != 10 {
		t.Errorf("%q\n%q", whole, pieces)
	}
}

func TestDumb(t *testing.T) {
	var out strings.Builder
	d := NewDumb(strings.NewReader("a\nf {\nx\n}\n"), &out, wholeBraces)
	for _, want := range []string{"a", "f {\nx\n}"} {
		if got, err := d.Read("> ", ". "); got != want || err != nil {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	if _, err := d.Read("> ", ". "); err != io.EOF {
		t.Errorf("the end: %v", err)
	}
}

func TestHighlight(t *testing.T) {
	src := "for i := 1 // x"
	got := highlight(src)
	for i, want := range map[int]string{0: styleKeyword, 4: styleNone, 9: styleNumber, 12: styleComment} {
		if got[i] != want {
			t.Errorf("byte %d: %q, want %q", i, got[i], want)
		}
	}
}

// Of a line without an end, however long, no more is kept than a prompt could show, before it and while a cell is
// typed.
func TestEndlessLine(t *testing.T) {
	f := newFake(20, 10, "x\r")
	e := New(Config{Terminal: f, Whole: wholeBraces})
	e.Write([]byte("first\n"))
	for range 100 {
		e.Write([]byte(strings.Repeat("a", longestLine/3)))
		e.Write([]byte(strings.Repeat("b", longestLine/3)))
	}
	if len(e.tail) != longestLine || !strings.HasSuffix(string(e.tail), "b") {
		t.Errorf("%d bytes are kept", len(e.tail))
	}
	e.Write([]byte("\nend"))
	if string(e.tail) != "end" {
		t.Errorf("%.20q is kept", e.tail)
	}
	f.onKeys = func(int) {
		for range 9 {
			e.Write([]byte(strings.Repeat("c", longestLine/2)))
		}
		if len(e.held) > longestLine {
			t.Errorf("%d bytes wait for their line's end", len(e.held))
		}
	}
	e.Read("> ", ". ")
}
