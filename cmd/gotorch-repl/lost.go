package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"gotorch/internal/journal"
	"gotorch/interp"
)

// kept is a session whose cells are kept while the process lives.
type kept struct {
	session *interp.Session
	journal *journal.Journal
	lost    *journal.Lost
}

// keepCells has a session write its cells to a journal, and finds the journal of an earlier process of its kind.
func keepCells(kind, key string) kept {
	var k kept
	if dir := configFile("sessions"); dir != "" {
		k.lost = journal.Find(dir, kind, key)
		k.journal, _ = journal.Open(dir, kind, key) // without one nothing is kept
	}
	o := interp.Options{Safe: cli.Safe, Read: cli.Read, NoSkip: noSkip(), Ended: giving.ended}
	o.Journal, o.Lost = k.journal, k.lost
	k.session = interp.New(o)
	return k
}

// pipeClosed ends the program as the system does when nobody reads what it prints; nothing is lost then.
func (k kept) pipeClosed() {
	closed := make(chan os.Signal, 1)
	signal.Notify(closed, syscall.SIGPIPE)
	go func() {
		<-closed
		k.journal.Close()
		signal.Reset(syscall.SIGPIPE)
		if p, err := os.FindProcess(os.Getpid()); err == nil && p.Signal(syscall.SIGPIPE) == nil {
			time.Sleep(time.Second)
		}
		os.Exit(1)
	}()
}

// close ends the session in order.
func (k kept) close() {
	k.session.Close()
	k.journal.Close()
}

// offer tells the user what was lost, in lines; empty where nothing was.
func (k kept) offer() string {
	l := k.lost
	if l == nil {
		return ""
	}
	where, what := "between two cells", "its cells"
	if l.Fatal != nil {
		where, what = fmt.Sprintf("in In[%d]", l.Fatal.N), "the cells before that one"
	}
	return fmt.Sprintf("The session before this one was ended %s: %s\n%s runs %s again.\n", where, l.Cause,
		journal.Command, what)
}
