package jupyter

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"
)

var seedHeader = `{"msg_id":"a_1","msg_type":"execute_request","session":"a","username":"u","date":"2026-01-01T00:00:00Z","version":"5.3"}`

// TestSign has a signature made with Python's hmac module.
func TestSign(t *testing.T) {
	s := newSigner("key")
	got := string(s.sign([][]byte{[]byte(`{"a":1}`), []byte("{}"), []byte("{}"), []byte("{}")}))
	if got != signedByPython {
		t.Errorf("got %s", got)
	}
	var none *signer
	if len(none.sign(nil)) != 0 || none.check([]byte("x"), nil) != nil {
		t.Error("without a key nothing is signed")
	}
}

func TestReplayWindow(t *testing.T) {
	s := newSigner("key")
	part := func(i int) [][]byte { return [][]byte{{byte(i), byte(i >> 8), byte(i >> 16)}} }
	for i := range replayWindow + 10 {
		if err := s.check(s.sign(part(i)), part(i)); err != nil {
			t.Fatal(i, err)
		}
	}
	if s.check(s.sign(part(replayWindow)), part(replayWindow)) == nil {
		t.Error("a repeated message passed")
	}
	if len(s.seen) != replayWindow || len(s.ring) != replayWindow {
		t.Errorf("%d and %d signatures are kept", len(s.seen), len(s.ring))
	}
}

func TestDecodeWhatFramesMade(t *testing.T) {
	m := &message{
		identities: [][]byte{{0, 1}, []byte("x")}, rawHeader: json.RawMessage(seedHeader),
		parent:   json.RawMessage(`{"b": 2}`),
		metadata: emptyObject, content: json.RawMessage(`{"code":"x"}`), buffers: [][]byte{{}, {0xff}},
	}
	got, err := decode(m.frames(newSigner("k")), newSigner("k"))
	if err != nil {
		t.Fatal(err)
	}
	for i, pair := range [][2][]byte{
		{got.rawHeader, m.rawHeader}, {got.parent, m.parent}, {got.content, m.content}, {got.buffers[1], m.buffers[1]},
		{got.identities[0], m.identities[0]},
	} {
		if !bytes.Equal(pair[0], pair[1]) {
			t.Errorf("%d: %q, not %q", i, pair[0], pair[1])
		}
	}
	if got.header.Type != "execute_request" || len(got.buffers) != 2 || len(got.identities) != 2 {
		t.Errorf("%+v", got)
	}
}

// FuzzDecode: whatever comes, decode returns a message that is sound, or an error.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"<IDS|MSG>\x00\x00" + seedHeader + "\x00{}\x00{}\x00{\"code\":\"1\"}",
		"id\x00<IDS|MSG>\x00sig\x00" + seedHeader + "\x00{}\x00{}\x00{}\x00buffer\x00",
		"<IDS|MSG>", "", "\x00\x00", "<IDS|MSG>\x00\x00{}\x00{}\x00{}\x00{}",
		"<IDS|MSG>\x00\x00{\"msg_id\":1}\x00[]\x00{}\x00{}",
	} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, signed bool) {
		var s *signer
		frames := bytes.Split(data, []byte{0})
		if signed {
			s = newSigner("k")
			for i, fr := range frames {
				if bytes.Equal(fr, delimiter) && len(frames) >= i+6 {
					frames[i+1] = s.sign(frames[i+2 : i+6])
					break
				}
			}
		}
		m, err := decode(frames, s)
		if err != nil {
			return
		}
		if m.header.ID == "" || m.header.Type == "" {
			t.Fatal("a message without id or type")
		}
		for _, part := range [][]byte{m.rawHeader, m.parent, m.metadata, m.content} {
			if !json.Valid(part) || !utf8.Valid(part) {
				t.Fatalf("unsound part %q", part)
			}
		}
		again, err := decode(m.frames(s), nil)
		if err != nil || !bytes.Equal(again.rawHeader, m.rawHeader) || len(again.buffers) != len(m.buffers) {
			t.Fatalf("%v after a round trip", err)
		}
	})
}

