package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/tensor"
	"gotorch/visualize/display"
	"gotorch/visualize/draw"
	"gotorch/visualize/grad"
)

// AliasMap shows storages, and which names look into each.
type AliasMap struct {
	Storages []AliasStorage `json:"storages"`
	Count    int            `json:"count"`          // of storages, those that are left out included
	Kept     int            `json:"kept"`           // bytes of all of them
	More     int            `json:"more,omitempty"` // storages that are left out
	MoreKept int            `json:"more_kept,omitempty"`
	Alone    int            `json:"alone,omitempty"` // storages left out because one name alone looks into them
}

// AliasStorage is one storage with the names that look into it.
type AliasStorage struct {
	ID      uint64      `json:"id"`
	Device  string      `json:"device"`
	Version uint32      `json:"version"`
	Bytes   int         `json:"bytes"`
	Virtual bool        `json:"virtual,omitempty"` // on the meta device: no memory
	Used    int         `json:"used"`              // bytes that the names reach; at least so many
	Most    int         `json:"most"`              // and at most
	Names   []AliasName `json:"names"`
	More    int         `json:"more,omitempty"` // names that are left out
	Hint    string      `json:"hint,omitempty"`
}

// AliasName is a tensor under all of its names.
type AliasName struct {
	Name    string `json:"name"`
	Unnamed bool   `json:"unnamed,omitempty"` // a base that no variable holds, but views do
	Tree    string `json:"tree,omitempty"`    // the branch on which it stands
	Dtype   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Bytes   int    `json:"bytes"` // that it reaches; at least so many
	Most    int    `json:"most"`
	Made    string `json:"made,omitempty"` // the operators that made it of what it stands under
	Site    string `json:"site,omitempty"`
	Parts   string `json:"parts"` // of the storage: █ all of it, ▒ some, · none
}

// Limits of what is shown.
const (
	maxAliasStorages = 12
	maxAliases       = 16 // names of a storage
	maxAliasRows     = 48
	barParts         = 32 // of the bars of the largest storage
	leastParts       = 4
	wasteful         = 1 << 20 // bytes of a storage from which on it is worth a word that little of it is used
)

// everyName asks for all names, and adds the gradients that named leaves hold.
func everyName() map[*tensor.Tensor][]string {
	names := map[*tensor.Tensor][]string{}
	known := display.CurrentHost().Names(true, func(x any, name string) {
		names[x.(*tensor.Tensor)] = append(names[x.(*tensor.Tensor)], draw.Tidy(name))
	})
	if !known {
		for x, n := range draw.LiveNames() {
			names[x] = []string{n}
		}
	}
	grads := map[*tensor.Tensor][]string{}
	for x, ns := range names {
		slices.SortFunc(ns, func(a, b string) int {
			return cmp.Or(cmp.Compare(draw.Width(a), draw.Width(b)), cmp.Compare(a, b))
		})
		if g := x.Grad(); g != nil && names[g] == nil {
			grads[g] = append(grads[g], ns[0]+".Grad()")
		}
	}
	for g, ns := range grads {
		slices.Sort(ns)
		names[g] = ns
	}
	return names
}

// alias is a tensor of the map while it is made.
type alias struct {
	x       *tensor.Tensor
	name    string
	unnamed bool
	cover   cover
	below   []*alias
	made    string
	site    string
}

// Aliases shows the storages of tensors, and which of the live names look into each: a view stands beneath what it
// was made of, with the operator and the line that made it, and a bar tells which part of the storage it reaches. A
// storage of which little is used is told: a small view keeps all of it alive. Without arguments it shows every live
// name.
//
//	row := x[0]
//	visualize.Aliases()
//
// Bars are to one scale: that of the largest storage.
func Aliases(xs ...*tensor.Tensor) *AliasMap { return aliases(xs, 1) }

