package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/cpu"
	"golang.org/x/term"

	"gotorch/internal/bytesize"
	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// checkSettings is about the environment variables that gotorch reads.
func checkSettings(d *doctor) {
	var set []string
	for _, name := range []string{"GOTORCH_THREADS", "GOTORCH_WIDGETS", "GOTORCH_MEMORY"} {
		if v := os.Getenv(name); v != "" {
			set = append(set, name+"="+v)
		}
	}
	if v := os.Getenv("GOTORCH_THREADS"); v != "" {
		if n, err := strconv.Atoi(v); err != nil || n < 1 {
			d.says(wrong, "a number from 1 on, or nothing", "GOTORCH_THREADS=%s is ignored", v)
		}
	}
	if v := os.Getenv("GOTORCH_WIDGETS"); !oneOf(v, "6", "7", "8") {
		d.says(wrong, "6, 7 or 8, the generation of ipywidgets, or nothing", "GOTORCH_WIDGETS=%s is ignored", v)
	}
	switch {
	case len(set) > 0:
		d.says(fine, "", "%s", strings.Join(set, " "))
	default:
		d.says(fine, "", "no GOTORCH_ variable is set")
	}
}

// checkFiles is about where the history of cells is kept, and the programs that edit and show them.
func checkFiles(d *doctor) {
	dir, err := os.UserConfigDir()
	if err != nil {
		d.says(note, "set HOME or XDG_CONFIG_HOME", "what is typed is not kept: %v", err)
	} else {
		dir = filepath.Join(dir, "gotorch")
		if err := writable(dir); err != nil {
			d.says(wrong, "make it writable, or set XDG_CONFIG_HOME to a folder that is", "what is typed is not kept: %v", err)
		} else {
			d.says(fine, "", "the history is kept in %s", dir)
		}
	}
	for _, p := range []struct {
		what, value, from, otherwise string
	}{
		{"%edit", cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi"), "EDITOR", "%edit does not work"},
		{"long values", cmp.Or(os.Getenv("PAGER"), "less"), "PAGER", "they are printed whole"},
	} {
		name := strings.Fields(p.value)[0]
		if path, err := exec.LookPath(name); err != nil {
			d.says(note, "install it, or set "+p.from, "%s: %s is not in PATH, so %s", p.what, name, p.otherwise)
		} else {
			d.says(fine, "", "%s: %s", p.what, path)
		}
	}
}

// writable makes the folder if it is not there, and tries to write into it.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString("x")
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// checkTerminal is about what the prompt can draw.
func checkTerminal(d *doctor) {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"))
	if l := strings.ToLower(locale); runtime.GOOS != "windows" && !strings.Contains(l, "utf-8") &&
		!strings.Contains(l, "utf8") {
		d.says(note, "export LC_ALL=C.UTF-8",
			"the locale is %q; pictures are drawn with characters of UTF-8, which a terminal of that locale may not show",
			cmp.Or(locale, "C"))
	}
	if !term.IsTerminal(int(os.Stdout.Fd())) {
		d.says(fine, "", "standard output is no terminal: no colour, no editor of lines")
		return
	}
	name := os.Getenv("TERM")
	width, height, err := term.GetSize(int(os.Stdout.Fd()))
	switch {
	case name == "dumb" || name == "":
		d.says(note, "TERM=xterm-256color, if it can do that", "TERM is %q: the prompt reads plain lines", name)
	case err != nil || width == 0:
		d.says(note, "", "the terminal does not tell its size; 80 columns are taken")
	case width < 80:
		d.says(note, "make it wider", "%s, %d×%d: wide pictures are cut", name, width, height)
	default:
		colors := map[bool]string{true: "24-bit colour", false: "colour"}[os.Getenv("COLORTERM") == "truecolor" ||
			os.Getenv("COLORTERM") == "24bit"]
		if !d.color {
			colors = "no colour (NO_COLOR)"
		}
		d.says(fine, "", "%s, %d×%d, %s", name, width, height, colors)
	}
}

// checkMachine is about memory, processors and their vector instructions.
func checkMachine(d *doctor) {
	budget := tensor.MemoryBudget()
	from := "seven eighths of what this machine or its cgroup has"
	if cli.Memory > 0 {
		from = "as --memory or GOTORCH_MEMORY says"
	}
	v, todo := fine, ""
	if budget < 256<<20 {
		v, todo = note, "raise the limit of the container, or --memory"
	}
	d.says(v, todo, "tensors may use %s, %s", bytesize.Text(budget), from)
	text := fmt.Sprintf("%d threads of %d processors", parallel.Threads(), runtime.NumCPU())
	if f := features(); f != "" {
		text += "; " + f
	}
	d.says(fine, "", "%s", text)
}

// features lists the vector instructions that the processor has.
func features() string {
	var has []string
	for _, f := range []struct {
		name string
		ok   bool
	}{
		{"AVX2", cpu.X86.HasAVX2}, {"FMA", cpu.X86.HasFMA}, {"AVX512F", cpu.X86.HasAVX512F},
		{"NEON", cpu.ARM64.HasASIMD}, {"SVE", cpu.ARM64.HasSVE},
	} {
		if f.ok {
			has = append(has, f.name)
		}
	}
	return strings.Join(has, ", ")
}