// FuzzFrames: a stream is read the same in one piece and byte by byte, within the bounds.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("\x00\x01\x01"), uint8(1))
	f.Add([]byte("\x01\x02ab\x00\x01c\x04\x05\x04PING"), uint8(2))
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00\x02hi"), uint8(3))
	f.Add([]byte("\x02\x7f\xff\xff\xff\xff\xff\xff\xff"), uint8(4))
	f.Add(bytes.Repeat([]byte("\x01\x00"), 20), uint8(5))
	f.Fuzz(func(t *testing.T, data []byte, step uint8) {
		read := func(step int) (whole []string, r frameReader, err error) {
			r.limit = bounds{frame: 300, message: 500, frames: 8}
			for p := data; len(p) > 0 && err == nil; {
				n := min(step, len(p))
				err = r.feed(p[:n], func(command bool, body []byte) { whole = append(whole, string(body)) })
				p = p[n:]
				if r.total > 500 && err == nil || len(r.body) > 255 {
					t.Fatal("out of bounds")
				}
			}
			return whole, r, err
		}
		a, ra, errA := read(max(1, len(data)))
		b, rb, errB := read(int(step)%7 + 1)
		if errA != errB || strings.Join(a, "|") != strings.Join(b, "|") || ra.between() != rb.between() {
			t.Fatalf("%q %v, and in pieces %q %v", a, errA, b, errB)
		}
	})
}

func TestAppendFrame(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256, 70000} {
		b := appendFrame(nil, 0, make([]byte, n))
		r := frameReader{limit: bounds{1 << 20, 1 << 20, 10}}
		if err := r.feed(b, nil); err != nil || !r.between() {
			t.Errorf("%d bytes: %v, between %v", n, err, r.between())
		}
		if r.feed(b[:len(b)-min(n, 1)], nil); n > 0 && r.between() {
			t.Errorf("%d bytes: a frame that is cut short looks whole", n)
		}
	}
}

func TestAppendString(t *testing.T) {
	same := func(b []byte) bool {
		var got, want string
		text := appendString(nil, b)
		if err := json.Unmarshal(text, &got); err != nil || !utf8.Valid(text) {
			return false
		}
		std, _ := json.Marshal(string(b))
		return json.Unmarshal(std, &want) == nil && got == want
	}
	for _, s := range []string{"", "a\n\t\r\"\\\x00\x1f\x7f", "é€𝐚", "\xff\xfe", "a\xe2\x82", "\u2028<>&", "seven b\"",
		"0123456789abcde\\f", "12345678\x1f", "12345678ß1234567", strings.Repeat("plain \n text", 99),
		"\x7f~!#[]^ \x7f~!#[]^ "} {
		if !same([]byte(s)) {
			t.Errorf("%q becomes %s", s, appendString(nil, []byte(s)))
		}
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}

func TestWholeRunes(t *testing.T) {
	for s, want := range map[string]int{"": 0, "a": 1, "a\xe2": 1, "a\xe2\x82": 1, "a€": 4, "\xf0\x9d\x90": 0,
		"\x80\x80\x80\x80": 4, "a\xff": 2, "€\x82": 4} {
		if got := wholeRunes([]byte(s)); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true}, {"*", "", true}, {"*", "a\nb", true}, {"a*c", "abbc", true}, {"a*c", "abb", false},
		{"?b", "äb", true}, {"?", "", false},
		{"a*b*c", "aXbYbZc", true}, {"[a-c]x", "bx", true}, {"[a-c]x", "dx", false}, {"[^a]", "b", true},
		{"[!a]", "a", false}, {"[]]", "]", true}, {"[", "[", true},
		{"[ab", "[ab", true}, {"**a**", "xay", true}, {"A", "a", false}, {"[€]z", "€z", true}, {"a", "", false},
		{"*a", "\xffa", true},
	} {
		if got := glob(c.pattern, c.text); got != c.want {
			t.Errorf("%q matches %q: %v", c.pattern, c.text, got)
		}
	}
}

const signedByPython = "f1128388193e4dd1aa760827bd756a1b40b627676b5efe22c0e8297919bfa218"
