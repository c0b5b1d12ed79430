package conformance

import (
	"fmt"
	"maps"
	"os"
	"slices"
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
	"linalg.cond":                                 "lost digits of float32, by other steps",
	"linalg.householder_product":                  "lost digits of float32 in the gradient, by other steps",
	"masked.normalize":                            "roundings of a half type: 1.13 keeps the sum of squares in it",
	"nn.functional.cosine_similarity":             "roundings of a half type in the gradient",
	"nn.functional._scaled_dot_product_attention": "lost digits of float32 in the gradient, by other steps",
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
		for _, reason := range slices.Sorted(maps.Keys(o.reasons)) {
			why = append(why, "irreproducible: "+reason)
			left -= o.reasons[reason]
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

// TestReasons: no reason is kept for an operator that is whole in the page.
func TestReasons(t *testing.T) {
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
