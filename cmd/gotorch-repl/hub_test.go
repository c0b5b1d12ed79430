package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestJupyterHub runs the hub of docs/jupyter.md: two people sign in, each has a kernel, restricted and with a budget,
// and sees its own values only. Instead of accounts of the machine it takes any name, and runs all servers under one
// account.
func TestJupyterHub(t *testing.T) {
	t.Parallel() // it drives other processes
	hub := frontEnd(t, "jupyterhub")
	if _, err := exec.LookPath("configurable-http-proxy"); err != nil {
		lacks(t, "jupyter", "configurable-http-proxy (Debian: node-configurable-http-proxy)")
	}
	var commands []string
	for _, c := range strings.Split(strings.Join(blocks(t, "docs/jupyter.md", "console"), ""), "\n") {
		if strings.Contains(c, "--safe --memory 1G install --prefix /usr/local") {
			commands = strings.Fields(c)[2:] // $ gotorch-repl
		}
	}
	if len(commands) == 0 {
		t.Fatal("docs/jupyter.md has no install for a class")
	}
	dir := t.TempDir()
	commands[len(commands)-1] = filepath.Join(dir, "local")
	if out, err := exec.Command(program(t), commands...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ports, err := freePorts(3)
	if err != nil {
		t.Fatal(err)
	}
	homes := filepath.Join(dir, "homes")
	config := ""
	for _, b := range blocks(t, "docs/jupyter.md", "python") {
		if strings.Contains(b, "c.Spawner.") {
			config += b
		}
	}
	config += fmt.Sprintf(`
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = %q
c.JupyterHub.bind_url = "http://127.0.0.1:%d"
c.JupyterHub.hub_bind_url = "http://127.0.0.1:%d"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:%d"
c.Spawner.environment.update(JUPYTER_PATH=%q, JUPYTER_RUNTIME_DIR="", JUPYTERHUB_SINGLEUSER_APP="notebook.notebookapp.NotebookApp") # whatever else is installed
c.Spawner.args += ["--allow-root"]
`, filepath.Join(homes, "{username}"), ports[0], ports[1], ports[2], filepath.Join(dir, "local", "share", "jupyter"))
	if err := os.WriteFile(filepath.Join(dir, "jupyterhub_config.py"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	url := fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	cmd := exec.Command(hub, "-f", "jupyterhub_config.py")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NODE_PATH=/usr/share/nodejs") // Debian's proxy, with a node that is not Debian's
	starts(t, cmd, url+"/hub/api")

	people := map[string]*page{"ada": nil, "grace": nil}
	for name := range people {
		if err := os.MkdirAll(filepath.Join(homes, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(homes, name, "a.ipynb"), []byte(emptyNotebook), 0o666); err != nil {
			t.Fatal(err)
		}
		p := openPage(t, 1100, 800)
		people[name] = p
		p.must(p.Go(url + "/hub/login"))
		p.waits("document.querySelector('#username_input')")
		for field, text := range map[string]string{"#username_input": name, "#password_input": "x"} {
			p.must(p.Focus(patient, field))
			p.must(p.Type(text))
			p.waits(fmt.Sprintf("document.querySelector(%q).value == %q", field, text))
		}
		p.must(p.Key("Enter", 0))
		p.must(p.Wait(2*patient, "location.pathname.startsWith('/user/')"))
		p.must(p.Go(url + "/user/" + name + "/notebooks/a.ipynb"))
		p.connected()
		if s := p.done(p.types(fmt.Sprintf("who := %q", name))); s != "" {
			t.Errorf("%s: %q", name, s)
		}
	}
	for name, p := range people {
		if s := p.done(p.types("who, tensor.MemoryBudget()")); !strings.Contains(s, name) ||
			!strings.Contains(s, "1073741824") {
			t.Errorf("%s sees %q", name, s)
		}
		if s := p.done(p.types(`os.WriteFile("x", nil, 0)`)); !strings.Contains(s, "restricted mode") {
			t.Errorf("%s may: %q", name, s)
		}
		if s := p.done(p.types("Zeros(1<<28, dtype=Float64)")); !strings.Contains(s, "memory budget of 1 GiB") {
			t.Errorf("%s may: %q", name, s)
		}
		p.shot("hub-" + name)
		var specs []string
		p.must(
			p.Eval(
				`fetch(Jupyter.notebook.base_url + "api/kernelspecs").then(r => r.json()).then(r => Object.keys(r.kernelspecs))`,
				&specs))
		if strings.Join(specs, " ") != "gotorch" {
			t.Errorf("kernels: %v", specs)
		}
		var status int
		p.must(p.Eval(`fetch(Jupyter.notebook.base_url + "api/terminals").then(r => r.status)`, &status))
		if status != 404 {
			t.Errorf("terminals: status %d", status)
		}
	}
	time.Sleep(100 * time.Millisecond)
}
