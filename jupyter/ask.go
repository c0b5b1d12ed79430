package jupyter

import (
	"cmp"
	"unicode/utf8"
)

// kernelInfo says what this kernel and its language are.
func (k *kernel) kernelInfo(*request) (map[string]any, error) {
	links := k.info.HelpLinks
	if links == nil {
		links = []HelpLink{}
	}
	return map[string]any{
		"protocol_version":       protocolVersion,
		"implementation":         k.info.Implementation,
		"implementation_version": k.info.ImplementationVersion,
		"language_info":          k.info.Language.Info(),
		"banner":                 k.info.Banner, "debugger": k.variables() != nil, "help_links": links,
		"supported_features": k.features(),
	}, nil
}

// connect returns the ports, as old clients ask.
func (k *kernel) connect(*request) (map[string]any, error) {
	content := map[string]any{}
	for name, port := range k.conn.ports() {
		content[name+"_port"] = port
	}
	return content, nil
}

// cursorIn reads a request that points into code. A position outside is moved to the nearest end; one
// that is missing is the end of the code.
func (r *request) cursorIn() (code string, cursor, detail int, err error) {
	var q struct {
		Code   string `json:"code"`
		Cursor *int   `json:"cursor_pos"`
		Detail int    `json:"detail_level"`
	}
	if err := r.read(&q); err != nil {
		return "", 0, 0, err
	}
	n := utf8.RuneCountInString(q.Code)
	cursor = n
	if q.Cursor != nil {
		cursor = max(0, min(n, *q.Cursor))
	}
	return q.Code, cursor, max(0, min(1, q.Detail)), nil
}

func (k *kernel) complete(r *request) (map[string]any, error) {
	code, cursor, _, err := r.cursorIn()
	if err != nil {
		return nil, err
	}
	c := k.session.Complete(k.ctx, code, cursor)
	n := utf8.RuneCountInString(code)
	end := max(0, min(n, c.End))
	start := max(0, min(end, c.Start))
	if len(c.Matches) == 0 {
		start, end = cursor, cursor
	}
	matches := make([]string, 0, len(c.Matches))
	types := make([]map[string]any, 0, len(c.Matches))
	for _, m := range c.Matches {
		matches = append(matches, m.Text)
		types = append(types, map[string]any{"start": start, "end": end, "text": m.Text, "type": m.Type,
			"signature": m.Signature})
	}
	meta := map[string]any{"_jupyter_types_experimental": types}
	for name, v := range c.Metadata {
		meta[name] = v
	}
	return map[string]any{"matches": matches, "cursor_start": start, "cursor_end": end, "metadata": meta}, nil
}

func (k *kernel) inspect(r *request) (map[string]any, error) {
	code, cursor, detail, err := r.cursorIn()
	if err != nil {
		return nil, err
	}
	b, found := k.session.Inspect(k.ctx, code, cursor, detail)
	if !found {
		return map[string]any{"found": false, "data": map[string]any{}, "metadata": map[string]any{}}, nil
	}
	data, meta := b.content()
	return map[string]any{"found": true, "data": data, "metadata": meta}, nil
}

func (k *kernel) isComplete(r *request) (map[string]any, error) {
	var q struct {
		Code string `json:"code"`
	}
	if err := r.read(&q); err != nil {
		return nil, err
	}
	status, indent := k.session.IsComplete(q.Code)
	content := map[string]any{"status": string(cmp.Or(status, Unknown))}
	if status == Incomplete {
		content["indent"] = indent
	}
	return content, nil
}
