// Command reference writes docs/operators.md: for every operator its signature, what it does, its shape class,
// derivative and dtypes, and an example with what it shows. It runs the examples in a session, and tries every dtype,
// so that the page says what the program does. go generate ./... runs it, after what it needs.
package main

import (
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: reference FILE")
	}
	text, err := page()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[1], []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
}
