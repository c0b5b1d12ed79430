package yaegi

// methods are the methods of compiled types that mean something else to a cell than to a program: functions that take the receiver first. The
// types stay what they are, so that all of Go's interfaces with them in their signatures do.
var methods = map[string]func(e *Engine) any{
	"os/exec.Cmd.Start":          func(e *Engine) any { return e.startProgram },
	"os/exec.Cmd.Wait":           func(e *Engine) any { return e.waitProgram },
	"os/exec.Cmd.Run":            func(e *Engine) any { return e.runProgram },
	"os/exec.Cmd.Output":         func(e *Engine) any { return e.programOutput },
	"os/exec.Cmd.CombinedOutput": func(e *Engine) any { return e.programCombined },
}
