package std

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Packages bytes, strings and reflect for cells: a call that would make more than there is memory for is an error of
// the cell.

// patchReflect checks sizes.
func patchReflect(e *env.Env, t env.Table) {
	size := func(x reflect.Type) int { return max(1, int(x.Elem().Size())) }
	t.Set(map[string]any{
		"MakeSlice": func(x reflect.Type, n, c int) reflect.Value {
			rt.Len(max(n, c), size(x))
			return reflect.MakeSlice(x, n, c)
		},
		"MakeChan": func(x reflect.Type, n int) reflect.Value { return reflect.MakeChan(x, rt.Len(n, size(x))) },
		"MakeMapWithSize": func(x reflect.Type, n int) reflect.Value {
			return reflect.MakeMapWithSize(x, rt.Len(max(n, 0), 2*size(x)))
		},
		"Select": selectCases,
		"ArrayOf": func(n int, x reflect.Type) reflect.Type {
			return reflect.ArrayOf(rt.Len(n, max(1, int(x.Size()))),
				x)
		},
	})
}

// selectCases is reflect.Select, which an interrupt ends.
func selectCases(cases []reflect.SelectCase) (chosen int, v reflect.Value, ok bool) {
	stop := task.Stop()
	if stop == nil {
		return reflect.Select(cases)
	}
	more := append(slices.Clip(cases), reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(stop)})
	if chosen, v, ok = reflect.Select(more); chosen == len(cases) {
		task.ExitIfStopped()
		return 0, reflect.Value{}, false
	}
	return chosen, v, ok
}

// patchBytes checks sizes.
func patchBytes(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"Repeat": func(s []byte, n int) []byte {
			if n < 1 || rt.Len(n, len(s))*len(s) < long {
				return bytes.Repeat(s, n)
			}
			return apart(func() []byte { return bytes.Repeat(s, n) })
		},
		"Join": func(list [][]byte, sep []byte) []byte {
			rt.Fits("bytes.Join", joined(list, len(sep)))
			return bytes.Join(list, sep)
		},
		"Replace": func(s, old, new []byte, n int) []byte {
			rt.Fits("bytes.Replace", replaced(len(s), len(old), len(new), n,
				func() int { return bytes.Count(s, old) }))
			return bytes.Replace(s, old, new, n)
		},
		"ReplaceAll": func(s, old, new []byte) []byte {
			rt.Fits("bytes.ReplaceAll", replaced(len(s), len(old), len(new), -1,
				func() int { return bytes.Count(s, old) }))
			return bytes.ReplaceAll(s, old, new)
		},
	})
}

// patchStrings checks sizes, and lets an interrupt end Map.
func patchStrings(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"Repeat": func(s string, n int) string {
			if n < 1 || rt.Len(n, len(s))*len(s) < long {
				return strings.Repeat(s, n)
			}
			return apart(func() string { return strings.Repeat(s, n) })
		},
		"Join": func(list []string, sep string) string {
			rt.Fits("strings.Join", joined(list, len(sep)))
			return strings.Join(list, sep)
		},
		"Replace": func(s, old, new string, n int) string {
			rt.Fits("strings.Replace", replaced(len(s), len(old), len(new), n,
				func() int { return strings.Count(s, old) }))
			return strings.Replace(s, old, new, n)
		},
		"ReplaceAll": func(s, old, new string) string {
			rt.Fits("strings.ReplaceAll", replaced(len(s), len(old), len(new), -1,
				func() int { return strings.Count(s, old) }))
			return strings.ReplaceAll(s, old, new)
		},
		"Map": func(f func(rune) rune, s string) (out string) {
			task.Stoppable(func(stop func()) { out = strings.Map(func(r rune) rune { stop(); return f(r) }, s) })
			return out
		},
	})
}

// joined is how many bytes a Join makes.
func joined[T string | []byte](list []T, sep int) int {
	n := sep * max(0, len(list)-1)
	for _, x := range list {
		n += len(x)
	}
	return n
}

// replaced is how many bytes a Replace makes, 0 where these are few.
func replaced(s, old, new, n int, count func() int) int {
	if s+1 < 1<<20/max(new, 1) && s < 1<<20 {
		return 0
	}
	k := count()
	if n >= 0 {
		k = min(k, n)
	}
	return s + k*(new-old)
}
