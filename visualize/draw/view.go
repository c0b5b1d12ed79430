package draw

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

// Bundle makes the MIME bundle of a view.
func Bundle(v View) map[string]any {
	return map[string]any{"text/plain": v.Text(false), "text/html": v.HTML(), "image/svg+xml": v.SVG()}
}
