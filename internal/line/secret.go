package line

import "io"

// Secret reads one line that is not shown and leaves no trace: not in the history, and not in what Ctrl-Y and Ctrl-_
// bring back.
func (e *Editor) Secret() (string, error) {
	if err := e.begin("", "", true); err != nil {
		return "", err
	}
	defer e.term.Cooked()
	var typed []rune
	for {
		k := e.term.ReadKey()
		var err error
		done := false
		switch {
		case k == ctrlC:
			err = ErrInterrupt
		case k == 0, k == ctrlD && len(typed) == 0:
			err = io.EOF
		case k == enter, k == ctrlJ:
			done = true
		case k == backspace, k == ctrlH:
			typed = typed[:max(len(typed)-1, 0)]
		case k == ctrlU:
			typed = nil
		case k == keyPasteTab:
			typed = append(typed, '\t')
		case k == ctrlZ:
			e.mu.Lock()
			e.term.Write([]byte(e.screen.clear()))
			e.term.Suspend()
			e.draw()
			e.mu.Unlock()
		case k >= ' ' && (k < keyUp || k > keyNone):
			typed = append(typed, k)
		}
		if done || err != nil {
			e.mu.Lock()
			e.finish(err)
			e.mu.Unlock()
			return string(typed), err
		}
	}
}
