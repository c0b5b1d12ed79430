package rt

import (
	"fmt"

	"gotorch/internal/bytesize"
	"gotorch/interp/task"
)

// Text checks the length of a string that is about to be concatenated.
func Text(n int) {
	fits("+", n, 1, func() string { return fmt.Sprintf("a text of %s", bytesize.Text(float64(n))) })
}

// Append checks what append is about to allocate for more elements of size bytes after n others, when there is room
// for c.
func Append(n, c, more, size int) {
	if n+more <= c {
		return
	}
	next := max(n+more, c+c/4) // what Go takes, about
	fits("append", next, size, func() string {
		if n == 0 {
			return fmt.Sprintf("%d elements of %d bytes take %s", more, size, bytesize.Text(float64(next)*float64(size)))
		}
		return fmt.Sprintf("%d elements of %d bytes to the %d that are there take %s", more, size, n,
			bytesize.Text(float64(next)*float64(size)))
	})
}

// Copied checks the size of a conversion of n elements to size bytes each.
func Copied(n, size int) {
	fits("conversion", n, size, func() string {
		return fmt.Sprintf("the copy takes %s",
			bytesize.Text(float64(n)*float64(size)))
	})
}

// CopiedText is Copied for a string that is the result of a call.
func CopiedText(s string, size int) string {
	Copied(len(s), size)
	return s
}

// Arrays checks n bytes of arrays that a statement or a call of a function is about to copy.
func Arrays(n int) {
	fits("arrays", n, 1, func() string { return fmt.Sprintf("copies take up to %s", bytesize.Text(float64(n))) })
}

// Fits checks n bytes that a function is about to allocate.
func Fits(name string, n int) {
	fits(name, n, 1, func() string { return fmt.Sprintf("the result takes %s", bytesize.Text(float64(n))) })
}

// fits panics if n elements of size bytes are more than there may be.
func fits(what string, n, size int, sizes func() string) {
	if size > 0 && n > MakeLimit/size {
		panic(Fault(fmt.Sprintf("%s: %s; the limit is %s", what, sizes(), bytesize.Text(float64(MakeLimit)))))
	}
	if want := n * size; want >= 1<<20 {
		if t := task.Current(); t != nil {
			if left := t.Room(want); want > left {
				panic(Fault(fmt.Sprintf("%s: %s; %s are left", what, sizes(), bytesize.Text(float64(max(0, left))))))
			}
		}
	}
}

// Sized checks n elements of size bytes that a function is about to make.
func Sized(name string, n, size int) {
	fits(name, n, size, func() string {
		return fmt.Sprintf("%s elements take %s", Count(n), bytesize.Text(float64(n)*float64(size)))
	})
}