// Shared is [Aliases] of the storages that more than one live tensor looks into, with a name or as the base of which
// the one with a name is a part; how many others there are is written beneath.
func Shared() *AliasMap { return aliases(nil, 2) }

// aliases shows the storages of xs, all without any, that at least least tensors look into.
func aliases(xs []*tensor.Tensor, least int) *AliasMap {
	names := everyName()
	asked := map[*tensor.Storage]bool{}
	for i, label := range draw.Labels("Aliases", draw.LiveNames(), xs) {
		if xs[i] == nil {
			panic(tensor.Errorf("aliases", "tensor %d is nil", i))
		}
		tensor.RequireStrided("aliases", xs[i])
		asked[xs[i].Storage()] = true
		if names[xs[i]] == nil {
			names[xs[i]] = []string{label}
		}
	}
	groups := map[*tensor.Storage][]*alias{}
	for x, ns := range names {
		if st := x.Storage(); (len(xs) == 0 || asked[st]) && !isSparse(x) {
			groups[st] = append(groups[st], &alias{x: x, name: strings.Join(ns, " = ")})
		}
	}
	var order []*tensor.Storage
	for st, as := range groups {
		order = append(order, st)
		slices.SortFunc(as, func(a, b *alias) int { return cmp.Compare(a.name, b.name) })
	}
	slices.SortFunc(order, func(a, b *tensor.Storage) int {
		return cmp.Or(cmp.Compare(realBytes(b), realBytes(a)), cmp.Compare(b.Nbytes(), a.Nbytes()),
			cmp.Compare(groups[a][0].name, groups[b][0].name))
	})
	m := &AliasMap{Count: len(order)}
	rows := 0
	if least > 1 {
		order = slices.DeleteFunc(order, func(st *tensor.Storage) bool {
			base := groups[st][0].x.Base()
			return len(groups[st]) < least && (base == nil || base.Numel() <= groups[st][0].x.Numel())
		})
		m.Alone = m.Count - len(order)
		m.Count = len(order)
	}
	largest := 0
	for _, st := range order[:min(len(order), maxAliasStorages)] {
		largest = max(largest, st.Nbytes())
	}
	for _, st := range order {
		m.Kept += realBytes(st)
		if len(m.Storages) == maxAliasStorages || rows >= maxAliasRows {
			m.More++
			m.MoreKept += realBytes(st)
			continue
		}
		s := storageOf(st, groups[st], min(maxAliases, maxAliasRows-rows), largest)
		rows += len(s.Names)
		m.Storages = append(m.Storages, s)
	}
	return m
}

// realBytes is the memory that a storage takes.
func realBytes(st *tensor.Storage) int {
	if st.Device().Virtual() {
		return 0
	}
	return st.Nbytes()
}

// storageOf describes a storage and at most most of the tensors over it; a storage of largest bytes has the longest
// bars.
func storageOf(st *tensor.Storage, as []*alias, most, largest int) AliasStorage {
	s := AliasStorage{ID: st.ID(), Device: st.Device().String(), Version: st.Version(), Bytes: st.Nbytes(),
		Virtual: st.Device().Virtual()}
	unit := 16
	covers := make([]cover, len(as))
	for i, a := range as {
		a.cover = coverOf(a.x.Sizes(), a.x.Strides(), a.x.StorageOffset(), a.x.ElementSize())
		covers[i] = a.cover
		unit = min(unit, a.x.ElementSize())
	}
	s.Used, s.Most = coverage(covers, s.Bytes)
	cut := cuts(s.Bytes, unit, s.barParts(largest))
	var put func(a *alias, stem, branch string)
	put = func(a *alias, stem, branch string) {
		if len(s.Names) == most {
			s.More++
		} else {
			n := AliasName{Name: a.name, Unnamed: a.unnamed, Tree: stem + branch, Dtype: a.x.Dtype().String(),
				Shape: a.x.Shape(), Made: a.made, Site: a.site,
				Parts: a.cover.parts(cut)}
			n.Bytes, n.Most = a.cover.bytes()
			s.Names = append(s.Names, n)
		}
		switch branch {
		case "├─ ":
			stem += "│  "
		case "└─ ":
			stem += "   "
		}
		for i, b := range a.below {
			if i == len(a.below)-1 {
				put(b, stem, "└─ ")
			} else {
				put(b, stem, "├─ ")
			}
		}
	}
	for _, a := range plant(as) {
		put(a, "", "")
	}
	s.Hint = s.hint(as)
	return s
}

