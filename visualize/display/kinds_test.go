package display

import (
	"encoding/json"
	"testing"
)

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		b          Bundle
		mime, want string
		text       string
	}{
		{JSON(map[string]any{"a": []int{1}}), "application/json", `{"a":[1]}`, "{\n  \"a\": [\n    1\n  ]\n}"},
		{JSON(func() {}), "application/json", "null", ""},
		{LaTeX("$x$"), "text/latex", `"$x$"`, "$x$"},
		{JPEG([]byte{0xff, 0xd8}), "image/jpeg", `"/9g="`, "JPEG"},
	} {
		got, err := json.Marshal(c.b.Data[c.mime])
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v, want %s", c.mime, got, err, c.want)
		}
		if c.text != "" && c.b.Text(false) != c.text {
			t.Errorf("%s: %q", c.mime, c.b.Text(false))
		}
	}
}
