package tensor

import (
	"math/bits"
	"strings"
)

// Key names a place in the dispatcher's order. The kernel of the highest key of a call runs first, and calls on.
//
//gotorch:internal
type Key uint8

// The keys, lowest first: devices, wrapping keys, modes.
//
//gotorch:internal
const (
	KeyMeta Key = iota
	KeyCPU
	KeyPrivate // the kind of device that a program registers with [RegisterDevice]; PyTorch's PrivateUse1
	// KeySparse: tensors whose elements lie in other tensors, with their indices; see sparse.go.
	KeySparse
	// KeyWrapper: the handlers of a user's wrapper tensors; see [NewWrapper].
	KeyWrapper
	KeyAutograd
	KeyDual
	KeyBatched
	//gotorch:internal
	KeyMode // the modes of a user; see [WithMode]
	KeyTrace
	numKeys
)

var keyNames = [numKeys]string{"Meta", "CPU", "Private", "Sparse", "Wrapper", "Autograd", "Dual", "Batched",
	"Mode", "Trace"}

// String is the name without "Key".
func (k Key) String() string {
	if k < numKeys {
		return keyNames[k]
	}
	return "Key?"
}

// Keys lists all keys, highest first.
//
//gotorch:internal
func Keys() []Key {
	out := make([]Key, 0, numKeys)
	for k := int(numKeys) - 1; k >= 0; k-- {
		out = append(out, Key(k))
	}
	return out
}

// KeySet is a set of keys.
//
//gotorch:internal
type KeySet uint32

const deviceKeys KeySet = 1<<KeySparse - 1

// IsDevice reports whether k is the key of a kind of device.
func (k Key) IsDevice() bool { return k < KeySparse }

// Set returns the set of keys.
//
//gotorch:internal
func Set(keys ...Key) (s KeySet) {
	for _, k := range keys {
		s |= 1 << k
	}
	return s
}

// Has reports whether k is in s.
func (s KeySet) Has(k Key) bool { return s&(1<<k) != 0 }

// Highest is the key that runs first; s must not be empty.
func (s KeySet) Highest() Key { return Key(31 - bits.LeadingZeros32(uint32(s))) }

// String lists the keys, highest first: {Autograd CPU}.
func (s KeySet) String() string {
	var names []string
	for _, k := range Keys() {
		if s.Has(k) {
			names = append(names, k.String())
		}
	}
	return "{" + strings.Join(names, " ") + "}"
}
