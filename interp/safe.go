package interp

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/syntax"
)

// Note: the restricted mode. Cells reach compiled code by names that the check has resolved, whatever they are called
// and however they are passed on; so what a class must not do is refused there, by name. Packages net, syscall, plugin
// and unsafe are not offered to cells in any mode; package os/exec is refused whole. What is left is package os, a few
// functions beside it, and the session's own commands. Files may be read; memory has a budget.

// readers are the functions of package os that change nothing outside of the process. Its other functions are refused;
// types, constants and variables are not functions.
var readers = strings.Fields(`DirFS Environ Exit Expand ExpandEnv Getegid Getenv Geteuid Getgid Getpagesize Getpid Getppid Getuid Getwd Hostname
	IsExist IsNotExist IsPathSeparator IsPermission IsTimeout LookupEnv Lstat NewSyscallError Open ReadDir ReadFile Readlink SameFile Stat TempDir
	UserCacheDir UserConfigDir UserHomeDir`)

// refused are functions and methods of other packages, and why.
var refused = map[string]string{
	"gotorch/tensor.SaveNpy":           "it writes a file",
	"gotorch/tensor.SaveNpz":           "it writes a file",
	"gotorch/tensor.SaveImage":         "it writes a file",
	"gotorch/tensor.SetMemoryBudget":   "the budget is that of the one who started the session",
	"gotorch/interp.Eval":              "it runs cells",
	"runtime/debug.WriteHeapDump":      "it writes a file",
	"runtime/debug.SetCrashOutput":     "it writes a file",
	"runtime/debug.SetMaxStack":        "it is a setting of the whole process",
	"runtime/debug.SetMaxThreads":      "it is a setting of the whole process",
	"runtime/debug.SetMemoryLimit":     "it is a setting of the whole process",
	"runtime/debug.SetGCPercent":       "it is a setting of the whole process",
	"gotorch/visualize.WriteFile":      "it writes a file",
	"archive/zip.RegisterCompressor":   "it is a setting of the whole process",
	"archive/zip.RegisterDecompressor": "it is a setting of the whole process",
	"encoding/gob.Register":            "it is a setting of the whole process",
	"encoding/gob.RegisterName":        "it is a setting of the whole process",
	"runtime.SetCgoTraceback":          "it is a setting of the whole process",
	"reflect.NewAt":                    "it reaches any memory",
	"reflect.SliceAt":                  "it reaches any memory",
}

// dangerous are methods that are refused by name: on what they belong to, and on every interface that has them with as
// many parameters and results, since what stands behind an interface is not known before the cell runs.
var dangerous = []struct {
	of                  []string
	name                string
	parameters, results int
	why                 string
}{
	{[]string{"*os.File"}, "Chmod", 1, 1, "it changes a file"},
	{[]string{"*os.File"}, "Chown", 2, 1, "it changes a file"},
	{[]string{"*os.File"}, "Truncate", 1, 1, "it changes a file"},
	{[]string{"*os.File"}, "Chdir", 0, 1, "it is a setting of the whole process"},
	{[]string{"*os.File"}, "SyscallConn", 0, 2, "it reaches the system"},
	{[]string{"*os.File"}, "Fd", 0, 1, "it reaches the system"},
	{[]string{"*os.Process"}, "Kill", 0, 1, "it ends a process"},
	{[]string{"*os.Process"}, "Signal", 1, 1, "it ends a process"},
	{[]string{"reflect.Value", "reflect.Type"}, "Method", 1, 1, "it finds methods by number"},
	{[]string{"reflect.Value", "reflect.Type"}, "MethodByName", 1, 1, "it finds methods by name"},
	{[]string{"reflect.Value", "reflect.Type"}, "MethodByName", 1, 2, "it finds methods by name"},
	{[]string{"reflect.Value"}, "UnsafePointer", 0, 1, "it reaches any memory"},
	{[]string{"reflect.Value"}, "SetPointer", 1, 0, "it reaches any memory"},
	{[]string{"*text/template.Template"}, "Execute", 2, 1, "a template calls methods by name"},
	{[]string{"*text/template.Template"}, "ExecuteTemplate", 3, 1, "a template calls methods by name"},
}

// forbidden says why a cell of the restricted mode may not use an object, "" if it may.
func forbidden(o types.Object) string {
	if o.Pkg() != nil && o.Pkg().Path() == "os/exec" {
		return "it starts programs"
	}
	f, ok := o.(*types.Func)
	if !ok || f.Pkg() == nil {
		return ""
	}
	name := f.FullName()
	if why := refused[name]; why != "" {
		return why
	}
	if recv := f.Signature().Recv(); recv != nil {
		of, sig := types.TypeString(recv.Type(), nil), f.Signature()
		for _, d := range dangerous {
			if d.name == f.Name() && (slices.Contains(d.of, of) ||
				types.IsInterface(recv.Type()) && d.parameters == sig.Params().Len() && d.results == sig.Results().Len()) {
				return d.why
			}
		}
	}
	if strings.HasPrefix(name, "(*os.Root).") || strings.HasPrefix(name, "(os.Root).") {
		return "it may change files"
	}
	if f.Pkg().Path() == "os" && f.Signature().Recv() == nil && !slices.Contains(readers, f.Name()) {
		return "it may change something outside of the session"
	}
	return ""
}

// safe checks a cell that is to be run in the restricted mode.
func (s *Session) safe(c *check.Checked) (ds syntax.Diagnostics) {
	if !s.opts.Safe {
		return nil
	}
	for id, o := range c.Info.Uses {
		if why := forbidden(o); why != "" {
			ds = append(ds, c.Cell.At(id.Pos(), id.End(), fmt.Sprintf("%s is refused in the restricted mode: %s", o.Name(), why)))
		}
	}
	for x, sel := range c.Info.Selections { // promoted methods
		if why := forbidden(sel.Obj()); why != "" && c.Info.Uses[x.Sel] == nil {
			ds = append(ds, c.Cell.At(ast.Node(x).Pos(), x.End(), fmt.Sprintf("%s is refused in the restricted mode: %s", sel.Obj().Name(), why)))
		}
	}
	return ds.Sort()
}

// restricted is the error of a command that the restricted mode refuses, nil in other modes.
func (s *Session) restricted(what string) *Error {
	if !s.opts.Safe {
		return nil
	}
	return &Error{Name: "Refused", Value: what + " is refused in the restricted mode"}
}
