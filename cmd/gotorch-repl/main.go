// Command gotorch-repl is a prompt and a Jupyter kernel for tensors: Go that feels made for them.
//
//	gotorch-repl                  the prompt; cells from standard input where that is no terminal
//	gotorch-repl -c CODE          runs the code, shows its results and ends
//	gotorch-repl run FILE         runs a Go program, a file of cells or a notebook
//	gotorch-repl learn            lessons that run, with exercises
//	gotorch-repl export FILE      writes a Go program that does what the cells do
//	gotorch-repl install          makes the kernel known to Jupyter
//	gotorch-repl uninstall        takes it away again
//	gotorch-repl doctor           says whether the installation works, and what to do
//	gotorch-repl trace FILE       shows a trace that %trace -o wrote
//	gotorch-repl kernel FILE      is the kernel; Jupyter starts it
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"

	_ "gotorch"
)

var cli struct {
	Repl      replCommand      `cmd:"" default:"withargs" help:"Start the prompt, or read cells from standard input (the default)."`
	Learn     learnCommand     `cmd:"" help:"Read lessons that run, with exercises that are checked."`
	Run       runCommand       `cmd:"" help:"Run a Go program (package main), a file of cells, or a notebook."`
	Kernel    kernelCommand    `cmd:"" help:"Serve a Jupyter front end; Jupyter starts this."`
	Export    exportCommand    `cmd:"" help:"Write a Go program that does what a notebook or a file of cells does."`
	Install   installCommand   `cmd:"" help:"Make the kernel known to Jupyter."`
	Uninstall uninstallCommand `cmd:"" help:"Take the kernel away from Jupyter."`
	Doctor    doctorCommand    `cmd:"" help:"Check the installation, and say what is wrong and what to do."`
	Trace     traceCommand     `cmd:"" help:"Show a trace that %trace -o wrote: as text, as a page, for Perfetto."`
	Version   versionCommand   `cmd:"" help:"Print the version."`

	Safe   bool     `help:"Restrict what cells may do: no files are changed, no programs started, no shell. For classrooms and shared machines."`
	Read   []string `help:"With --safe: the only folders and files that cells may read. Linux with Landlock." placeholder:"DIR" sep:"none"`
	Memory byteSize `help:"What tensors may use in all: 512M, 2GiB." placeholder:"SIZE" env:"GOTORCH_MEMORY"`

	ShowVersion versionFlag `name:"version" help:"Print the version."`
}

type versionFlag bool

// BeforeApply prints the version and ends the program: the flag stands for the command.
func (versionFlag) BeforeApply(app *kong.Kong) error {
	versionCommand{}.Run()
	app.Exit(0)
	return nil
}

// errFailed ends the program with status 1 when everything has been said already.
var errFailed = errors.New("a cell failed")

// exitStatus ends the program with a status of its own.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

func main() {
	pace()
	run := usual(os.Args[1:])
	if run == nil {
		run = parsed(os.Args[1:])
	}
	limitMemory()
	err := run()
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

// usual is the command of the command lines that nearly all starts have: an empty one, the one in Jupyter's kernel
// specification, and -c with a cell. To make the parser that knows all of them takes longer than the rest of main. It
// is nil for any other.
func usual(args []string) func() error {
	switch {
	case os.Getenv("GOTORCH_MEMORY") != "":
	case len(args) == 0:
		return cli.Repl.Run
	case len(args) == 2 && args[0] == "kernel" && !strings.HasPrefix(args[1], "-"):
		cli.Kernel.File = args[1]
		return cli.Kernel.Run
	case len(args) == 2 && args[0] == "-c" && !strings.HasPrefix(args[1], "-"):
		cli.Repl.Code = &args[1]
		return cli.Repl.Run
	}
	return nil
}

func commandLine() *kong.Kong {
	return kong.Must(&cli, kong.Name("gotorch-repl"),
		kong.Description("A prompt and a Jupyter kernel for tensors, in Go."))
}

// parsed is the command of any command line; a wrong one ends the program.
func parsed(args []string) func() error {
	ctx, err := commandLine().Parse(forProgram(args))
	if err != nil {
		fmt.Fprintf(os.Stderr, "gotorch-repl: %v\n%s", err, hint(args))
		os.Exit(2)
	}
	return func() error { return ctx.Run() }
}

// hint says what a user may have meant.
func hint(args []string) string {
	if len(args) > 0 {
		if f, err := os.Stat(args[0]); err == nil && !f.IsDir() {
			return fmt.Sprintf("To run %s: gotorch-repl run %s\n", args[0], args[0])
		}
	}
	return "gotorch-repl --help lists the commands.\n"
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
	fmt.Println(build())
	return nil
}

// build names this build: version, revision where the version does not tell it, Go.
func build() string {
	revision, changed := "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = s.Value[:min(12, len(s.Value))]
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = " with changes"
			}
		}
	}
	name := version()
	if revision != "" && !strings.Contains(name, revision) {
		name += " " + revision + changed
	}
	return fmt.Sprintf("gotorch %s, %s %s/%s", name, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
