//go:build breach && linux

package symbols

import (
	"reflect"
	"syscall"
)

// With the tag breach cells have package syscall: tests see what the system holds when everything else fails.
func init() {
	register("syscall", "syscall", func() map[string]reflect.Value {
		t := map[string]reflect.Value{}
		for name, f := range Breach {
			t[name] = reflect.ValueOf(f)
		}
		return t
	})
}

// Breach are the functions that cells have of package syscall.
var Breach = map[string]any{
	"Open": syscall.Open, "Creat": func(name string, mode uint32) (int, error) {
		return syscall.Open(name, syscall.O_CREAT|syscall.O_WRONLY|syscall.O_TRUNC, mode)
	},
	"Write": syscall.Write, "Close": syscall.Close, "Unlink": syscall.Unlink, "Rename": syscall.Rename,
	"Mkdir": syscall.Mkdir, "Chmod": syscall.Chmod, "Fchmod": syscall.Fchmod, "Truncate": syscall.Truncate,
	"Symlink": syscall.Symlink, "Link": syscall.Link, "Mkfifo": syscall.Mkfifo,
	"Socket": syscall.Socket, "Chdir": syscall.Chdir, "Chroot": syscall.Chroot, "Mount": syscall.Mount,
	"Exec": syscall.Exec, "StartProcess": func(name string, args []string) (int, error) {
		pid, _, err := syscall.StartProcess(name, args, &syscall.ProcAttr{})
		return pid, err
	},
	"Syscall": func(trap, a, b, c int) (int, error) {
		r, _, e := syscall.Syscall(uintptr(trap), uintptr(a), uintptr(b), uintptr(c))
		if e != 0 {
			return int(r), e
		}
		return int(r), nil
	},
	"AllThreadsSyscall": func(trap, a, b, c int) (int, error) {
		r, _, e := syscall.AllThreadsSyscall(uintptr(trap), uintptr(a), uintptr(b), uintptr(c))
		if e != 0 {
			return int(r), e
		}
		return int(r), nil
	},
}
