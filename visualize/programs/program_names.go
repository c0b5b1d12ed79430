package programs

import (
	"strconv"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: names in programs. A variable is named as the user names the tensor: q.Weight where a variable of the session
// holds it, h where the statement h := x.Matmul(w) computed it last. A name that is assigned again gets a small
// number: h₂. What has no name is numbered, as in shape views: #1. The name of a result is known when its statement
// has ended; until then it has a number.

// maxVariable is how many columns of a name are shown.
const maxVariable = 40

// namedRun is the last step so far, and where it was called: if the next one is elsewhere, its results are what the
// statement assigned.
type namedRun struct {
	at   tensor.Site
	step int   // 1 for the first, 0 for none
	made []int // the variables that it made
}

// define makes a variable for x.
func (r *programRecorder) define(x *tensor.Tensor, name string) int {
	id := len(r.names)
	if name = r.unused(name); name == "" {
		name = r.number()
	}
	r.taken[name] = true
	r.names, r.of = append(r.names, name), append(r.of, x)
	r.place(id, x)
	r.vars[x] = id
	return id
}

// number is the next name of what has none.
func (r *programRecorder) number() string {
	for {
		r.next++
		if name := "#" + strconv.Itoa(r.next); !r.taken[name] {
			return name
		}
	}
}

// unused is a name that no variable has yet, as close to name as can be; "" if name is none.
func (r *programRecorder) unused(name string) string {
	if !isVariable(name) {
		return ""
	}
	if runes := []rune(name); len(runes) > maxVariable {
		name = "…" + string(runes[len(runes)-maxVariable+1:])
	}
	if !r.taken[name] {
		return name
	}
	for n := max(2, r.times[name]); ; n++ {
		if next := name + draw.Subscript(n); !r.taken[next] {
			r.times[name] = n + 1
			return next
		}
	}
}

// isVariable reports whether s is written as a variable, or as an element or a field of one: x, m.Weight,
// blocks[3].Query.Weight.
func isVariable(s string) bool {
	for i, c := range s {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '.' || c == '[' || c == ']')) {
			return false
		}
	}
	return s != ""
}

// made are the variables among results that are not among the first names.
func made(names int, results []int) (list []int) {
	for _, id := range results {
		if id >= names {
			list = append(list, id)
		}
	}
	return list
}

// settle names what the last step made, once the next one is called at another place.
func (r *programRecorder) settle(next tensor.Site) {
	last := r.named
	if r.unnamed || last.step == 0 || last.at == next && !next.IsZero() || last.step != len(r.p.Steps) {
		return
	}
	r.named = namedRun{}
	step := &r.p.Steps[last.step-1]
	names := strings.Split(last.at.Name, ", ")
	if len(names) != len(step.Results) || len(last.made) != len(names) {
		return
	}
	for i, id := range last.made {
		name := r.unused(names[i])
		if name == "" {
			continue
		}
		old := r.names[id]
		delete(r.taken, old)
		r.taken[name] = true
		r.names[id], step.Results[i].Name = name, name
		for k := range r.p.Reads {
			if g := &r.p.Reads[k]; g.id == id {
				g.Text = strings.Replace(g.Text, old, name, 1)
			}
		}
	}
	for r.next > 0 && !r.taken["#"+strconv.Itoa(r.next)] {
		r.next--
	}
}
