package draw

import (
	"encoding/base64"
	"strings"
)

// View is what every function of this package gives.
type View interface {
	// Text is the view for a terminal, with ANSI colours if color is set. Colour never says what the text does not.
	Text(color bool) string
	// SVG is the view as a picture, complete and without script.
	SVG() string
	// HTML is the picture with what unfolds beneath it, without script.
	HTML() string
	// MIMEBundle is the view in all forms, by MIME type.
	MIMEBundle() map[string]any
}

// Bundle makes the MIME bundle of a view. A picture that its HTML holds is not stored a second time by itself.
func Bundle(v View) map[string]any {
	out := map[string]any{"text/plain": v.Text(false), "text/html": v.HTML()}
	if svg := v.SVG(); !strings.Contains(out["text/html"].(string), base64.StdEncoding.EncodeToString([]byte(svg))) {
		out["image/svg+xml"] = svg
	}
	return out
}
