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

// Note: the restricted mode. Cells reach compiled code by names that the check has resolved, whatever they are called and however they are
// passed on; so what a class must not do is refused there, by name. Packages os/exec, net, syscall, plugin and unsafe are not offered to cells in
// any mode. What is left is package os, a few functions beside it, and the session's own commands. Files may be read; memory has a budget.

// readers are the functions of package os that change nothing outside of the process. Its other functions are refused; types, constants and
// variables are not functions.
var readers = strings.Fields(`DirFS Environ Exit Expand ExpandEnv Getegid Getenv Geteuid Getgid Getpagesize Getpid Getppid Getuid Getwd Hostname
	IsExist IsNotExist IsPathSeparator IsPermission IsTimeout LookupEnv Lstat NewSyscallError Open ReadDir ReadFile Readlink SameFile Stat TempDir
	UserCacheDir UserConfigDir UserHomeDir`)

// refused are functions and methods of other packages, and why.
var refused = map[string]string{
	"gotorch/tensor.SaveNpy":         "it writes a file",
	"gotorch/tensor.SaveNpz":         "it writes a file",
	"gotorch/tensor.SaveImage":       "it writes a file",
	"gotorch/tensor.SetMemoryBudget": "the budget is that of the one who started the session",
	"gotorch/interp.Eval":            "it runs cells",
	"runtime/debug.WriteHeapDump":    "it writes a file",
	"runtime/debug.SetCrashOutput":   "it writes a file",
	"runtime/debug.SetMaxStack":      "it is a setting of the whole process",
	"runtime/debug.SetMaxThreads":    "it is a setting of the whole process",
	"runtime/debug.SetMemoryLimit":   "it is a setting of the whole process",
	"runtime/debug.SetGCPercent":     "it is a setting of the whole process",
	"(*os.File).Chmod":               "it changes a file",
	"(*os.File).Chown":               "it changes a file",
	"(*os.File).Truncate":            "it changes a file",
	"(*os.File).Chdir":               "it is a setting of the whole process",
	"(*os.File).SyscallConn":         "it reaches the system",
	"(*os.File).Fd":                  "it reaches the system",
	"(*os.Process).Kill":             "it ends a process",
	"(*os.Process).Signal":           "it ends a process",
}

// forbidden says why a cell of the restricted mode may not use an object, "" if it may.
func forbidden(o types.Object) string {
	f, ok := o.(*types.Func)
	if !ok || f.Pkg() == nil {
		return ""
	}
	name := f.FullName()
	if why := refused[name]; why != "" {
		return why
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
