package jupyter_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/jupyter"
)

// python finds a Python that has jupyter_client.
func python(t *testing.T, modules string) string {
	t.Helper()
	for _, p := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(p, "-c", "import "+modules).Run() == nil {
			return p
		}
	}
	if required("jupyter") {
		t.Fatalf("no Python with %s", modules)
	}
	t.Skipf("no Python with %s (Debian: python3-jupyter-client python3-jupyter-kernel-test)", modules)
	return ""
}

// The suite of jupyter_kernel_test, against the fake session installed as a kernel.
const kernelSuite = `
import unittest, jupyter_kernel_test
class Fake(jupyter_kernel_test.KernelTests):
    kernel_name = "fake"
    language_name = "words"
    file_extension = ".words"
    code_hello_world = "print hello, world"
    code_stderr = "err oh"
    completion_samples = [{"text": "pri", "matches": {"print"}}, {"text": "zz", "matches": set()}]
    complete_code_samples = ["print 1", "{\n}"]
    incomplete_code_samples = ["{", "{\n{\n}"]
    invalid_code_samples = ["}"]
    code_page_something = "page help"
    code_generate_error = "fail x"
    code_execute_result = [{"code": "result 1", "result": "1"}, {"code": "result 22", "result": "22"}]
    code_display_data = [{"code": "html x", "mime": "text/html"}, {"code": "image", "mime": "image/png"}]
    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = "result 2*"
    code_inspect_sample = "print"
    code_clear_output = "clear"
unittest.main(verbosity=2)
`

func TestJupyterKernelTest(t *testing.T) {
	py := python(t, "jupyter_client, jupyter_kernel_test")
	dir := t.TempDir()
	_, err := jupyter.Install(jupyter.InstallOptions{
		Name: "fake", Executable: os.Args[0], Command: []string{}, Prefix: dir,
		Env: map[string]string{"FAKE_KERNEL": "run", "FAKE_HISTORY": filepath.Join(dir, "history")},
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(py, "-c", kernelSuite)
	cmd.Env = append(os.Environ(), "JUPYTER_PATH="+filepath.Join(dir, "share", "jupyter"), "HOME="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "skipped") || !strings.Contains(string(out), "Ran 12 tests") {
		t.Errorf("%v\n%s", err, out)
	}
}
