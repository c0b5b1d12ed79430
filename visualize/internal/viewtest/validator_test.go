package viewtest

import (
	"testing"
)

// TestValidator: what a validator is for is seen by it.
func TestValidator(t *testing.T) {
	for page, bad := range map[string]bool{
		"<div><p>a</p><table><tr><td>b</td></tr></table></div>":                                 false,
		"<div><svg xmlns=\"http://www.w3.org/2000/svg\"><g><rect width=\"3\"/></g></svg></div>": false,
		"<div><p><div>a</div></p></div>":                                                        true,
		"<div><table><div>a</div></table></div>":                                                true,
		"<div><script>1</script></div>":                                                         true,
		"<div><a href=\"javascript:1\">a</a></div>":                                             true,
		"<div><img src=\"https://example.org/a.png\" alt=\"\"/></div>":                          true,
		"<div onclick=\"1\">a</div>":                                                            true,
		"<div style=\"background: url(//example.org/a)\">a</div>":                               true,
		"<div><style>@import 'a';</style></div>":                                                true,
		"<div><a href=\"#a\"><a href=\"#b\">a</a></a></div>":                                    true,
	} {
		fake := &refusing{TB: t}
		if checkHTML(fake, "page", page); fake.failed != bad {
			t.Errorf("%s: refused %v, want %v", page, fake.failed, bad)
		}
	}
}

// rejecting only notes that a test failed.
type refusing struct {
	testing.TB
	failed bool
}

func (f *refusing) Helper() {}

func (f *refusing) Errorf(string, ...any) { f.failed = true }
