package check

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest returns up to three of the names that are written nearly as what was typed: those that take the fewest
// changes, in either case.
func Nearest(names []string, typed string) []string {
	most := max(len([]rune(typed[strings.LastIndexByte(typed, '.')+1:]))/3, 1)
	lower := strings.ToLower(typed)
	far := map[string]int{}
	var near []string
	for _, n := range names {
		if _, twice := far[n]; twice || max(len(n)-len(typed), len(typed)-len(n)) > most {
			continue
		}
		if d := changes(strings.ToLower(n), lower); d <= most {
			far[n] = d
			near = append(near, n)
		}
	}
	slices.SortStableFunc(near, func(a, b string) int {
		return cmp.Or(far[a]-far[b], len(a)-len(b), strings.Compare(a, b))
	})
	return near[:min(len(near), 3)]
}

// changes is how many letters must be put in, left out, exchanged or swapped with the next to make one text of
// another.
func changes(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row := make([]int, len(y)+1)
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}

// slips is how short a name may be that is taken for a slip of the keys: of three letters every name is near to some
// other.
const slips = 6

// meant says which names a user may have meant by one that is not there.
func meant(candidates []Candidate, typed string) string {
	exported := typed != "" && typed[0] >= 'A' && typed[0] <= 'Z'
	if len(typed) < slips && !(exported && len(typed) > 2) {
		return ""
	}
	var names []string
	for _, c := range candidates {
		if c.Type != "keyword" && !strings.Contains(c.Text, "·") && (c.obj == nil || !isInternal(c.obj)) {
			names = append(names, c.Text)
		}
	}
	near := Nearest(names, typed)
	if len(typed) < slips {
		near = slices.DeleteFunc(near, func(n string) bool { return !slip(n, typed) })
	}
	for i, n := range near { // of three letters one may be wrong, of eight two
		if changes(strings.ToLower(n), strings.ToLower(typed)) > max(len(typed)/4, 1) {
			near = near[:i]
			break
		}
	}
	if len(near) == 0 {
		return ""
	}
	return " (there is " + strings.Join(near, ", ") + ")"
}

// slip reports whether a short exported name, of three to five letters, may be what was typed: it begins with the same
// letter, and one more is missing, too many or, of more than three, wrong.
func slip(name, typed string) bool {
	x, y := strings.ToLower(name), strings.ToLower(typed)
	if name[0] != typed[0] || changes(x, y) > 1 {
		return false
	}
	return len(typed) > 3 || strings.HasPrefix(x, y)
}
