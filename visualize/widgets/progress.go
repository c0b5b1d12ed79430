package widgets

import (
	"fmt"
	"html"
	"io"
	"iter"
	"os"
	"strings"
	"time"

	"gotorch/visualize/display"
)

// Progress counts from 0 to n-1 and shows how far it is: how many are done, how long it took, how long it will take,
// and how many a second.
//
//	for i := range widgets.Progress(1000) {
//		step(i)
//	}
//
// In a notebook it is a bar, in a terminal a line that is written over, in a file a line for each tenth, ten seconds
// apart or more. [Describe] puts words in front. Leaving the loop early, by break, panic or interrupt, leaves the bar
// where it was.
func Progress(n int, opts ...Option) iter.Seq[int] {
	return func(yield func(int) bool) {
		p := begin(n, opts)
		defer p.finish()
		for ; p.done < n; p.tick() {
			if !yield(p.done) {
				return
			}
		}
	}
}

// Bar is a progress bar for loops whose length is not known at the beginning, and that have something to tell.
type Bar struct{ p *progress }

// NewBar shows a bar of n steps; n is 0 where that is not known yet.
func NewBar(n int, opts ...Option) *Bar { return &Bar{begin(n, opts)} }

// SetTotal says how many steps there are.
func (b *Bar) SetTotal(n int) { b.p.total(n) }

// Due reports whether the next Tick draws the bar, so that a note is worth making.
func (b *Bar) Due() bool { return b.p.due() }

// Tick counts a step. note stands behind the counts until the next one that is not empty.
func (b *Bar) Tick(note string) {
	if note != "" {
		b.p.note = note
	}
	b.p.tick()
}

// Finish leaves the bar as it is, with a last note.
func (b *Bar) Finish(note string) {
	b.p.note = note
	b.p.finish()
}

// now is a hook for tests.
var now = time.Now

// How often a bar is drawn.
const (
	drawEvery = 100 * time.Millisecond
	lineEvery = 10 * time.Second
)

// progress is a loop that is shown.
type progress struct {
	n, done     int
	title, note string
	start, drew time.Time
	tenth       int
	manner      display.Manner
	out         io.Writer
	wide        int // columns that the line has had, to write over all of it
	bar         *Int
	text        *String
	box         *Box
	shown       *display.Handle
}

func begin(n int, opts []Option) *progress {
	sink := display.Current()
	p := &progress{n: n, start: now(), manner: display.MannerOf(sink), out: os.Stdout}
	if s, ok := sink.(interface{ Stdout() io.Writer }); ok {
		p.out = s.Stdout()
	}
	probe := &model{state: map[string]any{}}
	for _, o := range opts {
		o(probe)
	}
	p.title, _ = probe.state["description"].(string)
	if p.manner == display.InPlace {
		p.bar = IntProgress(0, 0, max(n, 1))
		p.text = Label(p.line(false), Width("auto"))
		p.box = HBox(p.bar, p.text)
		if p.title != "" {
			p.box = HBox(Label(p.title, Width("auto")), p.bar, p.text)
		}
		p.shown = display.Show(p.box)
	}
	p.drew = p.start
	if p.manner == display.Terminal {
		p.draw()
	}
	return p
}

func (p *progress) total(n int) {
	p.n = n
	if p.bar != nil {
		p.bar.put(map[string]any{"max": max(n, 1)})
	}
}

// due reports whether it is time to draw.
func (p *progress) due() bool {
	every := drawEvery
	if p.manner == display.Lines {
		every = lineEvery
	}
	return now().Sub(p.drew) >= every
}

func (p *progress) tick() {
	p.done++
	if p.due() {
		p.drew = now()
		if p.done < p.n || p.n == 0 {
			p.draw()
		}
	}
}

func (p *progress) draw() {
	switch p.manner {
	case display.InPlace:
		p.text.put(map[string]any{"value": p.line(false)})
		p.bar.put(map[string]any{"value": p.done})
	case display.Terminal:
		line := p.line(true)
		fill := strings.Repeat(" ", max(0, p.wide-len([]rune(line))))
		p.wide = len([]rune(line))
		fmt.Fprint(p.out, "\r"+line+fill)
	default:
		if tenth := p.done * 10 / max(p.n, 1); tenth != p.tenth || p.done == p.n {
			p.tenth = tenth
			fmt.Fprintln(p.out, p.line(true))
		}
	}
}

// finish shows where the loop ended.
func (p *progress) finish() {
	switch p.manner {
	case display.InPlace: // a widget of a saved notebook is lost with its kernel, so what stays is none
		p.shown.Update(p.still())
		for _, part := range append(p.box.get("children").([]*model), p.box.model) {
			part.Close()
		}
	case display.Terminal:
		p.draw()
		fmt.Fprintln(p.out)
	default:
		if p.done < p.n {
			p.tenth = -1
		}
		p.draw()
	}
}

// still is the bar when nothing moves any more.
func (p *progress) still() display.Bundle {
	colour := "#388e3c"
	if p.done < p.n {
		colour = "#d9534f"
	}
	percent, blocks := p.head()
	full := strings.TrimRight(blocks, "░")
	page := fmt.Sprintf(`<div %s>%s<span style="color:%s">%s</span>%s %s</div>`, lineStyle,
		html.EscapeString(percent), colour, full, blocks[len(full):], html.EscapeString(p.counts()))
	return display.Bundle{Data: map[string]any{"text/plain": p.line(true), "text/html": page}}
}

// line is what is known in a line.
func (p *progress) line(withBar bool) string {
	if withBar {
		percent, blocks := p.head()
		return percent + blocks + " " + p.counts()
	}
	if p.n > 0 {
		return fmt.Sprintf("%d%%  %s", p.done*100/p.n, p.counts())
	}
	return p.counts()
}

// head is what a line with a bar begins with, and the bar.
func (p *progress) head() (percent, blocks string) {
	part := 1.0
	if p.n > 0 {
		part = float64(p.done) / float64(p.n)
	}
	percent = fmt.Sprintf("%3.0f%% ", 100*part)
	if p.title != "" {
		percent = p.title + " " + percent
	}
	return percent, bar(part, barWidth)
}

// counts is how many are done, how long it took and will take, and how fast it goes.
func (p *progress) counts() string {
	took := now().Sub(p.start)
	s := fmt.Sprintf("%d/%d  %s", p.done, p.n, short(took))
	if p.n == 0 && p.done > 0 {
		s = fmt.Sprintf("%d  %s", p.done, short(took))
	}
	if p.done > 0 && p.done < p.n {
		s += ", " + short(took/time.Duration(p.done)*time.Duration(p.n-p.done)) + " left"
	}
	if p.done > 0 && took > 0 {
		s += ", " + rate(float64(p.done)/took.Seconds())
	}
	if p.note != "" {
		s += "  " + p.note
	}
	return s
}

// short is a duration for people: 0.3s, 12s, 3:07, 1:02:03.
func short(d time.Duration) string {
	s := int(d.Seconds() + 0.5)
	switch {
	case d < 9950*time.Millisecond:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// rate is how many a second, or how many seconds one takes.
func rate(perSecond float64) string {
	switch {
	case perSecond >= 1e6:
		return fmt.Sprintf("%.1f M/s", perSecond/1e6)
	case perSecond >= 1e4:
		return fmt.Sprintf("%.0f k/s", perSecond/1e3)
	case perSecond >= 1e3:
		return fmt.Sprintf("%.1f k/s", perSecond/1e3)
	case perSecond >= 1:
		return fmt.Sprintf("%.3g/s", perSecond)
	}
	return fmt.Sprintf("%.2g s each", 1/perSecond)
}
