package interp

import (
	"context"
	"os"
	"strings"
)

// magicAliases are IPython's names of commands that have another here.
var magicAliases = map[string]string{
	"hist": "history", "whos": "who", "who_ls": "who", "lsmagic": "help", "magic": "help", "quickref": "help",
	"prun": "prof", "lprun": "prof", "memit": "memory", "xdel": "reset", "reset_selective": "reset", "pinfo": "?", "pinfo2": "??", "psource": "??",
	"pdoc": "?", "pdef": "?", "pfile": "??", "psearch": "?", "set_env": "env", "file": "writefile", "rep": "recall", "mprun": "memory",
}

// shellMagics are programs that IPython runs after a % too, and the cells that it gives to a shell.
var shellMagics = map[string]bool{
	"ls": true, "ll": true, "cat": true, "mkdir": true, "rmdir": true, "rm": true, "cp": true, "mv": true, "less": true, "more": true, "man": true,
	"bash": true, "sh": true, "system": true, "sx": true,
}

// commandHabits say of IPython's commands that are none here what there is instead.
var commandHabits = map[string]string{
	"matplotlib": "pictures need no set-up: visualize.Plot(y) draws",
	"debug":      "an error shows its line and the functions that it passed; %trace and %backward go through calls step by step",
	"pdb":        "an error shows its line and the functions that it passed; %trace and %backward go through calls step by step",
	"tb":         "an error shows its line and the functions that it passed at once",
	"load_ext":   "all commands are there, %help lists them",
	"reload_ext": "all commands are there, %help lists them",
	"autoreload": "%run FILE runs a file again, and its functions are the new ones for all callers",
	"paste":      "what is pasted is one cell, whatever it holds",
	"cpaste":     "what is pasted is one cell, whatever it holds",
	"macro":      "a function does that, and %run FILE",
	"capture":    "a semicolon at the end of the cell shows nothing",
	"pip":        "packages are built in, there is nothing to install; !pip … runs it in the shell",
	"conda":      "packages are built in, there is nothing to install; !conda … runs it in the shell",
	"python":     "a cell is Go; !python3 -c '…' runs it in the shell",
	"store":      "%save FILE writes cells, SaveNpz(\"w.npz\", map[string]*Tensor{\"w\": w}) tensors",
	"logstart":   "%save FILE writes the cells that ran",
	"notebook":   "%save FILE writes the cells that ran",
}

// programText is what a command would have to be told in a shell: ls with what follows, or a script.
func programText(m invocation) string {
	if name := m.name; name != "bash" && name != "sh" && name != "system" && name != "sx" {
		return name + " " + strings.TrimSpace(m.arg)
	}
	return strings.TrimSpace(m.arg)
}

// writefileMagic writes the cell under its first line to a file; -a adds to one.
func (s *Session) writefileMagic(_ context.Context, _ int, arg string) ([]Value, *Error) {
	first, text, more := strings.Cut(strings.TrimLeft(arg, " \t\r\n"), "\n")
	names := words(first)
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if len(names) > 0 && names[0] == "-a" {
		flags, names = os.O_WRONLY|os.O_CREATE|os.O_APPEND, names[1:]
	}
	if len(names) != 1 || !more {
		return nil, usage("%%%%writefile [-a] FILE, and under it the text")
	}
	if err := s.restricted("%%writefile"); err != nil {
		return nil, err
	}
	name := unquoted(names[0])
	f, err := os.OpenFile(name, flags, 0o666)
	if err != nil {
		return nil, fileError(err)
	}
	_, err = f.WriteString(strings.TrimRight(text, "\n") + "\n")
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, fileError(err)
	}
	return textValue("written to " + name), nil
}

// takesText reports whether a %% command takes a text that is no Go.
func takesText(line string) bool {
	name, _ := cutWord(strings.TrimPrefix(strings.TrimSpace(line), "%%"))
	return name == "writefile" || shellMagics[name]
}
