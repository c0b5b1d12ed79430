package jupyter

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Found is a kernelspec where Jupyter looks for one.
type Found struct {
	Name     string // of its folder
	Dir      string // the folder
	Argv     []string
	Env      map[string]string
	Display  string
	Language string
	Hidden   bool  // a folder that comes before has a kernel of that name
	Err      error // kernel.json cannot be read; what else is here is empty
}

// Ours reports whether the spec starts this kind of kernel.
func (f Found) Ours() bool { return ours(f.Argv) || f.Err != nil && f.Name == "gotorch" }

// ours are the arguments that Install writes, whatever the program is called.
func ours(argv []string) bool {
	n := len(argv)
	return n >= 3 && argv[n-2] == "kernel" && argv[n-1] == "{connection_file}"
}

// Specs are the kernelspecs in the data folders, the first found first.
func Specs(dataDirs []string) []Found {
	var list []Found
	for _, data := range dataDirs {
		entries, _ := os.ReadDir(filepath.Join(data, "kernels"))
		for _, e := range entries {
			f := Found{Name: e.Name(), Dir: filepath.Join(data, "kernels", e.Name())}
			text, err := os.ReadFile(filepath.Join(f.Dir, "kernel.json"))
			if err != nil && os.IsNotExist(err) {
				continue // a folder without kernel.json is no kernel
			}
			var s spec
			if err == nil {
				err = json.Unmarshal(text, &s)
			}
			if f.Err = err; err == nil {
				f.Argv, f.Env, f.Display, f.Language = s.Argv, s.Env, s.DisplayName, s.Language
			}
			f.Hidden = slices.ContainsFunc(list, func(x Found) bool { return strings.EqualFold(x.Name, f.Name) })
			list = append(list, f)
		}
	}
	return list
}

// DataDirs are the folders in which Jupyter looks for its data, the first before the others. The jupyter of PATH is
// asked; where there is none they are those of jupyter_core.
func DataDirs() []string {
	if out, err := exec.Command("jupyter", "--paths", "--json").Output(); err == nil {
		var paths struct{ Data []string }
		if json.Unmarshal(out, &paths) == nil && len(paths.Data) > 0 {
			return paths.Data
		}
	}
	dirs := filepath.SplitList(os.Getenv("JUPYTER_PATH"))
	if dir, err := UserDataDir(); err == nil {
		dirs = append(dirs, dir)
	}
	if dir, err := sysPrefix(); err == nil {
		dirs = append(dirs, filepath.Join(dir, "share", "jupyter"))
	}
	if runtime.GOOS == "windows" {
		dirs = append(dirs, filepath.Join(os.Getenv("PROGRAMDATA"), "jupyter"))
	} else {
		dirs = append(dirs, "/usr/local/share/jupyter", "/usr/share/jupyter")
	}
	var once []string
	for _, dir := range dirs {
		if dir != "" && !slices.Contains(once, dir) {
			once = append(once, dir)
		}
	}
	return once
}
