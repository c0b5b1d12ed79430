package split

import "strings"

// CutWord takes the first word off a line, a quoted one whole; rest is what follows it, with the end of its line.
func CutWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
			return s[1 : end+1], s[end+2:]
		}
	}
	if end := strings.IndexAny(s, " \t\r\n"); end >= 0 {
		return s[:end], s[end:]
	}
	return s, ""
}

// Words are all words of a line.
func Words(s string) (list []string) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		var word string
		word, s = CutWord(s)
		list = append(list, word)
	}
	return list
}
