package display

import "encoding/json"

// JPEG is a photograph to show, as the bytes of its file.
func JPEG(data []byte) Bundle {
	return Bundle{Data: map[string]any{"image/jpeg": data, "text/plain": "JPEG"}}
}

// LaTeX is text with formulas, between $ or $$, to show.
func LaTeX(s string) Bundle {
	return Bundle{Data: map[string]any{"text/latex": s, "text/plain": s}}
}

// JSON is a value that front ends show as a tree where they can, else as indented text. A value that encoding/json
// rejects is shown as text.
func JSON(v any) Bundle {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return Text(textOf(v))
	}
	return Bundle{Data: map[string]any{"application/json": json.RawMessage(text), "text/plain": string(text)}}
}
