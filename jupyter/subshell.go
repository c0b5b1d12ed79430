package jupyter

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Note: who is answered when
//
// The main shell has two queues. Cells and comms wait for each other in one; questions (completion, help, history, …)
// wait in the other, so that a cell that runs for an hour holds none of them up. A question that came right after a
// cell is still answered after it, if the cell is done soon: a client that sends both at once means it so.
//
// A subshell (JEP 91) has a queue of its own, in which everything waits. Sessions run one cell at a
// time, so a cell of a subshell takes turns with those of the main shell; what it only looks at, it
// sees at once (Looker).

// soon is how long after a cell began a question waits for its end.
const soon = 20 * time.Millisecond

// questions are the requests that no cell holds up.
var questions = map[string]bool{
	"kernel_info_request": true, "connect_request": true, "comm_info_request": true, "complete_request": true,
	"inspect_request": true, "is_complete_request": true, "history_request": true, "debug_request": true,
}

// maxSubshells bounds what a client can make the kernel keep.
const maxSubshells = 100

// subshells are those that there are, by ID.
type subshells struct {
	mu   sync.Mutex
	byID map[string]*queue
	over bool

	start func(*queue) // begins to work a queue
}

// route puts a shell request where it waits for its turn.
func (k *kernel) route(r *request) {
	id := r.header.Subshell
	if id == "" {
		if questions[r.header.Type] {
			k.asked.push(r)
		} else {
			k.main.push(r)
		}
		return
	}
	k.subs.mu.Lock()
	q := k.subs.byID[id]
	k.subs.mu.Unlock()
	if q == nil {
		k.noSubshell(r)
		return
	}
	q.push(r)
}

// answer does the questions of the main shell.
func (k *kernel) answer() {
	for r := k.asked.pop(); r != nil; r = k.asked.pop() {
		k.main.settle(soon)
		k.handle(r)
		k.warmOnce.Do(func() { go k.warm() })
	}
}

// noSubshell answers what is for a subshell that is not there.
func (k *kernel) noSubshell(r *request) {
	k.pub.status(r.message, "busy")
	defer k.pub.status(r.message, "idle")
	k.log.Printf("%s: %s for a subshell that does not exist", r.from.name, r.header.Type)
	if name, ok := strings.CutSuffix(r.header.Type, "_request"); ok {
		r.reply(name+"_reply", failed(noSuchSubshell(r.header.Subshell)))
	}
}

func noSuchSubshell(id string) *Failure {
	return &Failure{Name: "SubshellNotFound", Value: fmt.Sprintf("there is no subshell %q", id)}
}

func (k *kernel) createSubshell(*request) (map[string]any, error) {
	s := &k.subs
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || len(s.byID) >= maxSubshells {
		return failed(&Failure{Name: "TooManySubshells",
			Value: fmt.Sprintf("there are %d subshells, and no more are made", len(s.byID))}), nil
	}
	if s.byID == nil {
		s.byID = map[string]*queue{}
	}
	id, q := newID(), newQueue()
	s.byID[id] = q
	s.start(q)
	return map[string]any{"subshell_id": id}, nil
}

// deleteSubshell ends a subshell: a cell of it that runs is stopped, those that wait are aborted.
func (k *kernel) deleteSubshell(r *request) (map[string]any, error) {
	var c struct {
		ID string `json:"subshell_id"`
	}
	if err := r.read(&c); err != nil {
		return nil, err
	}
	s := &k.subs
	s.mu.Lock()
	q := s.byID[c.ID]
	delete(s.byID, c.ID)
	s.mu.Unlock()
	if q == nil {
		return failed(noSuchSubshell(c.ID)), nil
	}
	q.close()
	k.cells.stop(q)
	return map[string]any{}, nil
}

func (k *kernel) listSubshells(*request) (map[string]any, error) {
	return map[string]any{"subshell_id": append([]string{}, k.subs.ids()...)}, nil
}

func (s *subshells) ids() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.byID))
}

// queues are those of all subshells.
func (s *subshells) queues() []*queue {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.byID))
}

// close ends all subshells, and lets no more be made.
func (s *subshells) close(k *kernel) {
	s.mu.Lock()
	s.over = true
	all := slices.Collect(maps.Values(s.byID))
	clear(s.byID)
	s.mu.Unlock()
	for _, q := range all {
		q.close()
		k.cells.stop(q)
	}
}
