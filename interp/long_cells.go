package interp

import (
	"strings"
	"unicode/utf8"
)

// Note: very long cells. What is asked at a cursor must be answered while a user types, and to check megabytes takes
// seconds. Of a cell of more than cellWhole bytes the beginning is looked at, where imports and types stand, and what
// stands around the cursor.

const (
	cellWhole = 100_000
	cellHead  = 24_000
	cellNear  = 40_000
	cellAfter = 4_000
)

// partNear returns the part of a long cell that matters at a cursor, the cursor in it, and what is added to offsets
// behind the head to have those of the cell.
func partNear(src string, cursor int) (part string, at, shift int) {
	if len(src) <= cellWhole {
		return src, cursor, 0
	}
	hi := beginning(src, min(cursor+cellAfter, len(src)))
	if hi < cursor {
		hi = min(cursor+cellAfter, len(src))
	}
	if cursor <= cellHead+cellNear {
		return src[:hi], cursor, 0
	}
	head := src[:statementBefore(src, cellHead)]
	lo := statementBefore(src, cursor-cellNear)
	return head + src[lo:hi], len(head) + cursor - lo, lo - len(head)
}

// statementBefore is where the last line begins before an offset that begins a statement of the cell itself, as
// formatted code has them; else a line; else a rune.
func statementBefore(src string, at int) int {
	for end := at; end > at-cellHead/2; {
		nl := strings.LastIndexByte(src[:end], '\n')
		if nl < 0 {
			break
		}
		if r, _ := utf8.DecodeRuneInString(src[nl+1:]); !strings.ContainsRune(" \t\r\n)]}.", r) {
			return nl + 1
		}
		end = nl
	}
	if nl := strings.LastIndexByte(src[at-cellHead/2:at], '\n'); nl >= 0 {
		return at - cellHead/2 + nl + 1
	}
	return beginning(src, at)
}

// beginning is where the rune begins that an offset lies in.
func beginning(src string, at int) int {
	for at > 0 && at < len(src) && !utf8.RuneStart(src[at]) {
		at--
	}
	return at
}
