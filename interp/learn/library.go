package learn

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"gotorch/internal/glossary"
)

//go:embed lessons ideas.txt
var files embed.FS

// Course is lessons in their order.
type Course struct {
	Name, Title string
	About       string
	Lessons     []*Lesson
}

// courses are the courses in their order.
var courses = []Course{
	{Name: "strides", Title: "Strides",
		About: "how the elements of a tensor lie in memory, and what can be done without moving one"},
	{Name: "add", Title: "What happens when you add",
		About: "from the cell to the inner loop and back: dispatch, dtypes, kernels"},
	{Name: "autograd", Title: "Autograd", About: "where gradients come from, and how to check and write them"},
	{Name: "numbers", Title: "Numbers and machines", About: "floating point, random numbers, memory, speed"},
	{Name: "training", Title: "Training", About: "from fitting a line to a transformer, each step inspected"},
}

// Library is the lessons and the glossary.
type Library struct {
	Courses  []Course
	Glossary *Glossary
	Ideas    []Idea
	byID     map[string]*Lesson
}

// Builtin is the library that the program carries. It panics where a lesson cannot be read; a test reads them all.
var Builtin = sync.OnceValue(func() *Library {
	l, err := Load(files)
	if err != nil {
		panic(err)
	}
	return l
})

// Load reads lessons/COURSE/NN-NAME.md. The numbers order the lessons of a course.
func Load(from fs.FS) (*Library, error) {
	lib := &Library{Courses: slices.Clone(courses), Glossary: glossary.Builtin(), byID: map[string]*Lesson{}}
	for i := range lib.Courses {
		c := &lib.Courses[i]
		names, err := fs.Glob(from, path.Join("lessons", c.Name, "*.md"))
		if err != nil {
			return nil, err
		}
		for _, name := range names { // sorted
			text, err := fs.ReadFile(from, name)
			if err != nil {
				return nil, err
			}
			l, err := Parse(name, string(text))
			if err != nil {
				return nil, err
			}
			if other := lib.byID[l.ID]; other != nil {
				return nil, fmt.Errorf("%s and %s are both %s", other.File, l.File, l.ID)
			}
			lib.byID[l.ID] = l
			c.Lessons = append(c.Lessons, l)
		}
	}
	if text, err := fs.ReadFile(from, "ideas.txt"); err == nil {
		if err := lib.parseIdeas("ideas.txt", string(text)); err != nil {
			return nil, err
		}
	}
	return lib, lib.check()
}

// check finds names of lessons that are not there, and exercises of the same name.
func (lib *Library) check() error {
	exercises := map[string]string{}
	for l := range lib.All() {
		for _, id := range append(slices.Clone(l.Needs), l.Next) {
			if id != "" && lib.byID[id] == nil {
				return fmt.Errorf("%s: there is no lesson %s", l.File, id)
			}
		}
		for _, x := range l.Exercises() {
			if other := exercises[x.Name]; other != "" {
				return fmt.Errorf("%s: %s has an exercise %s too", l.File, other, x.Name)
			}
			exercises[x.Name] = l.File
		}
	}
	return nil
}

// All goes through the lessons, course by course.
func (lib *Library) All() func(yield func(*Lesson) bool) {
	return func(yield func(*Lesson) bool) {
		for _, c := range lib.Courses {
			for _, l := range c.Lessons {
				if !yield(l) {
					return
				}
			}
		}
	}
}

// Lesson finds a lesson by its ID, or by the second part of it where only one lesson has that; nil if there is none.
func (lib *Library) Lesson(name string) (found *Lesson) {
	if l := lib.byID[name]; l != nil {
		return l
	}
	for l := range lib.All() {
		if strings.HasSuffix(l.ID, "/"+name) {
			if found != nil {
				return nil
			}
			found = l
		}
	}
	return found
}

// Course finds a course; nil if there is none.
func (lib *Library) Course(name string) *Course {
	for i := range lib.Courses {
		if lib.Courses[i].Name == name {
			return &lib.Courses[i]
		}
	}
	return nil
}

// Exercise finds an exercise by the name of its function.
func (lib *Library) Exercise(name string) (*Lesson, *Exercise) {
	for l := range lib.All() {
		for _, x := range l.Exercises() {
			if x.Name == name {
				return l, x
			}
		}
	}
	return nil, nil
}

// After is the lesson to read after another; nil after the last.
func (lib *Library) After(l *Lesson) *Lesson {
	if l.Next != "" {
		return lib.byID[l.Next]
	}
	found := false
	for other := range lib.All() {
		if found && !other.Planned {
			return other
		}
		found = found || other == l
	}
	return nil
}

// Before are the lessons that a learner has read before one: what it needs, what these need, and what stands before
// it in its course.
func (lib *Library) Before(l *Lesson) map[*Lesson]bool {
	all := map[*Lesson]bool{}
	var add func(l *Lesson)
	add = func(l *Lesson) {
		list := []*Lesson{}
		for _, other := range lib.Course(l.Course).Lessons {
			if other.ID == l.ID {
				break
			}
			list = append(list, other)
		}
		for _, id := range l.Needs {
			list = append(list, lib.byID[id])
		}
		for _, other := range list {
			if other != nil && !all[other] {
				all[other] = true
				add(other)
			}
		}
	}
	add(l)
	return all
}
