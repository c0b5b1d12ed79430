package interp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// escapes are ways out of the restricted mode that a user may try.
var escapes = []string{
	`os.WriteFile("FILE", nil, 0o666)`,
	`f := os.WriteFile; f("FILE", nil, 0o666)`,
	`fs := []any{os.Create}; fs`,
	`m := map[string]func(string, []byte, os.FileMode) error{"w": os.WriteFile}; m["w"]("FILE", nil, 0o666)`,
	"import . \"os\"\nCreate(\"FILE\")",
	"import o \"os\"\no.Create(\"FILE\")",
	`reflect.ValueOf(os.Create).Call([]reflect.Value{reflect.ValueOf("FILE")})`,
	`os.OpenFile("FILE", os.O_CREATE|os.O_WRONLY, 0o666)`,
	`os.NewFile(3, "x")`,
	`r, _ := os.OpenRoot("/tmp"); r.Create("x")`,
	`os.Remove("FILE")`, `os.RemoveAll("FILE")`, `os.Rename("FILE", "x")`, `os.Symlink("FILE", "x")`, `os.Mkdir("FILE", 0o777)`, `os.Chdir("/")`, `os.Setenv("A", "b")`,
	`f, _ := os.Open("go.mod"); f.Chmod(0)`,
	`f, _ := os.Open("go.mod"); g := f.Truncate; g(0)`,
	`type W struct{ *os.File }; func (w W) go1() { w.Chmod(0) }`,
	`g := (*os.File).Chmod; g(nil, 0)`,
	`p, _ := os.FindProcess(1); p.Kill()`,
	`f, _ := os.Open("go.mod"); var w interface{ Chmod(os.FileMode) error } = f; w.Chmod(0)`,
	`f, _ := os.Open("go.mod"); any(f).(interface{ Chmod(fs.FileMode) error }).Chmod(0)`,
	`func change[T interface{ Chmod(os.FileMode) error }](t T) { t.Chmod(0) }`,
	`type E struct{ *os.File }; e := E{}; e.Chmod(0)`,
	`f, _ := os.Open("/"); f2 := any(f).(interface{ Chdir() error }).Chdir; f2()`,
	`f, _ := os.Open("go.mod"); reflect.ValueOf(f).MethodByName("Chmod").Call(nil)`,
	`f, _ := os.Open("go.mod"); reflect.TypeOf(f).Method(0).Func.Call(nil)`,
	`f, _ := os.Open("go.mod"); any(reflect.ValueOf(f)).(interface{ MethodByName(string) reflect.Value }).MethodByName("Chmod")`,
	`f, _ := os.Open("go.mod"); template.Must(template.New("x").Parse("{{.Chmod 384}}")).Execute(os.Stdout, f)`,
	`var k interface{ Kill() error } = &os.Process{Pid: 999999}; k.Kill()`,
	`x := 5; reflect.NewAt(reflect.TypeOf(0.5), reflect.ValueOf(&x).UnsafePointer())`,
	`visualize.WriteFile("FILE", func(io.Writer) error { return nil })`,
	"%trace -o FILE Ones(2) + 1", "%trace --chrome FILE Ones(2) + 1", "%cd /",
	`os.StartProcess("/bin/sh", nil, nil)`,
	`SaveNpy("FILE", Ones(1))`, `SaveImage("FILE", Ones(3, 2, 2))`,
	`debug.WriteHeapDump(1)`, `debug.SetMaxThreads(1)`,
	"import \"os/exec\"\nexec.Command(\"true\").Run()",
	`exec.Command("touch", "FILE").Run()`,
	`x := exec.Cmd{Path: "/usr/bin/touch", Args: []string{"touch", "FILE"}}; x.Run()`,
	`type C struct{ exec.Cmd }; c := C{}; c.Path = "/usr/bin/touch"; c.Args = []string{"touch", "FILE"}; c.Start()`,
	`run := (*exec.Cmd).Run; run(nil)`, `f := exec.CommandContext; f`, `var c *exec.Cmd; c`, `exec.LookPath("sh")`, `exec.ErrNotFound`,
	"import . \"os/exec\"\nCommand(\"touch\", \"FILE\").Run()",
	`var c interface{ Run() error } = &exec.Cmd{Path: "/usr/bin/touch", Args: []string{"touch", "FILE"}}; c.Run()`,
	`f, _ := os.Create("FILE"); zip.NewWriter(f).Close()`, `f, _ := os.Create("FILE"); tar.NewWriter(f).Close()`, `f, _ := os.Create("FILE"); gzip.NewWriter(f).Close()`,
	`zip.RegisterCompressor(99, nil)`, `zip.RegisterDecompressor(99, nil)`, `gob.Register(3)`, `gob.RegisterName("FILE", 3)`,
	`f, _ := os.OpenFile("FILE", os.O_CREATE, 0o600); slog.New(slog.NewTextHandler(f, nil)).Info("x")`,
	"import \"net\"\nnet.Dial(\"tcp\", \"x:1\")",
	"import \"net/http\"\nhttp.Get(\"http://x\")",
	"import \"syscall\"\nsyscall.Exec(\"\", nil, nil)",
	"import \"unsafe\"\nvar p unsafe.Pointer",
	"import \"plugin\"\nplugin.Open(\"x\")",
	"!touch FILE", "!(touch FILE)", "%save FILE", "%prof -o FILE 1 + 1", "%env A=b", "%edit FILE", "%depth 200MB",
	"%%time\nos.WriteFile(\"FILE\", nil, 0o666)",
	"1\n!touch FILE",
}

// TestSafe tries to get out of the restricted mode, and does there what may be done.
func TestSafe(t *testing.T) {
	s := New(Options{Safe: true})
	defer s.Close()
	file := filepath.Join(t.TempDir(), "file")
	for _, src := range escapes {
		got := cell(s, strings.ReplaceAll(src, "FILE", file))
		if !strings.Contains(got, "refused in the restricted mode") && !strings.Contains(got, "not available") && !strings.Contains(got, "no package") && !strings.Contains(got, "import") {
			t.Errorf("%s\ngives %s", src, got)
		}
		if _, err := os.Stat(file); err == nil {
			t.Fatalf("%s wrote the file", src)
		}
	}
	if err := os.WriteFile(file, []byte("read me"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ src, want string }{
		{`b, err := os.ReadFile("FILE"); string(b), err`, "read me"},
		{"fmt.Println(len(os.Args) > 0)\nfmt.Fprintln(os.Stderr, os.Getpid() > 0)", "true\n"},
		{"x := Ones(2); x + 1", "tensor([2., 2.])"},
		{"f, err := os.Open(\"FILE\")\ndefer f.Close()\nb2, _ := io.ReadAll(f)\nstring(b2)", "read me"},
		{"%time x.Sum()", "tensor(2.)"},
		{"%who", "x"},
		{`fmt.Sprintf("%x", md5.Sum(nil))`, "d41d8cd98f00b204e9800998ecf8427e"},
		{`_, zerr := zip.OpenReader("FILE"); zerr`, "not a valid zip file"},
		{`xb, _ := xml.Marshal([]int{1, 2}); string(xb)`, "<int>1</int><int>2</int>"},
		{`me, merr := user.Current(); me != nil, merr`, "true"},
		{`slog.New(slog.NewTextHandler(io.Discard, nil)).Info("x"); url.PathEscape("a b")`, "a%20b"},
	} {
		if got := cell(s, strings.ReplaceAll(c.src, "FILE", file)); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.src, got, c.want)
		}
	}
}
