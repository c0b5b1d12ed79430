package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What is no file is written to, and stays what it is.
func TestWriteToAPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	if err := outputWritable(name); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := writeWhole(name, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() {
		t.Fatalf("the pipe is now %v, %v", info.Mode(), err)
	}
	b := make([]byte, 3)
	if n, err := f.Read(b); string(b[:n]) != "new" {
		t.Errorf("read %q, %v", b[:n], err)
	}
}
