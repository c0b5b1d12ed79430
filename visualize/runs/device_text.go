package runs

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

// String is the text without colour.
func (v *DevicesView) String() string { return v.Text(false) }

// MIMEBundle is the view in all forms.
func (v *DevicesView) MIMEBundle() map[string]any { return draw.Bundle(v) }

// Text lists the facts of each device.
func (v *DevicesView) Text(color bool) string {
	var b strings.Builder
	for i := range v.Devices {
		s := &v.Devices[i]
		fmt.Fprintf(&b, "%s   %s\n", draw.Bold(color, s.Name), s.Kind)
		for _, r := range s.rows() {
			fmt.Fprintf(&b, "  %s  %s\n", draw.Dim(color, draw.PadRight(r[0], 7)), r[1])
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// SVG draws the facts, and the roofline of the CPU.
func (v *DevicesView) SVG() string { return v.draw().Alone(v.label()) }

// HTML is the picture, with the text beneath it.
func (v *DevicesView) HTML() string { return draw.Pictured(v.draw(), v.label(), v.Text(false)) }

func (v *DevicesView) label() string {
	var names []string
	for _, s := range v.Devices {
		names = append(names, s.Name)
	}
	return "devices: " + strings.Join(names, ", ")
}
