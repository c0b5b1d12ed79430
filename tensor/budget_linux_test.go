package tensor

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestAddressSpace: the budget keeps to ulimit -v. The test runs itself under one.
func TestAddressSpace(t *testing.T) {
	if os.Getenv("GOTORCH_TEST_BUDGET") != "" {
		os.Stdout.WriteString("budget " + strconv.Itoa(MemoryBudget()) + "\n")
		return
	}
	cmd := exec.Command("sh", "-c", `ulimit -v 4000000 && exec "$0" -test.run '^TestAddressSpace$'`, os.Args[0])
	cmd.Env = append(os.Environ(), "GOTORCH_TEST_BUDGET=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Skipf("needs a shell with ulimit -v: %v\n%s", err, out)
	}
	_, rest, _ := strings.Cut(string(out), "budget ")
	text, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 || n > 3000000<<10 {
		t.Errorf("under a limit of 4,000,000 KB the budget is %s bytes (%v)", text, err)
	}
}
