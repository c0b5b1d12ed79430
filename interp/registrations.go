package interp

import (
	"slices"
	"sync"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// registrations are what the cells of a session have registered: operators, devices. A later one of the same name
// takes the place of an earlier one; %reset and the end of the session undo all, the last first.
type registrations struct {
	mu   sync.Mutex
	list []registration
}

type registration struct {
	what string
	undo func()
}

func (r *registrations) add(what string, undo func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = slices.DeleteFunc(r.list, func(x registration) bool { return x.what == what })
	r.list = append(r.list, registration{what, undo})
}

func (r *registrations) undo() {
	r.mu.Lock()
	list := r.list
	r.list = nil
	r.mu.Unlock()
	for _, x := range slices.Backward(list) {
		x.undo()
	}
}

// definedSchemas are the schemas of all operators that the program's user has defined.
func definedSchemas() (list []*opdef.Sig) {
	for _, o := range tensor.Defined() {
		list = append(list, o.Sig)
	}
	return list
}
