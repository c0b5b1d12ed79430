package interp

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// single skips a test of one goroutine where tests are to be short, as they are under the race detector, which is slow
// and finds nothing there.
func single(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine")
	}
}

// apart runs a test in a process of its own: what it leaves behind, compiled code that nothing stops and a heap of
// gigabytes, ends with it, and where it collects and measures, what other tests have left is not there. It is true
// where the test is to do its work, in that process.
func apart(t *testing.T) bool {
	t.Helper()
	const name = "GOTORCH_TEST_APART"
	if os.Getenv(name) == t.Name() {
		return true
	}
	pattern := "^" + t.Name() + "$"
	if _, rows, ok := strings.Cut(flag.Lookup("test.run").Value.String(), "/"); ok {
		pattern += "/" + rows
	}
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run="+pattern, "-test.timeout="+flag.Lookup("test.timeout").Value.String())
	if testing.Short() {
		cmd.Args = append(cmd.Args, "-test.short")
	}
	if *long {
		cmd.Args = append(cmd.Args, "-long")
	}
	cmd.Env = append(os.Environ(), name+"="+t.Name())
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	case bytes.Contains(out, []byte("--- SKIP: "+t.Name()+" ")):
		t.Skipf("%s", out)
	case !bytes.Contains(out, []byte("--- PASS: "+t.Name()+" ")):
		t.Errorf("the test did not run:\n%s", out)
	default:
		t.Logf("%s", out)
	}
	return false
}
