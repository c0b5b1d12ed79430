package check

import (
	"go/token"
	"strings"

	"gotorch/interp/syntax"
)

// Note: cells that are being typed. What is asked about is the end of a text that is not whole, and may be wrong
// before. The text is cut at the cursor, what is open is closed, and if that is still no Go the line at fault is left
// out, as often as it takes.

// ending is what a text may lack to be read: tail stands before the closing brackets, after behind them.
type ending struct{ tail, after string }

const mends = 6

// readings returns the cells that a text can be read as until one will do.
func readings(text string, endings []ending, will func(*syntax.Cell) bool) {
	for range mends {
		var fault syntax.Diagnostics
		read := false
		for i, end := range endings {
			cell, err := syntax.Parse(token.NewFileSet(), "ask",
				text+end.tail+closers(text, strings.HasPrefix(end.tail, ":"))+end.after)
			if err != nil {
				if ds, ok := err.(syntax.Diagnostics); ok && i == 0 {
					fault = ds
				}
				continue
			}
			read = true
			if will(cell) {
				return
			}
		}
		if read || len(fault) == 0 {
			return
		}
		mended := without(text, fault[0].Line)
		if mended == text {
			return
		}
		text = mended
	}
}

// without blanks a line of a text; of the last line, what stands before the operand that ends it.
func without(text string, line int) string {
	last := strings.LastIndexByte(text, '\n') + 1
	lo, hi := 0, 0
	for at, n := 0, 1; ; n++ {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			lo, hi = last, operandStart(text)
			break
		}
		if n == line {
			lo, hi = at, at+end
			break
		}
		at += end + 1
	}
	if lo >= hi || strings.TrimSpace(text[lo:hi]) == "" {
		if lo == last || last == 0 {
			return text
		}
		// the fault shows beneath the line that has it
		for lo > 0 && strings.TrimSpace(text[lo:hi]) == "" {
			hi = lo - 1
			lo = strings.LastIndexByte(text[:max(hi, 0)], '\n') + 1
			if hi <= 0 {
				return text
			}
		}
	}
	return text[:lo] + strings.Repeat(" ", hi-lo) + text[hi:]
}

// operandStart is where the operand begins that ends a text: names, dots, and what stands in brackets behind them.
func operandStart(text string) int {
	opens := map[int]int{} // by where they are closed
	var stack []int
	for off, t := range syntax.Brackets(token.NewFileSet(), text) {
		switch t {
		case '(', '[', '{':
			stack = append(stack, off)
		default:
			if len(stack) > 0 {
				opens[off] = stack[len(stack)-1]
				stack = stack[:len(stack)-1]
			}
		}
	}
	at := len(text)
	for at > 0 {
		if open, ok := opens[at-1]; ok {
			at = open
			if at > 0 && (isNameByte(text, at-1) || text[at-1] == ')' || text[at-1] == ']') {
				if word := text[nameStart(text, at):at]; !token.IsKeyword(word) || word == "func" {
					continue
				}
			}
			return at
		}
		start := nameStart(text, at)
		if start == at {
			return at
		}
		if at = start; at == 0 || text[at-1] != '.' {
			return at
		}
		at--
	}
	return at
}
