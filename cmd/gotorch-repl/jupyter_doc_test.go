package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// elsewhere are the commands of docs/jupyter.md that other tests run.
var elsewhere = map[string]string{
	"jupyter notebook":                                            "TestNotebookPage",
	"jupyter console --kernel gotorch":                            "TestJupyterConsole",
	"jupyterhub -f jupyterhub_config.py":                          "TestJupyterHub",
	"gotorch-repl --safe --memory 1G install --prefix /usr/local": "TestJupyterHub",
}

const documented = `{"cells": [
	{"cell_type": "code", "metadata": {"tags": ["parameters"]}, "execution_count": null, "outputs": [], "source": "lr := 0.1"},
	{"cell_type": "code", "metadata": {}, "execution_count": null, "outputs": [], "source": "Full([]int{1}, lr)"}],
	"metadata": {"kernelspec": {"name": "gotorch", "display_name": "Go (gotorch)", "language": "go"}}, "nbformat": 4, "nbformat_minor": 4}`

// TestJupyterDocCommands runs the commands of docs/jupyter.md, one after the other, in a home of its own.
func TestJupyterDocCommands(t *testing.T) {
	t.Parallel() // it drives other processes
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notebook.ipynb"), []byte(documented), 0o666); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "JUPYTER_DATA_DIR=", "JUPYTER_PATH=",
		"JUPYTER_RUNTIME_DIR=",
		"PATH="+filepath.Dir(program(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	ran := 0
	for c := range strings.Lines(strings.Join(blocks(t, "docs/jupyter.md", "console"), "")) {
		c = strings.TrimSpace(strings.TrimPrefix(c, "$ "))
		if elsewhere[c] != "" {
			continue
		}
		if strings.HasPrefix(c, "jupyter ") && exec.Command("jupyter", strings.Fields(c)[1], "--version").Run() != nil {
			if required("jupyter") {
				t.Errorf("%s: not installed", c)
			}
			continue
		}
		cmd := exec.Command("sh", "-c", c)
		cmd.Env, cmd.Dir = env, dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", c, err, out)
		}
		ran++
		if strings.Contains(c, "done.ipynb") {
			want := "0.1000"
			if strings.Contains(c, "-p lr=0.5") {
				want = "0.5000"
			}
			text, err := os.ReadFile(filepath.Join(dir, "done.ipynb"))
			if err != nil || !strings.Contains(string(text), "tensor(["+want+"])") {
				t.Errorf("%s: %v\n%s", c, err, text)
			}
			os.Remove(filepath.Join(dir, "done.ipynb"))
		}
	}
	if ran < 6 {
		t.Errorf("%d commands", ran)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".local", "share", "jupyter", "kernels", "*")); len(left) > 0 {
		t.Errorf("after the last command there are kernels: %v", left)
	}
}
