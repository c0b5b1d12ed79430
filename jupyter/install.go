package jupyter

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"gotorch/internal/lazyre"
)

//go:generate go run ./internal/drawlogo logo

//go:embed logo
var logos embed.FS

// InstallOptions say what is installed, and where. With none of Prefix and SysPrefix the kernel is
// installed for the user.
type InstallOptions struct {
	Name        string            // of the kernelspec's folder; "gotorch" if empty
	DisplayName string            // what a notebook shows; "Go (gotorch)" if empty
	Language    string            // "go" if empty
	Command     []string          // arguments before the connection file, the last of them "kernel"; {"kernel"} if nil
	Executable  string            // the kernel; this program if empty
	Env         map[string]string // set for the kernel; may be nil

	Prefix    string // install under DIR/share/jupyter
	SysPrefix bool   // install under the prefix of the Python environment in use
}

// spec is what kernel.json holds.
type spec struct {
	Argv            []string          `json:"argv"`
	DisplayName     string            `json:"display_name"`
	Language        string            `json:"language"`
	InterruptMode   string            `json:"interrupt_mode"`
	ProtocolVersion string            `json:"kernel_protocol_version"`
	Env             map[string]string `json:"env,omitempty"`
	Metadata        map[string]any    `json:"metadata"`
}

var kernelName = lazyre.New(`^[A-Za-z0-9._-]+$`)

// Install writes a kernelspec: kernel.json and the logos. It returns the folder that holds them.
func Install(o InstallOptions) (dir string, err error) {
	if dir, err = o.dir(); err != nil {
		return "", err
	}
	program := o.Executable
	if program == "" {
		if program, err = os.Executable(); err != nil {
			return "", fmt.Errorf("jupyter: install: %w", err)
		}
		if strings.Contains(filepath.ToSlash(program), "/go-build") && strings.Contains(filepath.ToSlash(program), "/exe/") {
			return "", errors.New("jupyter: install: go run removes this program when it ends; build it first (go build or " +
				"go install)")
		}
	}
	if program, err = filepath.Abs(program); err != nil {
		return "", fmt.Errorf("jupyter: install: %w", err)
	}
	command := o.Command
	if command == nil {
		command = []string{"kernel"}
	}
	text, err := json.MarshalIndent(spec{
		Argv:            append(append([]string{program}, command...), "{connection_file}"),
		DisplayName:     cmp.Or(o.DisplayName, "Go (gotorch)"),
		Language:        cmp.Or(o.Language, "go"),
		InterruptMode:   "message",
		ProtocolVersion: protocolVersion,
		Env:             o.Env,
		Metadata:        map[string]any{"debugger": true}, // or JupyterLab asks for no variables
	}, "", " ")
	if err != nil {
		return "", fmt.Errorf("jupyter: install: %w", err)
	}
	if err := foreign(dir); err != nil {
		return "", fmt.Errorf("jupyter: install: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("jupyter: install: %w", err)
	}
	err = eachLogo(func(name string, b []byte) error { return writeWhole(filepath.Join(dir, name), b) })
	if err == nil { // last: a folder without kernel.json is no kernel
		err = writeWhole(filepath.Join(dir, "kernel.json"), append(text, '\n'))
	}
	if err != nil {
		return "", fmt.Errorf("jupyter: install: %w", err)
	}
	return dir, nil
}

// foreign is an error if the folder holds a kernel that Install did not write.
func foreign(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		return nil
	}
	var s spec
	if json.Unmarshal(text, &s) == nil && !ours(s.Argv) {
		return fmt.Errorf("%s is another kernel (%s); choose another name", dir,
			cmp.Or(s.DisplayName, strings.Join(s.Argv, " ")))
	}
	return nil
}

// Uninstall removes what Install wrote, and returns the folder that held it. It is an error, one of [fs.ErrNotExist],
// if there is no such kernel, and an error if the kernel of that name is another.
func Uninstall(o InstallOptions) (dir string, err error) {
	if dir, err = o.dir(); err != nil {
		return "", err
	}
	if err = foreign(dir); err == nil {
		err = os.Remove(filepath.Join(dir, "kernel.json"))
	}
	if err != nil {
		return "", fmt.Errorf("jupyter: uninstall: %w", err)
	}
	err = eachLogo(func(name string, _ []byte) error {
		if err := os.Remove(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
	if err == nil {
		err = os.Remove(dir)
	}
	if err != nil {
		return "", fmt.Errorf("jupyter: uninstall: %w", err)
	}
	return dir, nil
}

func eachLogo(do func(name string, b []byte) error) error {
	entries, err := logos.ReadDir("logo")
	for _, e := range entries {
		b, err := logos.ReadFile("logo/" + e.Name())
		if err != nil {
			return err
		}
		if err := do(e.Name(), b); err != nil {
			return err
		}
	}
	return err
}

// writeWhole writes a file so that nobody sees half of it.
func writeWhole(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already, if all goes well
	_, err = f.Write(b)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// dir is the folder of the kernelspec.
func (o InstallOptions) dir() (string, error) {
	name := cmp.Or(o.Name, "gotorch")
	if !kernelName.MatchString(name) {
		return "", fmt.Errorf("jupyter: a kernel cannot be named %q: letters, digits, ., _ and - only", name)
	}
	data := ""
	switch {
	case o.Prefix != "" && o.SysPrefix:
		return "", errors.New("jupyter: a prefix and the system's prefix exclude each other")
	case o.Prefix != "":
		prefix, err := filepath.Abs(o.Prefix)
		if err != nil {
			return "", fmt.Errorf("jupyter: install: %w", err)
		}
		data = filepath.Join(prefix, "share", "jupyter")
	case o.SysPrefix:
		prefix, err := sysPrefix()
		if err != nil {
			return "", fmt.Errorf("jupyter: install: %w", err)
		}
		data = filepath.Join(prefix, "share", "jupyter")
	default:
		var err error
		if data, err = UserDataDir(); err != nil {
			return "", fmt.Errorf("jupyter: install: %w", err)
		}
	}
	return filepath.Join(data, "kernels", name), nil
}

// sysPrefix is Python's sys.prefix: of the environment that is active, or of the python3 in PATH.
func sysPrefix() (string, error) {
	for _, v := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(v); dir != "" {
			return dir, nil
		}
	}
	for _, python := range []string{"python3", "python"} {
		if out, err := exec.Command(python, "-c", "import sys; print(sys.prefix)").Output(); err == nil {
			if dir := strings.TrimSpace(string(out)); dir != "" {
				return dir, nil
			}
		}
	}
	return "",
		errors.New("no Python environment is active and no python3 is in PATH, so there is no sys.prefix; use a prefix")
}

// UserDataDir is jupyter_core's user data folder.
func UserDataDir() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	switch runtime.GOOS {
	case "windows":
		if dir := os.Getenv("APPDATA"); dir != "" {
			return filepath.Join(dir, "jupyter"), nil
		}
	case "darwin":
	default:
		if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
			return filepath.Join(dir, "jupyter"), nil
		}
	}
	home, err := os.UserHomeDir()
	switch {
	case err != nil:
		return "", err
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Jupyter"), nil
	case runtime.GOOS == "windows":
		return filepath.Join(home, ".jupyter", "data"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}
