package line

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRandomKeys: whatever is typed, what was drawn step by step is what a drawing from nothing shows, and the cursor
// stands where it stands there.
func TestRandomKeys(t *testing.T) {
	keys := []string{"a", "b ", "x.", "日", "e\u0301", "👩‍💻", "{", "}", "\t", "\x1b[Z", "\x01", "\x05", "\x0b", "\x15",
		"\x17", "\x19", "\x14", "\x1f",
		"\x7f", "\x1b[3~", "\x1b\r", kUp, kDown, kLeft, kRight, "\x1b[1;5D", "\x1b[1;5C", "\x12a", "\x07",
		pasted0 + "p {\n\tq\n" + pasted1, "\x1b[5~", "\x1b[6~"}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		var input strings.Builder
		for range 1 + r.IntN(40) {
			input.WriteString(keys[r.IntN(len(keys))])
		}
		w, h := 8+r.IntN(30), 40
		cfg := Config{Whole: wholeBraces, Complete: words("a1", "a2", "bb", "x"), Color: seed%2 == 0}
		f := newFake(w, h, input.String())
		cfg.Terminal = f
		e := New(cfg)
		e.hist.cells = []string{"a first {\n\tcell\n}", "b second", "日本 third"}
		f.onKeys = func(left int) {
			if left > 0 {
				return
			}
			fresh := newFake(w, h, "")
			c := e.lay(w, true)
			rows := c.end()
			if e.menu != nil {
				rows = append(rows, e.menu.rows(c.width, max(h-len(rows), 1), cfg.Color)...)
			}
			s := screen{term: fresh}
			s.draw(rows, c.row0, c.col0)
			if len(rows) < h && f.screen(true) != fresh.screen(true) {
				t.Errorf("seed %d, width %d, keys %q:\n%s\nwant\n%s", seed, w, input.String(), f.screen(true), fresh.screen(true))
			}
			if e.text.pos < 0 || e.text.pos > len(e.text.r) {
				t.Errorf("seed %d: the cursor at %d of %d", seed, e.text.pos, len(e.text.r))
			}
		}
		e.Read("> ", ". ")
	}
}
