package widgets

import "cmp"

// kind is a row of the table of widgets: what ipywidgets calls it, and the state that it begins with where that is
// not what the front end takes for granted.
type kind struct {
	model, view string
	style       *kind
	layout      *kind // nil is layoutKind
	base        bool  // of the base module
	output      bool  // of the output module
	styling     bool  // a style, which is no widget to see
	value       string
	state       map[string]any
}

var (
	layoutKind = &kind{model: "LayoutModel", view: "LayoutView", base: true}
	// A slider keeps a track that can be used, and a row breaks where there is no room for that.
	trackLayout = &kind{model: "LayoutModel", view: "LayoutView", base: true,
		state: map[string]any{"min_width": "240px"}}
	rowLayout = &kind{model: "LayoutModel", view: "LayoutView", base: true,
		state: map[string]any{"flex_flow": "row wrap"}}
	described = &kind{model: "DescriptionStyleModel", view: "StyleView", styling: true,
		state: map[string]any{"description_width": ""}}
	sliderStyle = &kind{model: "SliderStyleModel", view: "StyleView", styling: true,
		state: map[string]any{"description_width": ""}}
	barStyle = &kind{model: "ProgressStyleModel", view: "StyleView", styling: true,
		state: map[string]any{"description_width": ""}}
	buttonStyle = &kind{model: "ButtonStyleModel", view: "StyleView", styling: true}
	intSlider   = &kind{model: "IntSliderModel", view: "IntSliderView", style: sliderStyle, layout: trackLayout,
		value: "value",
		state: map[string]any{"step": 1, "continuous_update": true, "readout": true, "orientation": "horizontal"}}
	floatSlider = &kind{model: "FloatSliderModel", view: "FloatSliderView", style: sliderStyle, layout: trackLayout,
		value: "value",
		state: map[string]any{"step": 0.1, "continuous_update": true, "readout": true, "readout_format": ".2f",
			"orientation": "horizontal"}}
	intProgress = &kind{model: "IntProgressModel", view: "ProgressView", style: barStyle, value: "value",
		state: map[string]any{"bar_style": "", "orientation": "horizontal"}}
	checkbox = &kind{model: "CheckboxModel", view: "CheckboxView", style: described, value: "value",
		state: map[string]any{"indent": false}}
	dropdown = &kind{model: "DropdownModel", view: "DropdownView", style: described, value: "index"}
	textKind = &kind{model: "TextModel", view: "TextView", style: described, value: "value",
		state: map[string]any{"placeholder": "", "continuous_update": false}}
	labelKind  = &kind{model: "LabelModel", view: "LabelView", style: described, value: "value"}
	htmlKind   = &kind{model: "HTMLModel", view: "HTMLView", style: described, value: "value"}
	buttonKind = &kind{model: "ButtonModel", view: "ButtonView", style: buttonStyle,
		state: map[string]any{"tooltip": "", "icon": "", "button_style": ""}}
	hbox         = &kind{model: "HBoxModel", view: "HBoxView", layout: rowLayout, value: "children"}
	vbox         = &kind{model: "VBoxModel", view: "VBoxView", value: "children"}
	outputKind   = &kind{model: "OutputModel", view: "OutputView", output: true, value: "outputs"}
	noLayoutKind = map[*kind]bool{layoutKind: true, trackLayout: true, rowLayout: true}
)

// layoutOf is the layout that all widgets of a kind share.
func (k *kind) layoutOf() *kind { return cmp.Or(k.layout, layoutKind) }
