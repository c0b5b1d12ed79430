package std

import (
	"reflect"
	"runtime"
	"sync"
	"unsafe"
)

// objectOf is where the object begins that p points into, 0 where that is not on the heap.
func objectOf(name string, p reflect.Value) (base, at uintptr) {
	find := findObject()
	if find == nil {
		panic(name + " cannot be used in a cell: its misuse ends the process, and this build cannot tell")
	}
	at = p.Pointer()
	base, _, _ = find(at, 0, 0)
	runtime.KeepAlive(p)
	return base, at
}

// finder is the runtime's function that finds the object of a pointer.
type finder func(p, refBase, refOff uintptr) (base uintptr, span unsafe.Pointer, index uintptr)

// findObject is that function, nil where it was not found.
var findObject = sync.OnceValue(func() finder {
	entry := entryOf(reflect.ValueOf(runtime.GC).Pointer(), "runtime.findObject")
	if entry == 0 {
		return nil
	}
	code := &entry // a function value points to its code
	f := *(*finder)(unsafe.Pointer(&code))
	probe := reflect.New(reflect.TypeFor[[64]int]()) // on the heap
	if base, _, _ := f(probe.Pointer()+8, 0, 0); base != probe.Pointer() {
		return nil
	}
	runtime.KeepAlive(probe)
	return f
})

// entryOf finds a function of the runtime by its name, near to the code of another.
func entryOf(near uintptr, name string) uintptr {
	const far, step = 4 << 20, 16 // functions begin at multiples
	for _, d := range []int{-step, step} {
		pc := near &^ (step - 1)
		for range far / step {
			pc = uintptr(int(pc) + d)
			f := runtime.FuncForPC(pc)
			if f != nil && f.Entry() == pc && f.Name() == name {
				return pc
			}
		}
	}
	return 0
}
