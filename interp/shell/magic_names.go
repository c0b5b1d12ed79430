package shell

import (
	"context"
	"gotorch/interp/result"
	"gotorch/interp/split"
	"os"
	"strings"
)

// magicAliases are IPython's names of commands that have another here.
var magicAliases = map[string]string{
	"hist": "history", "whos": "who", "who_ls": "who", "lsmagic": "help", "magic": "help", "quickref": "help",
	"prun": "prof", "lprun": "prof", "memit": "memory", "xdel": "reset", "reset_selective": "reset", "pinfo": "?",
	"pinfo2": "??", "HTML": "html", "SVG": "svg", "psource": "??",
	"pycat": "cat", "ldir": "ls", "lf": "ls", "lc": "ls", "lx": "ls", "lk": "ls", "pdoc": "?", "pdef": "?", "pfile": "??",
	"psearch": "?", "set_env": "env", "file": "writefile", "rep": "recall", "mprun": "memory",
}

// shellMagics are programs that IPython also runs after a %, and its magics that run a cell in a shell.
var shellMagics = map[string]bool{
	"ls": true, "ll": true, "head": true, "tail": true, "grep": true, "wc": true, "cat": true, "mkdir": true,
	"rmdir": true, "rm": true, "cp": true, "mv": true, "less": true, "more": true, "man": true,
	"bash": true, "sh": true, "system": true, "sx": true,
}

// commandHints say of IPython's commands that are none here what there is instead.
var commandHints = map[string]string{
	"matplotlib": "pictures need no set-up: visualize.Plot(y) draws",
	"debug": "an error shows its line and the functions that it passed; %trace and %backward go through calls " +
		"step by step",
	"pdb": "an error shows its line and the functions that it passed; %trace and %backward go through calls " +
		"step by step",
	"tb":         "an error shows its line and the functions that it passed at once",
	"load_ext":   "all commands are there, %help lists them",
	"reload_ext": "all commands are there, %help lists them",
	"autoreload": "%run FILE runs a file again, and its functions are the new ones for all callers",
	"paste":      "what is pasted is one cell, whatever it holds",
	"cpaste":     "what is pasted is one cell, whatever it holds",
	"macro":      "a function does that, and %run FILE",
	"xmode":      "an error shows its line and the functions that it passed; there is nothing to set",
	"config": "%precision and %keep set what can be set; gotorch/startup.go in the configuration directory runs " +
		"at the start",
	"colors":        "NO_COLOR=1 gotorch-repl shows no colours",
	"color":         "NO_COLOR=1 gotorch-repl shows no colours",
	"automagic":     "a command has its % always",
	"autocall":      "a call has its parentheses always",
	"pprint":        "values are shown as Go writes them; %precision sets the digits of tensors",
	"doctest_mode":  "prompts that are pasted are left out by themselves",
	"del":           "%reset NAME forgets it",
	"dhist":         "%cd - goes back to the directory before",
	"bookmark":      "dir := \"/data\" in gotorch/startup.go, and %cd $dir",
	"pushd":         "%cd DIR goes there, %cd - back",
	"popd":          "%cd - goes back",
	"dirs":          "%cd - goes back to the directory before",
	"unalias":       "a function runs what it names; %alias shows storages",
	"alias_magic":   "a function does that",
	"rehashx":       "!NAME runs any program",
	"sc":            "files := !ls takes what a program prints",
	"logoff":        "%save FILE writes the cells that ran",
	"logon":         "%save FILE writes the cells that ran",
	"logstop":       "%save FILE writes the cells that ran",
	"logstate":      "%save FILE writes the cells that ran",
	"pylab":         "pictures need no set-up: visualize.Plot(y) draws",
	"gui":           "pictures need no set-up: visualize.Plot(y) draws",
	"exit":          "exit leaves the prompt; a notebook is left by its menu",
	"quit":          "exit leaves the prompt; a notebook is left by its menu",
	"clear":         "Ctrl-L clears the screen",
	"cls":           "Ctrl-L clears the screen",
	"pastebin":      "%save FILE writes cells to a file",
	"subshell":      "!bash opens one",
	"javascript":    "a cell is Go; display.HTML shows a page's part",
	"js":            "a cell is Go; display.HTML shows a page's part",
	"python3":       "a cell is Go; !python3 -c '…' runs it in the shell",
	"py":            "a cell is Go; !python3 -c '…' runs it in the shell",
	"perl":          "a cell is Go; %%bash gives its cell to the shell",
	"ruby":          "a cell is Go; %%bash gives its cell to the shell",
	"script":        "%%bash gives its cell to the shell",
	"cython":        "a cell is Go; gotorch-repl export writes a program that is compiled",
	"numba":         "a cell is Go; gotorch-repl export writes a program that is compiled",
	"tensorboard":   "visualize.Plot(y) draws, %graph y shows the graph",
	"killbgscripts": "%goroutines stop ends what cells have started",
	"pip":           "packages are built in, there is nothing to install; !pip … runs it in the shell",
	"conda":         "packages are built in, there is nothing to install; !conda … runs it in the shell",
	"python":        "a cell is Go; !python3 -c '…' runs it in the shell",
	"store":         "%save FILE writes cells, SaveNpz(\"w.npz\", map[string]*Tensor{\"w\": w}) tensors",
	"logstart":      "%save FILE writes the cells that ran",
	"notebook":      "%save FILE writes the cells that ran",
}

// programText is the command line of such a magic: ls with its arguments, or the script.
func programText(name, arg string) string {
	switch arg = strings.TrimSpace(arg); name {
	case "ll":
		return "ls -l " + arg
	case "bash", "sh", "system", "sx":
		return arg
	}
	return name + " " + arg
}

// writefileMagic writes the cell under its first line to a file; -a adds to one.
func (s *Shell) writefileMagic(ctx context.Context, arg string) ([]Value, *Error) {
	first, text, more := strings.Cut(strings.TrimLeft(arg, " \t\r\n"), "\n")
	names := split.Words(first)
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if len(names) > 0 && names[0] == "-a" {
		flags, names = os.O_WRONLY|os.O_CREATE|os.O_APPEND, names[1:]
	}
	if len(names) != 1 || !more {
		return nil, usage("%%%%writefile [-a] FILE, and under it the text")
	}
	if err := s.Restricted("%%writefile"); err != nil {
		return nil, err
	}
	name := unquoted(names[0])
	if err := writeTo(ctx, name, flags, strings.TrimRight(text, "\n")+"\n"); err != nil {
		return nil, fileError(err)
	}
	return result.Text("written to " + name), nil
}

// takesText reports whether the cell under a %% is no Go.
func takesText(name string) bool {
	if other := magicAliases[name]; other != "" {
		name = other
	}
	return name == "writefile" || shellMagics[name] || textKinds[name] != nil
}
