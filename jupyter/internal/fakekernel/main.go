// Fakekernel serves the fake session, so that real clients can try the kernel without a language.
//
//	fakekernel CONNECTION_FILE
//
// FAKE_HISTORY names a history file.
package main

import (
	"context"
	"fmt"
	"os"

	"gotorch/jupyter"
	"gotorch/jupyter/internal/fake"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: fakekernel CONNECTION_FILE")
	}
	return jupyter.Run(context.Background(), args[0], fake.New(), jupyter.Options{HistoryFile: os.Getenv("FAKE_HISTORY")})
}
