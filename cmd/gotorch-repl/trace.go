package main

import (
	"fmt"
	"os"
	"path/filepath"

	"gotorch/visualize"
)

type traceCommand struct {
	File   string `arg:"" help:"A file that %trace -o wrote."`
	Output string `short:"o" help:"Write a page that a browser shows to this file." placeholder:"PAGE.html"`
	Chrome string `help:"Write Chrome's trace-event format, which ui.perfetto.dev opens, to this file." placeholder:"OUT.json"`
}

// Run reads the trace; without an option it prints what it cost and the tree of calls.
func (c traceCommand) Run() error {
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := visualize.ReadTrace(f)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if c.Output != "" {
		if err := os.WriteFile(c.Output, []byte(t.Page(filepath.Base(c.File))), 0o644); err != nil {
			return err
		}
	}
	if c.Chrome != "" {
		if err := visualize.WriteFile(c.Chrome, t.Chrome); err != nil {
			return err
		}
	}
	if c.Output == "" && c.Chrome == "" {
		fmt.Println(t.Text(false))
		fmt.Println()
		fmt.Println(t.Timing().Text(false))
	}
	return nil
}
