package visualize

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	chrome "gotorch/internal/browser"
	"gotorch/visualize/internal/viewtest"
)

// screenshot shows a page and gives its picture.
func screenshot(t *testing.T, p *chrome.Page, page string) image.Image {
	t.Helper()
	viewtest.Opens(t, p, page)
	shot, err := p.Screenshot()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestBrowser shows every view in a real browser, on a light and on a dark page, wide and narrow. Each must leave a
// picture on the page: of several colours, in many places. A page without the view is the measure of nothing.
func TestBrowser(t *testing.T) {
	p := viewtest.Browser(t, 1280, 1600)
	var all strings.Builder
	n := 0
	for _, e := range examples {
		all.WriteString(`<div style="border-bottom:1px solid #888">` + e.make(viewtest.NewSession(t)).HTML() + "</div>\n")
		n++
	}
	for _, c := range []struct {
		name, style string
		width       int
	}{
		{"light", "background:#ffffff;color:#1f2328", 1280},
		{"dark", "background:#16181d;color:#e6e6e6", 1280},
		{"narrow", "background:#ffffff;color:#1f2328", 420},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := p.Resize(c.width, 1600); err != nil {
				t.Fatal(err)
			}
			img := screenshot(t, p, `<!doctype html><meta charset="utf-8"><body style="`+c.style+`">`+all.String())
			back := img.At(1, 1)
			colours, drawn := map[color.Color]int{}, 0
			for y := 0; y < img.Bounds().Dy(); y += 2 {
				for x := 0; x < img.Bounds().Dx(); x += 2 {
					if p := img.At(x, y); p != back {
						colours[p]++
						drawn++
					}
				}
			}
			if drawn < 5000 || len(colours) < 20 {
				t.Errorf("%d views leave %d points of %d colours", n, drawn, len(colours))
			}
		})
	}
}

// vscodeStyle is the style of the page of a notebook's outputs in VS Code, which has its colours in variables.
func vscodeStyle(back string) string {
	return `style="--vscode-editor-background:` + back + `;background:var(--vscode-editor-background)"`
}

// TestScheme: a picture is dark on a dark page, whatever the system prefers, where the page says what it is.
func TestScheme(t *testing.T) {
	p := viewtest.Browser(t, 800, 400)
	view := ""
	for _, e := range examples {
		if e.name == "strides" || view == "" {
			view = e.make(viewtest.NewSession(t)).HTML()
		}
	}
	if !strings.Contains(view, "data:image/svg+xml") {
		t.Fatal("the view has no picture")
	}
	for _, c := range []struct {
		name, body string
		dark       bool
	}{
		{"VS Code, dark", `class="vscode-dark" style="background:#1e1e1e;color:#cccccc"`, true},
		{"VS Code, light", `class="vscode-light" style="background:#ffffff"`, false},
		{"VS Code, dark, as it is", `class="vscode-dark" data-vscode-theme-kind="vscode-dark" ` + vscodeStyle("#1f1f1f"),
			true},
		{"VS Code, light, as it is", `class="vscode-light" data-vscode-theme-kind="vscode-light" ` + vscodeStyle("#ffffff"),
			false},
		{"VS Code, high contrast", `class="vscode-high-contrast" data-vscode-theme-kind="vscode-high-contrast" ` +
			vscodeStyle("#000000"), true},
		{"VS Code, high contrast, light", `class="vscode-high-contrast-light vscode-high-contrast" ` +
			`data-vscode-theme-kind="vscode-high-contrast-light" ` + vscodeStyle("#ffffff"), false},
		{"JupyterLab, dark", `style="color-scheme:dark;background:#111111;color:#ffffff"`, true},
		{"JupyterLab, light", `style="color-scheme:light;background:#ffffff"`, false},
	} {
		// What VS Code lets a page of outputs load: styles in it and pictures in it, and no script of the page's own.
		img := screenshot(t, p, `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" `+
			`content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:"><body `+c.body+`>`+view)
		paper := false // of the dark picture
		for y := 0; y < 400 && !paper; y++ {
			for x := 0; x < 800 && !paper; x++ {
				r, g, b, _ := img.At(x, y).RGBA()
				paper = r>>8 == 0x1a && g>>8 == 0x1c && b>>8 == 0x20
			}
		}
		if paper != c.dark {
			t.Errorf("%s: a dark picture: %v", c.name, paper)
		}
	}
}
