package memory

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/autograd"
	"gotorch/internal/bytesize"
	"gotorch/tensor"
	"gotorch/visualize/display"
	"gotorch/visualize/draw"
	"gotorch/visualize/grad"
	"gotorch/visualize/shapes"
)

// VersionLog tells who wrote to a storage: each version, the operator that made it, and where; what was saved for a
// backward pass, and whether that is stale.
type VersionLog struct {
	Name    string        `json:"name,omitempty"`
	Dtype   string        `json:"dtype"`
	Shape   []int         `json:"shape"`
	Storage uint64        `json:"storage"`
	Bytes   int           `json:"bytes"` // of the storage
	Current uint32        `json:"current"`
	Lines   []VersionLine `json:"lines"`
	Verdict []string      `json:"verdict,omitempty"`
}

// VersionLine is one version of a storage.
type VersionLine struct {
	Version uint32 `json:"version"`
	Until   uint32 `json:"until,omitempty"` // the last of several like it that this line stands for
	Op      string `json:"op,omitempty"`    // the operator that wrote, "" where that is not known
	Site    string `json:"site,omitempty"`
	Source  string `json:"source,omitempty"` // the line as it was typed
	// versions between the line above and this one, of which nothing is kept
	Skipped int         `json:"skipped,omitempty"`
	Saved   []SavedMark `json:"saved,omitempty"`
	More    int         `json:"more,omitempty"` // marks that are left out
	Now     bool        `json:"now,omitempty"`
}

// SavedMark says that a node of a graph keeps the storage as it was at a version.
type SavedMark struct {
	What  string `json:"what"` // the result, the argument self
	Op    string `json:"op"`
	Node  string `json:"node"`
	Site  string `json:"site,omitempty"`
	Stale bool   `json:"stale,omitempty"`
}

// Limits of what is shown.
const (
	maxMarks  = 4    // of one version
	maxMarked = 24   // lines that marks add where nothing else is kept
	maxGraph  = 2000 // nodes in which marks are looked for
	maxSource = 44
)

func sourceOf(at tensor.Site) string {
	if at.IsZero() {
		return ""
	}
	return draw.OneLine(display.CurrentHost().SourceLine(at.Cell, at.Line), maxSource)
}

// Versions shows who wrote to x's storage, through x or through any other tensor that looks into it: each version
// with its operator, cell and line, and beside it the graph nodes that saved the elements as they were then. In a
// session the first and the last 16 writes are kept; elsewhere the last one.
//
//	y := x.Exp()
//	y.Mul_(2)
//	visualize.Versions(y)
func Versions(x *tensor.Tensor) *VersionLog {
	if x == nil {
		panic(tensor.Errorf("versions", "the tensor is nil"))
	}
	tensor.RequireStrided("versions", x)
	live := draw.LiveNames()
	st := x.Storage()
	l := &VersionLog{Name: draw.Labels("Versions", live, []*tensor.Tensor{x})[0], Dtype: x.Dtype().String(),
		Shape: x.Shape(), Storage: st.ID(), Bytes: st.Nbytes(), Current: st.Version()}
	l.fill(st.Writes(), marksOf(st, x, live))
	stale, good := 0, 0
	for _, v := range l.Lines {
		for _, m := range v.Saved {
			if m.Stale {
				stale++
			} else {
				good++
			}
		}
		if v.Version == l.Current {
			good += v.More
		} else {
			stale += v.More
		}
	}
	if stale > 0 {
		l.Verdict = append(l.Verdict, draw.Counted(stale, "saved tensor")+
			" written over since: a backward pass that needs what was saved will refuse")
	} else if good > 0 {
		l.Verdict = append(l.Verdict, "everything that was saved is still as it was")
	}
	return l
}

func init() { shapes.Explains(explainStale) }

// explainStale is the log of a saved tensor that was written to.
func explainStale(_ *tensor.Error, f tensor.StaleDetails) draw.View {
	l := &VersionLog{Name: draw.LiveNames()[f.Operand.Value()], Dtype: f.Dtype.String(), Shape: slices.Clone(f.Shape),
		Storage: f.Storage, Bytes: f.Bytes, Current: f.Current}
	l.fill(f.Writes, []mark{
		{f.Saved, SavedMark{What: f.What, Op: f.Saver, Node: f.Node, Site: draw.SiteText(f.Site), Stale: true}}})
	l.Verdict = []string{fmt.Sprintf("backward needs version %d and finds version %d", f.Saved, f.Current)}
	return l
}

// mark is a SavedMark at a version.
type mark struct {
	version uint32
	SavedMark
}

