package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"gotorch/jupyter"
)

// checkProgram is about this program, and what a shell would start under its name.
func checkProgram(d *doctor) {
	self, err := os.Executable()
	if err != nil {
		d.says(wrong, "", "this program does not know where it lies: %v", err)
		return
	}
	d.says(fine, "", "%s, gotorch %s, %s %s/%s", self, version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	found, err := exec.LookPath("gotorch-repl")
	switch {
	case err != nil:
		d.says(note, "add "+filepath.Dir(self)+" to PATH",
			"gotorch-repl is not in PATH; Jupyter does not need that, a shell does")
	case !sameFile(found, self):
		if why := differs(found); why != "" {
			d.says(note, "", "gotorch-repl in PATH is another: %s %s", found, why)
		}
	}
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// differs says how another file is not this program, "" where it is the same build: what it says its version is.
func differs(file string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, file, "version")
	cmd.WaitDelay = time.Second // for what it may have started
	out, err := cmd.Output()
	theirs, ours := strings.TrimSpace(string(out)), build()
	switch {
	case ctx.Err() != nil:
		return "does not say its version"
	case err != nil || !strings.HasPrefix(theirs, "gotorch ") || strings.Contains(theirs, "\n"):
		return "is not gotorch-repl"
	case theirs != ours:
		return fmt.Sprintf("is %s, this is %s", theirs, ours)
	}
	return ""
}

// checkJupyter is about what is installed of Jupyter.
func checkJupyter(d *doctor) {
	path, err := exec.LookPath("jupyter")
	d.data = jupyter.DataDirs()
	for _, f := range jupyter.Specs(d.data) {
		if f.Ours() {
			d.specs = append(d.specs, f)
		}
	}
	if err != nil {
		d.says(note, "python3 -m pip install jupyterlab, or Debian's jupyter-notebook; VS Code needs its Jupyter extension",
			"there is no jupyter in PATH; the prompt and gotorch-repl run work without")
		return
	}
	out, err := exec.Command(path, "--version").CombinedOutput()
	if err != nil {
		d.says(wrong, "install Jupyter again", "%s --version: %v: %s", path, err, lastLine(string(out)))
		return
	}
	d.has = true
	var parts []string
	for l := range strings.Lines(string(out)) { // name : version
		name, v, ok := strings.Cut(l, ":")
		name, v = strings.TrimSpace(name), strings.TrimSpace(v)
		if ok && v != "" && v != "not installed" && name != "" &&
			slices.Contains([]string{"notebook", "jupyterlab", "jupyter_client", "jupyter-client", "jupyter core",
				"jupyter_core", "ipywidgets", "nbconvert", "jupyter-notebook", "jupyter lab"}, name) {
			parts = append(parts, name+" "+v)
		}
	}
	d.says(fine, "", "%s: %s", path, strings.Join(parts, ", "))
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// checkSpecs is about the files that tell Jupyter of the kernel.
func checkSpecs(d *doctor) {
	if len(d.specs) == 0 {
		v := wrong
		if !d.has {
			v = note
		}
		d.says(v, "gotorch-repl install", "Jupyter does not know the kernel: no kernelspec of gotorch in\n%s",
			strings.Join(d.data, "\n"))
	}
	for _, f := range d.specs {
		switch program, why := startable(f); {
		case f.Err != nil:
			d.says(wrong, cure(f), "%s: kernel.json cannot be read: %v", f.Dir, f.Err)
		case why != "":
			d.says(wrong, cure(f), "%s starts %s, which %s", f.Dir, program, why)
		case f.Hidden:
			d.says(note, removal(f), "%s is hidden by another of the same name", f.Dir)
		default:
			text := fmt.Sprintf("%s %q starts %s", f.Dir, f.Display, program)
			for _, a := range f.Argv[1 : len(f.Argv)-2] {
				text += " " + a
			}
			if why := differs(program); why != "" {
				d.says(wrong, cure(f), "%s, another version: it %s", text, why)
			} else {
				d.says(fine, "", "%s", text)
			}
		}
	}
}

// cure is what to do about a kernelspec that does not work.
func cure(f jupyter.Found) string {
	return removal(f) + " removes it, gotorch-repl install makes one that works"
}

// startable returns the program of a kernelspec, and what is wrong with it.
func startable(f jupyter.Found) (program, why string) {
	if f.Err != nil {
		return "", "kernel.json cannot be read"
	}
	program = f.Argv[0]
	if !filepath.IsAbs(program) {
		found, err := exec.LookPath(program)
		if err != nil {
			return program, "is not in PATH"
		}
		return found, ""
	}
	info, err := os.Stat(program)
	switch {
	case os.IsNotExist(err):
		return program, "is not there"
	case err != nil:
		return program, "cannot be looked at: " + err.Error()
	case info.IsDir():
		return program, "is a folder"
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return program, "is not executable"
	}
	return program, ""
}

// checkKernels starts the kernels as Jupyter would, lets each compute, and ends it.
func checkKernels(d *doctor) {
	tried := 0
	for _, f := range d.specs {
		program, why := startable(f)
		if why != "" || f.Hidden {
			continue
		}
		tried++
		d.tries(f.Name, program, f.Argv[1:], f.Env)
	}
	if tried == 0 {
		if self, err := os.Executable(); err == nil {
			d.tries("this program", self, []string{"kernel", "{connection_file}"}, nil)
		}
	}
}

func (d *doctor) tries(name, program string, args []string, env map[string]string) {
	r, err := tryKernel(program, args, env)
	if err != nil {
		d.says(wrong, "", "%s: %v", name, err)
		return
	}
	d.says(fine, "", "%s answers %s after its start, runs 1+1 in %s, ends in %s", name, round(r.start),
		round(r.cell), round(r.end))
}

func round(t time.Duration) string { return t.Round(100 * time.Microsecond).String() }
