package tensor_test

import (
	"strings"
	"testing"

	"gotorch/tensor"
)

// TestErrorShortensTexts: an error shows the beginning of a text that fills memory, such as the name of a file.
func TestErrorShortensTexts(t *testing.T) {
	name := strings.Repeat("a", 1<<20)
	for what, f := range map[string]func(){
		"text": func() { panic(tensor.Errorf("load", "%s is no file of torch.save", name)) },
		"path": func() { tensor.LoadNpy(name) },
	} {
		err := tensor.Try(f)
		if err == nil {
			t.Fatalf("%s: no error", what)
		}
		if text := err.Error(); len(text) > 200 || !strings.Contains(text, "aaa… (1048576 bytes)") {
			t.Errorf("%s: an error of %d bytes: %.200s", what, len(text), text)
		}
	}
	if text := tensor.Errorf("load", "%s", name[:1<<15]).Error(); len(text) < 1<<15 {
		t.Errorf("a text of 32 KiB is shown in %d bytes", len(text))
	}
}
