package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
)

// startKernel starts the kernel as Jupyter does and connects to it.
func startKernel(t testing.TB, flags ...string) *jupyterclient.Client {
	t.Helper()
	dir, err := os.MkdirTemp("", "k") // t.TempDir is too long for a socket's name
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	info := jupyterclient.Info{Transport: "ipc", IP: filepath.Join(dir, "s"), Key: "a key",
		SignatureScheme: "hmac-sha256",
		ShellPort:       1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HBPort: 5}
	text, err := json.Marshal(info)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "kernel.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program(t), append(flags, "kernel", file)...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	c, err := jupyterclient.Dial(info)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

const wait = 20 * time.Second

// BenchmarkKernelCell is a trivial cell through the kernel: from the request to
// the reply and the idle that follows its output.
func BenchmarkKernelCell(b *testing.B) {
	c := startKernel(b)
	for _, r := range []struct{ name, src string }{{"expression", "1 + 2"}, {"tensor", "Arange(3) + 1"}} {
		b.Run(r.name, func(b *testing.B) {
			for b.Loop() {
				if ran := c.Execute(r.src, wait, nil); ran.Reply == nil || ran.Reply.Status() != "ok" {
					b.Fatal("no reply")
				}
			}
		})
	}
}

// BenchmarkKernelComplete is a completion through the kernel.
func BenchmarkKernelComplete(b *testing.B) {
	c := startKernel(b)
	c.Execute("x := Arange(3)", wait, nil)
	for b.Loop() {
		if m := c.Request(c.Shell, "complete_request", map[string]any{"code": "x.Su", "cursor_pos": 4}, wait); m == nil {
			b.Fatal("no reply")
		}
	}
}

// BenchmarkFirstResult is the program from its start to its end, with one cell between.
func BenchmarkFirstResult(b *testing.B) {
	name := program(b)
	for b.Loop() {
		cmd := exec.Command(name)
		cmd.Stdin = strings.NewReader("Arange(3)\n")
		if out, err := cmd.Output(); err != nil || string(out) != "tensor([0, 1, 2])\n" {
			b.Fatalf("%v\n%s", err, out)
		}
	}
}

// TestKernelMagics: the session's commands through the kernel.
func TestKernelMagics(t *testing.T) {
	c := startKernel(t)
	run := func(src string) string {
		t.Helper()
		ran := c.Execute(src, wait, nil)
		if ran.Reply == nil {
			t.Fatalf("%s: no reply", src)
		}
		text := ran.Text("stdout") + ran.Text("stderr")
		for _, kind := range []string{"execute_result", "display_data"} {
			for _, m := range ran.Of(kind) {
				plain, _ := m.Content["data"].(map[string]any)["text/plain"].(string)
				text += plain + "\n"
			}
		}
		if ran.Reply.Status() == "error" {
			text += ran.Reply.Content["evalue"].(string)
		}
		return text
	}
	run("x := Arange(6).View(2, 3)")
	for _, r := range []struct{ src, want string }{
		{"%time x.Sum()", "took "},
		{"%timeit x.Sum()", "per loop"},
		{"%%time\ny := x.Sum()\ny", "tensor(15)"},
		{"%who", "int64[2 3]"},
		{"x[:, 1] = 7", ""},
		{"%go", "x.IndexPut_(tensor.Ix{tensor.Colon, 1}, 7)"},
		{"%trace x.Sum(dim=0)", "sum(x int64[2 3], dim=[0])"},
		{"%help", "%timeit [-n N] STATEMENT"},
		{"%nosuch", "there is no %nosuch"},
		{"%reset", ""},
		{"%who", "no names have been defined yet"},
	} {
		if got := run(r.src); !strings.Contains(got, r.want) {
			t.Errorf("%s gives\n%s\nwithout %q", r.src, got, r.want)
		}
	}
}
