package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the sessions of testdata/script.
func TestScripts(t *testing.T) {
	bin := program(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", filepath.Dir(bin)+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("BIN", filepath.Dir(bin))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			// status N ARG: the exit status of the program with that argument
			"status": func(ts *testscript.TestScript, neg bool, args []string) {
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				arguments := args[1:]
				if strings.HasSuffix(args[1], ".go") {
					arguments = append([]string{"run", ts.MkAbs(args[1])}, args[2:]...)
				}
				var exit *exec.ExitError
				err = exec.Command(bin, arguments...).Run()
				if !errors.As(err, &exit) || exit.ExitCode() != want {
					ts.Fatalf("%v, want exit status %d", err, want)
				}
			},
		},
	})
}

// TestInterruptOfAPipe: a signal stops the cell that runs, and the program with status 1.
func TestInterruptOfAPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals")
	}
	cmd := exec.Command(program(t))
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	var errOut strings.Builder
	cmd.Stderr = &errOut
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() }).Stop()
	io.WriteString(in, "fmt.Println(\"looping\"); for {}\nfmt.Println(\"never\")\n")
	r := bufio.NewReader(out)
	if line, err := r.ReadString('\n'); line != "looping\n" {
		t.Fatalf("%q, %v", line, err)
	}
	start := time.Now()
	cmd.Process.Signal(os.Interrupt)
	in.Close()
	rest, _ := io.ReadAll(r)
	cmd.Wait()
	if want := "error: interrupted\n  at In[1]:1\n      fmt.Println(\"looping\"); for {}\n"; cmd.ProcessState.ExitCode() != 1 ||
		len(rest) > 0 || errOut.String() != want && errOut.String() != "error: interrupted\n" {
		t.Errorf("status %d, stdout %q, stderr %q", cmd.ProcessState.ExitCode(), rest, errOut.String())
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}
