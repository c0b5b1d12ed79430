package learn

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Progress is what a learner has done.
type Progress struct {
	Version int                `json:"version"`
	Current string             `json:"current,omitempty"` // the ID of the lesson that was read last
	Lessons map[string]*Record `json:"lessons"`
}

// Record is what a learner has done in one lesson.
type Record struct {
	Step      int               `json:"step"` // where they are
	Done      bool              `json:"done"`
	Started   time.Time         `json:"started"`
	Finished  time.Time         `json:"finished,omitzero"`
	Typed     []Typed           `json:"typed,omitempty"`
	Exercises map[string]*Tried `json:"exercises,omitempty"`
	Answers   map[int]*Tried    `json:"answers,omitempty"` // by step
}

// Typed is a cell that the learner ran at a step.
type Typed struct {
	Step   int    `json:"step"`
	Text   string `json:"text"`
	Failed bool   `json:"failed,omitempty"`
}

// Tried is what became of an exercise or a question.
type Tried struct {
	Attempts int  `json:"attempts"`
	Hints    int  `json:"hints,omitempty"`
	Solved   bool `json:"solved,omitempty"`
	Skipped  bool `json:"skipped,omitempty"`
	Solution bool `json:"solution,omitempty"` // it was shown
}

// What a record keeps of the cells that were typed.
const (
	maxTyped      = 500
	maxTypedBytes = 256 << 10
)

// Store keeps the progress of one learner in a file; without a file it keeps it while the program runs.
type Store struct {
	Dir  string // "" for none
	Name string // of the learner

	mu     sync.Mutex
	memory Progress
}

// UserStore is the store in the user's configuration directory. The environment variable GOTORCH_LEARNER names the
// learner where several share it.
func UserStore() *Store {
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' || r < ' ' || r == '.' {
			return '_'
		}
		return r
	}, cmp.Or(os.Getenv("GOTORCH_LEARNER"), "progress"))
	return &Store{Dir: UserDir(), Name: name}
}

// UserDir is the folder that keeps progress and summaries, "" where there is none.
func UserDir() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "gotorch", "learn")
}

// File is the store's file, "" where it has none.
func (s *Store) File() string {
	if s.Dir == "" {
		return ""
	}
	return filepath.Join(s.Dir, s.Name+".json")
}

// Load reads the progress. Without a file there is none yet; a file that cannot be read is an error, and is not
// written over.
func (s *Store) Load() (*Progress, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.load()
}

func (s *Store) load() (*Progress, error) {
	p := &Progress{Version: 1, Lessons: map[string]*Record{}}
	if s.File() == "" || s.memory.Lessons != nil {
		if s.memory.Lessons == nil {
			s.memory = *p
		}
		*p = s.memory
		return p, nil
	}
	text, err := os.ReadFile(s.File())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p, nil
	case err != nil:
		return p, err
	}
	if err := json.Unmarshal(text, p); err != nil {
		return p, fmt.Errorf("%s holds no progress: %w", s.File(), err)
	}
	if p.Lessons == nil {
		p.Lessons = map[string]*Record{}
	}
	maps.DeleteFunc(p.Lessons, func(_ string, r *Record) bool { return r == nil })
	return p, nil
}

// Update changes the progress, as it is in the file now, and writes it as a whole. Where the file cannot be written
// the progress is kept while the program runs, and the error says so.
func (s *Store) Update(change func(*Progress)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, err := s.load()
	if err != nil {
		return err
	}
	change(p)
	if s.File() == "" || s.memory.Lessons != nil {
		s.memory = *p
		return nil
	}
	text, err := json.MarshalIndent(p, "", " ")
	if err == nil {
		err = writeFile(s.File(), append(text, '\n'))
	}
	if err != nil {
		s.memory = *p
		return fmt.Errorf("progress is not saved: %w", err)
	}
	return nil
}

// writeFile writes a file so that there is the old one or the new one, never a part.
func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// record is that of a lesson, made if it is not there.
func (p *Progress) record(id string) *Record {
	r := p.Lessons[id]
	if r == nil {
		r = &Record{Started: time.Now().UTC().Truncate(time.Second)}
		p.Lessons[id] = r
	}
	return r
}

// tried is the record of an exercise.
func (r *Record) tried(name string) *Tried {
	if r.Exercises == nil {
		r.Exercises = map[string]*Tried{}
	}
	if r.Exercises[name] == nil {
		r.Exercises[name] = &Tried{}
	}
	return r.Exercises[name]
}

// answered is the record of the question at a step.
func (r *Record) answered(step int) *Tried {
	if r.Answers == nil {
		r.Answers = map[int]*Tried{}
	}
	if r.Answers[step] == nil {
		r.Answers[step] = &Tried{}
	}
	return r.Answers[step]
}

// typed adds a cell.
func (r *Record) typed(t Typed) {
	n := 0
	for _, old := range r.Typed {
		n += len(old.Text)
	}
	if len(r.Typed) < maxTyped && n+len(t.Text) <= maxTypedBytes {
		r.Typed = append(r.Typed, t)
	}
}
