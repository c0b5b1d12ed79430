// Command gotorch-repl is a prompt and a Jupyter kernel for tensors: Go that feels made for them.
//
//	gotorch-repl                  the prompt; cells from standard input where that is no terminal
//	gotorch-repl run FILE         runs a Go program, a file of cells or a notebook
//	gotorch-repl install          makes the kernel known to Jupyter
//	gotorch-repl kernel FILE      is the kernel; Jupyter starts it
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"

	_ "gotorch"
)

var cli struct {
	Repl    replCommand    `cmd:"" default:"withargs" help:"Start the prompt, or read cells from standard input (the default)."`
	Run     runCommand     `cmd:"" help:"Run a Go program (package main), a file of cells, or a notebook."`
	Kernel  kernelCommand  `cmd:"" help:"Serve a Jupyter front end; Jupyter starts this."`
	Install installCommand `cmd:"" help:"Make the kernel known to Jupyter."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

// errFailed ends the program with status 1 when everything has been said already.
var errFailed = errors.New("a cell failed")

// exitStatus ends the program with a status of its own.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

func main() {
	// Tensors of a person at a prompt are small and short-lived: collecting less often halves their cost.
	debug.SetGCPercent(400)
	ctx := kong.Parse(&cli, kong.Name("gotorch-repl"), kong.Description("A prompt and a Jupyter kernel for tensors, in Go."), kong.UsageOnError())
	err := ctx.Run()
	var status exitStatus
	switch {
	case err == nil:
	case errors.As(err, &status):
		os.Exit(int(status))
	case errors.Is(err, errFailed):
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "gotorch-repl:", err)
		os.Exit(1)
	}
}

type versionCommand struct{}

// version is the module's version, "devel" for a build from a checkout.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

func (versionCommand) Run() error {
	fmt.Printf("gotorch %s, %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