// marksOf looks for what graphs keep of a storage: those of x and of the live variables.
func marksOf(st *tensor.Storage, x *tensor.Tensor, live map[*tensor.Tensor]string) []mark {
	w := &grad.Walk{IDs: map[*autograd.Node]int{}, Labels: map[int]string{}}
	var roots []*autograd.Node
	for y := range live {
		if n := grad.NodeOf(y); n != nil {
			roots = append(roots, n)
		}
	}
	slices.SortFunc(roots, func(a, b *autograd.Node) int { return int(int64(a.Seq()) - int64(b.Seq())) })
	if n := grad.NodeOf(x); n != nil {
		roots = append([]*autograd.Node{n}, roots...)
	}
	for _, n := range roots {
		w.Visit(n)
	}
	for i := 0; i < len(w.Nodes) && i < maxGraph; i++ {
		for _, e := range w.Nodes[i].Next() {
			if e.Node != nil {
				w.Visit(e.Node)
			}
		}
	}
	slices.SortFunc(w.Nodes, func(a, b *autograd.Node) int { return int(int64(a.Seq()) - int64(b.Seq())) })
	var out []mark
	now := st.Version()
	for _, n := range w.Nodes {
		for _, s := range n.Saved() {
			if s.Freed || s.Tensor == nil || s.Tensor.Storage() != st {
				continue
			}
			what := "the argument " + s.Name
			if strings.HasPrefix(s.Name, "result") {
				what = "the " + s.Name
			}
			out = append(out, mark{s.Version,
				SavedMark{What: what, Op: n.OpName(), Node: n.Name(), Site: draw.SiteText(n.Site()), Stale: s.Version != now}})
		}
	}
	return out
}

// fill makes the lines: the storage as it was made, the writes that are known, the versions that were saved, and now.
func (l *VersionLog) fill(writes []tensor.Write, marks []mark) {
	at := map[uint32]*VersionLine{0: {}}
	line := func(v uint32) *VersionLine {
		if at[v] == nil {
			at[v] = &VersionLine{Version: v}
		}
		return at[v]
	}
	for _, w := range writes {
		v := line(w.Version)
		v.Op, v.Site, v.Source = draw.Clip(w.Op, draw.MaxName), draw.Clip(draw.SiteText(w.Site), draw.MaxName),
			sourceOf(w.Site)
	}
	line(l.Current).Now = true
	added := 0
	for _, m := range marks {
		if at[m.version] == nil {
			if added++; added > maxMarked {
				continue
			}
		}
		v := line(m.version)
		if len(v.Saved) == maxMarks {
			v.More++
			continue
		}
		m.Site = draw.Clip(m.Site, draw.MaxName)
		v.Saved = append(v.Saved, m.SavedMark)
	}
	for _, v := range at {
		l.Lines = append(l.Lines, *v)
	}
	slices.SortFunc(l.Lines, func(a, b VersionLine) int { return int(a.Version) - int(b.Version) })
	for i := 1; i < len(l.Lines); i++ {
		l.Lines[i].Skipped = int(l.Lines[i].Version) - int(l.Lines[i-1].Version) - 1
	}
	l.fold()
}

// fold makes one line of writes that follow one another and are told alike.
func (l *VersionLog) fold() {
	var out []VersionLine
	alone := func(v *VersionLine) bool { return v.Op == "" || v.Now || len(v.Saved) > 0 }
	for _, v := range l.Lines {
		if n := len(out); n > 0 && v.Skipped == 0 && !alone(&v) {
			if p := &out[n-1]; !alone(p) && p.Op == v.Op && p.Site == v.Site && p.Source == v.Source {
				p.Until = v.Version
				continue
			}
		}
		out = append(out, v)
	}
	l.Lines = out
}

// number is the version, v7, or those that a line stands for, v7–v9.
func (v *VersionLine) number() string {
	if v.Until > 0 {
		return fmt.Sprintf("v%d–v%d", v.Version, v.Until)
	}
	return fmt.Sprintf("v%d", v.Version)
}

// who is what is known of the write that made a version.
func (v *VersionLine) who() string {
	switch {
	case v.Version == 0:
		return "as it was made"
	case v.Op == "":
		return "not kept"
	case v.Until > 0:
		return fmt.Sprintf("%s ×%d", v.Op, v.Until-v.Version+1)
	}
	return v.Op
}

// skipped is the line about the versions that are left out above a line.
func (v *VersionLine) skipped() string {
	if v.Skipped == 0 {
		return ""
	}
	return "⋯ " + draw.Counted(v.Skipped, "write") + " between, not kept"
}

// text is what was saved and by whom.
func (m *SavedMark) text() string {
	t := fmt.Sprintf("%s saved %s (%s", m.Op, m.What, m.Node)
	if m.Site != "" {
		t += " @ " + m.Site
	}
	t += ")"
	if m.Stale {
		return "✗ " + t + ": stale"
	}
	return "✓ " + t
}

// notes are what stands beside a version.
func (v *VersionLine) notes() (out []string) {
	for i := range v.Saved {
		out = append(out, v.Saved[i].text())
	}
	if v.More > 0 {
		out = append(out, "… "+draw.Counted(v.More, "more saved tensor"))
	}
	if v.Now {
		out = append(out, "now")
	}
	return out
}

// stale reports whether something saved at a version is no longer there.
func (v *VersionLine) stale() bool {
	return slices.ContainsFunc(v.Saved, func(m SavedMark) bool { return m.Stale })
}

// title is the first line.
func (l *VersionLog) title() string {
	t := "versions of "
	if l.Name != "" {
		t += draw.Clip(l.Name, draw.MaxName) + "  "
	}
	t += draw.Clip(fmt.Sprintf("%s%v", l.Dtype, l.Shape), 60)
	return t + fmt.Sprintf("  storage #%d  %s  now at version %d", l.Storage, bytesize.Text(l.Bytes), l.Current)
}
