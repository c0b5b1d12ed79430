package nn

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"unicode/utf8"
)

// Note: pickles. A pickle is a program for a stack machine that can call anything that Python has. This one knows
// numbers, strings, lists, tuples and dicts, and the few names of which torch.save makes tensors; everything else is
// an error, by its name. No operation pushes more than one value, so that a pickle makes no more values than it has
// bytes.

// Dict is a dict of Python's, in its order.
type Dict struct{ Keys, Values []any }

// Get is the value of a key that is a string; nil if there is none.
func (d *Dict) Get(key string) any {
	for i := len(d.Keys) - 1; i >= 0; i-- {
		if d.Keys[i] == any(key) {
			return d.Values[i]
		}
	}
	return nil
}

// List is a list of Python's.
type List struct{ Items []any }

// Tuple is a tuple of Python's.
type Tuple []any

// global is a name of a module.
type global struct{ module, name string }

type mark struct{}

// unpickler runs a pickle. persistent resolves a persistent id, call a function.
type unpickler struct {
	b          []byte
	at         int
	stack      []any
	memo       map[int]any
	persistent func(id any) (any, error)
	call       func(f global, args Tuple) (any, error)
}

func (u *unpickler) bytes(n int) ([]byte, error) {
	if n < 0 || n > len(u.b)-u.at {
		return nil, fmt.Errorf("the pickle ends at byte %d", len(u.b))
	}
	u.at += n
	return u.b[u.at-n : u.at], nil
}

// uint reads a little-endian number of so many bytes.
func (u *unpickler) uint(size int) (int, error) {
	b, err := u.bytes(size)
	if err != nil {
		return 0, err
	}
	var v uint64
	for i := size - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	if v > math.MaxInt32 && size > 4 || v > math.MaxUint32 || int(v) < 0 {
		return 0, fmt.Errorf("a length of %d", v)
	}
	return int(v), nil
}

func (u *unpickler) push(v any) { u.stack = append(u.stack, v) }

func (u *unpickler) pop() (any, error) {
	if len(u.stack) == 0 {
		return nil, fmt.Errorf("the stack is empty")
	}
	v := u.stack[len(u.stack)-1]
	if _, ok := v.(mark); ok {
		return nil, fmt.Errorf("a mark where a value should be")
	}
	u.stack = u.stack[:len(u.stack)-1]
	return v, nil
}

// toMark takes the values above the last mark, and the mark.
func (u *unpickler) toMark() ([]any, error) {
	for i := len(u.stack) - 1; i >= 0; i-- {
		if _, ok := u.stack[i].(mark); ok {
			out := append([]any(nil), u.stack[i+1:]...)
			u.stack = u.stack[:i]
			return out, nil
		}
	}
	return nil, fmt.Errorf("there is no mark")
}

func (u *unpickler) text(size int) (string, error) {
	n, err := u.uint(size)
	if err != nil {
		return "", err
	}
	b, err := u.bytes(n)
	if err == nil && !utf8.Valid(b) {
		err = fmt.Errorf("a string is not UTF-8")
	}
	return string(b), err
}

func (u *unpickler) line() (string, error) {
	for i := u.at; i < len(u.b); i++ {
		if u.b[i] == '\n' {
			s := string(u.b[u.at:i])
			u.at = i + 1
			return s, nil
		}
	}
	return "", fmt.Errorf("a line does not end")
}

// run runs the pickle up to its end, and returns what it made.
func (u *unpickler) run() (any, error) {
	u.memo, u.stack = map[int]any{}, nil
	for {
		b, err := u.bytes(1)
		if err != nil {
			return nil, err
		}
		if b[0] == '.' {
			return u.pop()
		}
		if err := u.step(b[0]); err != nil {
			return nil, err
		}
	}
}

// sized is an operation whose argument is a number of so many bytes.
var sized = map[byte]int{'q': 1, 'r': 4, 'h': 1, 'j': 4, 'K': 1, 'M': 2, 0x80: 1, 0x95: 8}

