package shell

import (
	"context"
	"strings"

	"gotorch/interp/result"
)

// autoreloadMagic reads packages from disk again whose files have changed: now, or before each cell.
func (s *Shell) autoreloadMagic(ctx context.Context, arg string) ([]Value, *Error) {
	switch strings.TrimSpace(arg) {
	case "", "now":
		paths, err := s.Reload(ctx)
		if err != nil || len(paths) == 0 {
			return nil, err
		}
		return result.Text("read again: " + strings.Join(paths, ", ")), nil
	case "on", "1", "2", "3", "explicit", "all", "complete":
		s.SetAutoreload(true)
	case "off", "0":
		s.SetAutoreload(false)
	default:
		return nil, usage("%%autoreload [on | off | now]")
	}
	return nil, nil
}
