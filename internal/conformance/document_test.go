package conformance

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
)

// The page about conformance has a part that a run with -update over the whole vectors writes, between these marks.
const (
	page      = "../../docs/conformance.md"
	pageBegin = "<!-- what is not whole: written by go test ./internal/conformance -update over the whole vectors -->\n"
	pageEnd   = "<!-- end -->\n"
)

// known are the reasons of differences that could be reproduced, and are not yet.
var known = map[string]string{
	"matrix_exp":                      "PyTorch's steps in bfloat16 overflow to NaN where the exponential is finite",
	"mode":                            "which of several equal elements the index points at, for one input",
	"native_batch_norm":               "roundings of a half type in the gradient",
	"nn.functional.batch_norm":        "roundings of a half type in the gradient",
	"nn.functional.bilinear":          "roundings of a half type in the gradient",
	"nn.functional.cosine_similarity": "roundings of a half type in the gradient",
	"nn.functional.group_norm":        "roundings of a half type in the gradient",
	"nn.functional.instance_norm":     "roundings of a half type",
	"nn.functional.interpolate":       "roundings of a half type; no antialias; one scale_factor for all",
	"nn.functional.normalize":         "roundings of a half type in the gradient",
	"nn.functional.upsample_bilinear": "roundings of a half type in the gradient",
	"renorm":                          "roundings of a half type in the gradient",
	"std_mean":                        "roundings of a half type in the gradient",
	"gradient":                        "roundings of a half type in the gradient",
	"masked.log_softmax":              "roundings of a half type",
	"masked.normalize":                "roundings of a half type",
	"masked.softmax":                  "roundings of a half type",
	"masked.softmin":                  "roundings of a half type",
	"special.i0e":                     "roundings of a half type",
	"istft":                           "the window has a gradient here, which PyTorch leaves out",
	"nn.functional._scaled_dot_product_attention": "small differences of the gradient in float32, not understood yet",
}

// document writes the part of the page that this run knows.
func document(t *testing.T, results map[string]outcome) {
	var names, missing []string
	for name, o := range results {
		if op, ok := strings.CutPrefix(name, "opinfo/"); ok && !o.whole() {
			if strings.Contains(o.first, "no such operator") {
				missing = append(missing, op)
			} else {
				names = append(names, op)
			}
		}
	}
	sort.Strings(names)
	sort.Strings(missing)
	var b strings.Builder
	b.WriteString(pageBegin + "| operator | passes | why not all |\n|---|---|---|\n")
	for _, op := range names {
		o := results["opinfo/"+op]
		var why []string
		left := o.total() - o.passed()
		for _, s := range unreproducible[op] {
			why = append(why, "not reproducible: "+s.reason)
			left -= len(s.cases)
		}
		if left > 0 {
			if known[op] == "" {
				t.Errorf("%s is not whole, and no reason is known: %s", op, o.first)
			}
			why = append(why, known[op])
		}
		fmt.Fprintf(&b, "| %s | %d of %d | %s |\n", op, o.passed(), o.total(), strings.Join(why, "; "))
	}
	fmt.Fprintf(&b, "\nThere is no operator yet for these %d files: %s.\n", len(missing), strings.Join(missing, ", "))
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), pageBegin)
	_, after, ok2 := strings.Cut(rest, pageEnd)
	if !ok1 || !ok2 {
		t.Fatalf("%s has lost its marks", page)
	}
	if err := os.WriteFile(page, []byte(before+b.String()+pageEnd+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestReasons: every case in the table of what cannot be reproduced has a file that holds it, and no reason is kept
// for an operator that is whole in the baseline.
func TestReasons(t *testing.T) {
	for op, spans := range unreproducible {
		seen := map[int]bool{}
		for _, s := range spans {
			if s.reason == "" || len(s.cases) == 0 {
				t.Errorf("%s: an entry without reason or cases", op)
			}
			for _, i := range s.cases {
				if seen[i] {
					t.Errorf("%s: case %d stands there twice", op, i)
				}
				seen[i] = true
			}
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for op := range known {
		if !strings.Contains(string(text), "| "+op+" |") {
			t.Errorf("%s has a reason why it is not whole, but is not on the page", op)
		}
	}
}