func (u *unpickler) step(op byte) error {
	var n int
	if size, ok := sized[op]; ok && op != 0x95 {
		var err error
		if n, err = u.uint(size); err != nil {
			return err
		}
	}
	switch op {
	case 0x80: // protocol
		if n > 5 {
			return fmt.Errorf("protocol %d is not known", n)
		}
	case 0x95: // frame
		_, err := u.bytes(8)
		return err
	case '(':
		u.push(mark{})
	case ')':
		u.push(Tuple{})
	case ']':
		u.push(&List{})
	case '}':
		u.push(&Dict{})
	case 'N':
		u.push(nil)
	case 0x88, 0x89:
		u.push(op == 0x88)
	case 'K', 'M':
		u.push(int64(n))
	case 'J':
		b, err := u.bytes(4)
		if err != nil {
			return err
		}
		u.push(int64(int32(binary.LittleEndian.Uint32(b))))
	case 'G':
		b, err := u.bytes(8)
		if err != nil {
			return err
		}
		u.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
	case 'q', 'r', 0x94: // remember the top
		if len(u.stack) == 0 {
			return fmt.Errorf("the stack is empty")
		}
		if op == 0x94 {
			n = len(u.memo)
		}
		u.memo[n] = u.stack[len(u.stack)-1]
	case 'h', 'j':
		v, ok := u.memo[n]
		if !ok {
			return fmt.Errorf("nothing was remembered under %d", n)
		}
		u.push(v)
	case '0':
		_, err := u.pop()
		return err
	case 0x8a, 0x8b:
		return u.long(op)
	case 'X', 0x8c, 0x8d, 'U', 'T':
		s, err := u.text(map[byte]int{'X': 4, 0x8c: 1, 0x8d: 8, 'U': 1, 'T': 4}[op])
		if err != nil {
			return err
		}
		u.push(s)
	case 't', 0x85, 0x86, 0x87:
		return u.tuple(op)
	case 'a', 'e', 's', 'u':
		return u.add(op)
	case 'c', 0x93, 'R', 'b', 'Q':
		return u.object(op)
	default:
		return fmt.Errorf("the operation %#x at byte %d is not allowed", op, u.at-1)
	}
	return nil
}

// long reads an integer of any length, which must fit 64 bits, or be the number with which old files begin.
func (u *unpickler) long(op byte) error {
	n, err := u.uint(map[byte]int{0x8a: 1, 0x8b: 4}[op])
	if err != nil {
		return err
	}
	b, err := u.bytes(n)
	if err != nil {
		return err
	}
	if n > 16 {
		return fmt.Errorf("an integer of %d bytes", n)
	}
	v := new(big.Int)
	for i := n - 1; i >= 0; i-- {
		v.Lsh(v, 8).Or(v, big.NewInt(int64(b[i])))
	}
	if n > 0 && b[n-1]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	}
	if v.IsInt64() {
		u.push(v.Int64())
	} else {
		u.push(v.String())
	}
	return nil
}

func (u *unpickler) tuple(op byte) error {
	if op == 't' {
		items, err := u.toMark()
		if err != nil {
			return err
		}
		u.push(Tuple(items))
		return nil
	}
	t := make(Tuple, int(op)-0x84)
	for i := len(t) - 1; i >= 0; i-- {
		v, err := u.pop()
		if err != nil {
			return err
		}
		t[i] = v
	}
	u.push(t)
	return nil
}

// add adds values to the list or dict below them.
func (u *unpickler) add(op byte) (err error) {
	var items []any
	if op == 'e' || op == 'u' {
		items, err = u.toMark()
	} else {
		items = make([]any, map[byte]int{'a': 1, 's': 2}[op])
		for i := len(items) - 1; i >= 0 && err == nil; i-- {
			items[i], err = u.pop()
		}
	}
	if err != nil {
		return err
	}
	if len(u.stack) == 0 {
		return fmt.Errorf("the stack is empty")
	}
	switch to := u.stack[len(u.stack)-1].(type) {
	case *List:
		if op != 'a' && op != 'e' {
			return fmt.Errorf("a list has no keys")
		}
		to.Items = append(to.Items, items...)
	case *Dict:
		if len(items)%2 != 0 || op == 'a' || op == 'e' {
			return fmt.Errorf("a key has no value")
		}
		for i := 0; i < len(items); i += 2 {
			switch items[i].(type) {
			case string, int64, bool, float64, nil:
			default:
				return fmt.Errorf("a key is %T, not a number or a string", items[i])
			}
			to.Keys, to.Values = append(to.Keys, items[i]), append(to.Values, items[i+1])
		}
	default:
		return fmt.Errorf("values are added to %T", to)
	}
	return nil
}

// object does what makes something of a name.
func (u *unpickler) object(op byte) error {
	switch op {
	case 'c':
		module, err := u.line()
		if err != nil {
			return err
		}
		name, err := u.line()
		u.push(global{module, name})
		return err
	case 'Q':
		id, err := u.pop()
		if err != nil {
			return err
		}
		v, err := u.persistent(id)
		u.push(v)
		return err
	}
	second, err := u.pop()
	if err != nil {
		return err
	}
	first, err := u.pop()
	if err != nil {
		return err
	}
	switch op {
	case 0x93:
		module, ok1 := first.(string)
		name, ok2 := second.(string)
		if !ok1 || !ok2 {
			return fmt.Errorf("a name is no string")
		}
		u.push(global{module, name})
	case 'R':
		f, ok1 := first.(global)
		args, ok2 := second.(Tuple)
		if !ok1 || !ok2 {
			return fmt.Errorf("a call of %T", first)
		}
		v, err := u.call(f, args)
		u.push(v)
		return err
	default: // attributes, of which a state dict has some
		if _, ok := first.(*Dict); !ok {
			return fmt.Errorf("attributes of %T are not allowed", first)
		}
		u.push(first)
	}
	return nil
}
