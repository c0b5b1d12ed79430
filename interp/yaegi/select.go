package yaegi

import (
	"reflect"

	"gotorch/interp/task"
)

// Note: why select is implemented here
//
// yaegi keeps the cases of a select in the statement and not in the call that executes it: goroutines that come to one
// statement at once overwrite each other's channels and values. So the lowering evaluates the operands, calls choose,
// and switches over its result.

// The letters of choose's plan: the kind of a case, and the operands that it takes.
const (
	chooseDefault = 'd' // none
	chooseReceive = 'r' // a channel; what it gives is dropped
	chooseValue   = 'v' // a channel, a pointer to where its value goes
	chooseOk      = 'o' // a channel, a pointer for the value, a *bool
	chooseSend    = 's' // a channel, a pointer to what is sent
)

// choose executes a select statement and returns the number of the chosen case. The plan has a letter for each case.
// The result is -1 if the run was stopped first: the calling frame returns then.
func (e *Engine) choose(plan string, operands ...any) int {
	cases := make([]reflect.SelectCase, len(plan), len(plan)+1)
	at := make([]int, len(plan)) // where a case's operands begin
	blocks := true
	n := 0
	for i, kind := range plan {
		at[i] = n
		switch kind {
		case chooseDefault:
			cases[i].Dir, blocks = reflect.SelectDefault, false
			continue
		case chooseSend:
			cases[i] = reflect.SelectCase{Dir: reflect.SelectSend, Chan: channel(operands[n])}
			if cases[i].Chan.IsValid() {
				cases[i].Send = reflect.ValueOf(operands[n+1]).Elem()
			}
			n += 2
		default:
			cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: channel(operands[n])}
			n += map[rune]int{chooseReceive: 1, chooseValue: 2, chooseOk: 3}[kind]
		}
	}
	if blocks {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(task.Stop())})
	}
	i, v, ok := reflect.Select(cases)
	if i == len(plan) {
		task.ExitIfStopped()
		return -1
	}
	switch k := at[i]; plan[i] {
	case chooseOk:
		*operands[k+2].(*bool) = ok
		fallthrough
	case chooseValue:
		reflect.ValueOf(operands[k+1]).Elem().Set(v)
	}
	return i
}

// channel is an operand's channel; one that is nil is never ready.
func channel(x any) reflect.Value {
	if v := reflect.ValueOf(x); v.IsValid() && !v.IsNil() {
		return v
	}
	return reflect.Value{}
}
