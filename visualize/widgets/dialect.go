package widgets

import "os"

// dialect is how one generation of ipywidgets' front ends is spoken to.
type dialect struct {
	controls, controlsVersion string
	base, baseVersion         string
	output, outputVersion     string // "" where areas of output are HTML widgets
	protocol                  string

	// old is ipywidgets 6: the state of comm_open stands bare, updates come as sync_data, a choice is known by its
	// label, and a view is asked for by a message instead of a MIME type.
	old bool

	rename map[string]string // models that have another name
}

var (
	dialect8 = &dialect{controls: "@jupyter-widgets/controls", controlsVersion: "2.0.0", base: "@jupyter-widgets/base",
		baseVersion: "2.0.0",
		output:      "@jupyter-widgets/output", outputVersion: "1.0.0", protocol: "2.1.0"}
	dialect7 = &dialect{controls: "@jupyter-widgets/controls", controlsVersion: "1.5.0", base: "@jupyter-widgets/base",
		baseVersion: "1.2.0",
		output:      "@jupyter-widgets/output", outputVersion: "1.0.0", protocol: "2.0.0"}
	dialect6 = &dialect{controls: "jupyter-js-widgets", controlsVersion: "~2.1.4", base: "jupyter-js-widgets",
		baseVersion: "~2.1.4",
		old:         true, rename: map[string]string{"IntProgressModel": "ProgressModel", "DescriptionStyleModel": ""}}
)

// dialects are what the environment variable GOTORCH_WIDGETS may choose.
var dialects = map[string]*dialect{"8": dialect8, "7": dialect7, "6": dialect6}

// chosen is the dialect that the environment asks for, or nil.
func chosen() *dialect { return dialects[os.Getenv("GOTORCH_WIDGETS")] }

// named fills in by what names the front end knows a model and its view.
func (d *dialect) named(k *kind, state map[string]any) {
	model, view := k.model, k.view
	if other, ok := d.rename[model]; ok {
		model = other
	}
	module, version := d.controls, d.controlsVersion
	switch {
	case k.base:
		module, version = d.base, d.baseVersion
	case k.output && d.output != "":
		module, version = d.output, d.outputVersion
	case k.output:
		model, view = "HTMLModel", "HTMLView"
	}
	state["_model_module"], state["_model_module_version"], state["_model_name"] = module, version, model
	state["_view_module"], state["_view_module_version"], state["_view_name"] = module, version, view
	if k.styling && !k.base { // the views of styles stand in the base, and are all one
		state["_view_module"], state["_view_module_version"] = d.base, d.baseVersion
	}
}

// encode writes values for the front end.
func (d *dialect) encode(k *kind, state map[string]any) map[string]any {
	out := make(map[string]any, len(state))
	for name, v := range state {
		switch {
		case name == "children":
			refs := []string{}
			for _, kid := range v.([]*model) {
				refs = append(refs, "IPY_MODEL_"+kid.id)
			}
			out[name] = refs
		case k.output && d.output == "":
			out["value"] = outputsHTML(v.([]any))
		case name == "index" && d.old:
			if labels, ok := state["_options_labels"].([]string); ok && v.(int) < len(labels) {
				out["value"] = labels[v.(int)]
			}
		default:
			out[name] = v
		}
	}
	return out
}
