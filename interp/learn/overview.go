package learn

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

// Map shows the courses: what is done, where the learner is, what a lesson needs, and what is planned.
type Map struct {
	Courses []MapCourse `json:"courses"`
}

// MapCourse is a course in a map.
type MapCourse struct {
	Name    string      `json:"name"`
	Title   string      `json:"title"`
	About   string      `json:"about"`
	Lessons []MapLesson `json:"lessons"`
}

// MapLesson is a lesson in a map.
type MapLesson struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	State   string   `json:"state"` // done, here, begun, open, planned
	Minutes int      `json:"minutes"`
	Needs   []string `json:"needs,omitempty"`
}

// signs are what stands before a lesson in each state.
var signs = map[string]string{"done": "✓", "here": "▶", "begun": "…", "open": "○", "planned": "·"}

// Map is the map for this learner.
func (t *Tutor) Map() (*Map, error) {
	p, err := t.Store.Load()
	if err != nil {
		return nil, err
	}
	m := &Map{}
	for _, c := range t.Library.Courses {
		mc := MapCourse{Name: c.Name, Title: c.Title, About: c.About}
		for _, l := range c.Lessons {
			state := "open"
			r := p.Lessons[l.ID]
			switch {
			case l.Planned:
				state = "planned"
			case t.lesson == l || t.lesson == nil && p.Current == l.ID && r != nil && !r.Done:
				state = "here"
			case r != nil && r.Done:
				state = "done"
			case r != nil:
				state = "begun"
			}
			one := MapLesson{ID: l.ID, Title: l.Title, State: state, Minutes: l.Minutes, Needs: l.Needs}
			mc.Lessons = append(mc.Lessons, one)
		}
		m.Courses = append(m.Courses, mc)
	}
	return m, nil
}

// counts are how many lessons of a course there are, and how many are done.
func (c MapCourse) counts() (done, all int) {
	for _, l := range c.Lessons {
		if l.State != "planned" {
			all++
		}
		if l.State == "done" {
			done++
		}
	}
	return done, all
}

// name is how a lesson is called in its course.
func (l MapLesson) name() string { return l.ID[strings.IndexByte(l.ID, '/')+1:] }

// needs are what a lesson needs, in words.
func (l MapLesson) needs() string {
	if len(l.Needs) == 0 {
		return ""
	}
	return "needs " + strings.Join(l.Needs, ", ")
}

// Text is the map for a terminal.
func (m *Map) Text(color bool) string {
	var b strings.Builder
	for _, c := range m.Courses {
		done, all := c.counts()
		b.WriteString(draw.Bold(color, c.Title) + fmt.Sprintf("  (%%learn %s)  %d of %d done\n", c.Name, done, all))
		wide := 0
		for _, l := range c.Lessons {
			wide = max(wide, draw.Width(l.name()))
		}
		for _, l := range c.Lessons {
			line := "  " + signs[l.State] + " " + draw.PadRight(l.name(), wide) + "  " + l.Title
			if n := l.needs(); n != "" && l.State != "done" {
				if draw.Width(line+n)+3 <= draw.TextWidth(78) {
					line += "  " + draw.Dim(color, "("+n+")")
				} else {
					line += "\n" + strings.Repeat(" ", 6+wide) + draw.Dim(color, "("+n+")")
				}
			}
			if l.State == "here" {
				line = draw.Paint(color, 2, line)
			}
			b.WriteString(line + "\n")
		}
	}
	b.WriteString("✓ done  ▶ here  … begun  ○ open  · planned")
	return b.String()
}

// draw is the map as a picture: a row for each course, a box for each lesson.
func (m *Map) draw() *draw.Canvas {
	c := &draw.Canvas{}
	y := 8.0
	for i, course := range m.Courses {
		done, all := course.counts()
		c.Text(8, y+14, "start", fmt.Sprintf("%s  %d of %d done", course.Title, done, all), draw.Strong)
		y += 24
		for _, l := range course.Lessons {
			opacity := map[string]float64{"done": 0.35, "here": 0.5, "begun": 0.25, "open": 0.12}[l.State]
			tip := l.Title
			if n := l.needs(); n != "" {
				tip += "; " + n
			}
			c.Rect(8, y, 390, 22, draw.Hue(i), opacity, tip)
			c.Text(16, y+15, "start", signs[l.State]+" "+draw.Clip(l.Title, 50), "")
			y += 25
		}
		y += 8
	}
	return c
}

// SVG is the map as a file.
func (m *Map) SVG() string { return m.draw().Alone("the map of the lessons") }

// HTML is the picture with its text.
func (m *Map) HTML() string {
	return draw.Pictured(m.draw(), "the map of the lessons", m.Text(false))
}

// MIMEBundle is the map in all forms.
func (m *Map) MIMEBundle() map[string]any { return draw.Bundle(m) }