// barParts is how many parts the bars of a storage have.
func (s *AliasStorage) barParts(largest int) int {
	return max(leastParts, int(barParts*float64(s.Bytes)/float64(max(largest, 1))+0.5))
}

// hint is the remark on a storage of which little is used.
func (s *AliasStorage) hint(as []*alias) string {
	if s.Virtual || !wastes(s.Bytes, s.Most) {
		return ""
	}
	who := make([]string, 0, len(as))
	for _, a := range as {
		who = append(who, draw.Clip(a.name, draw.MaxName))
	}
	if len(who) > 3 {
		who = append(who[:3], fmt.Sprintf("%d more", len(who)-3))
	}
	return fmt.Sprintf("%s keeps %s alive for %s: Clone() frees it", strings.Join(who, ", "), bytesize.Text(s.Bytes),
		bytesize.Text(s.Most))
}

// wastes reports whether a storage is large for what is used of it.
func wastes(kept, used int) bool { return kept >= wasteful && used > 0 && kept/4 >= used }

// plant makes trees of the tensors of a storage: each beneath the nearest that it was made of. A base that has no
// name is added.
func plant(as []*alias) (roots []*alias) {
	origins := map[*tensor.Origin]*alias{}
	held := map[*tensor.Tensor]*alias{}
	for _, a := range as {
		held[a.x] = a
		if o := a.x.Origin(); o != nil {
			origins[o] = a
		}
	}
	all := slices.Clone(as)
	for _, a := range as {
		if b := a.x.Base(); b != nil && held[b] == nil {
			u := &alias{x: b, name: "no name", unnamed: true,
				cover: coverOf(b.Sizes(), b.Strides(), b.StorageOffset(), b.ElementSize())}
			held[b] = u
			all = append(all, u)
		}
	}
	var first *alias // what was made by itself
	for _, a := range all {
		if a.x.Base() == nil && a.x.Origin() == nil && (first == nil || a.unnamed && !first.unnamed) {
			first = a
		}
	}
	for _, a := range all {
		parent := a.x.Base()
		o := a.x.Origin()
		var above *alias
		if o != nil {
			a.made, a.site = o.Op, draw.Clip(draw.SiteText(o.Site), draw.MaxName)
			for p := o.From; p != nil && above == nil; p = p.From {
				if above = origins[p]; above == nil {
					a.made = p.Op + " → " + a.made
				}
			}
		} else if parent != nil {
			a.made = "view"
		}
		switch {
		case above != nil:
		case parent != nil:
			above = held[parent]
		case o != nil: // it was detached: nothing leads to what it looks into but the storage
			above = first
		}
		if above == nil || above == a {
			if a.made == "" {
				a.madeBy()
			}
			roots = append(roots, a)
			continue
		}
		above.below = append(above.below, a)
	}
	var sortBelow func(as []*alias)
	sortBelow = func(as []*alias) {
		slices.SortStableFunc(as, func(a, b *alias) int { return cmp.Compare(a.cover.lo, b.cover.lo) })
		for _, a := range as {
			sortBelow(a.below)
		}
	}
	sortBelow(roots)
	return roots
}

// madeBy says which operator made a tensor that is no view, where a graph knows.
func (a *alias) madeBy() {
	if n := grad.NodeOf(a.x); n != nil && n.Op() != nil {
		a.made, a.site = n.OpName(), draw.Clip(draw.SiteText(n.Site()), draw.MaxName)
	}
}
