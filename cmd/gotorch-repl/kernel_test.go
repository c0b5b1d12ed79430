package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The suite of jupyter_kernel_test: every one of its tests has what it needs.
const kernelSuite = `
import unittest, jupyter_kernel_test
class Gotorch(jupyter_kernel_test.KernelTests):
    kernel_name = "gotorch"
    language_name = "go"
    file_extension = ".go"
    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'fmt.Fprintln(os.Stderr, "oh")'
    completion_samples = [
        {"text": "fmt.Printl", "matches": {"Println"}},
        {"text": "x := Ones(2); x.Sum(keep", "matches": {"keepdim="}},
        {"text": "Aran", "matches": {"Arange"}},
    ]
    complete_code_samples = ["1", "x := Arange(3)", "func f() int { return 1 }", "x[:, 1:]"]
    incomplete_code_samples = ["func f() {", "x := []int{1,", "for i := range 3 {", "f("]
    invalid_code_samples = ["x := := 1", "func 3() {}"]
    code_page_something = "?Arange"
    code_generate_error = 'panic("x")'
    code_execute_result = [
        {"code": "6 * 7", "result": "42"},
        {"code": "Arange(3) + 1", "result": "tensor([1, 2, 3])"},
    ]
    code_display_data = [
        {"code": 'display.Display(display.HTML("<b>x</b>"))', "mime": "text/html"},
        {"code": 'display.Display(display.PNG([]byte("\\x89PNG")))', "mime": "image/png"},
        {"code": 'display.Display(visualize.Strides(Arange(4)))', "mime": "text/html"},
    ]
    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = "6*"
    code_inspect_sample = "Arange"
    code_clear_output = "display.Clear(false)"
unittest.main(verbosity=2)
`

// installed installs the kernel for a home of its own and gives the environment in which Jupyter finds it.
func installed(t *testing.T) (env []string) {
	t.Helper()
	home := t.TempDir()
	env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "config"), "JUPYTER_PATH=",
		"JUPYTER_DATA_DIR=")
	cmd := exec.Command(program(t), "install", "--user")
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("install: %v\n%s", err, out)
	}
	return env
}

func TestJupyterKernelTest(t *testing.T) {
	t.Parallel() // it drives other processes
	py := python(t, "jupyter_client, jupyter_kernel_test")
	cmd := exec.Command(py, "-c", kernelSuite)
	cmd.Env = installed(t)
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "skipped") || !strings.Contains(string(out), "Ran 12 tests") {
		t.Errorf("%v\n%s", err, out)
	}
}
