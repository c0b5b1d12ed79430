package main

import (
	"encoding/json"
	"strings"
	"time"

	"gotorch/internal/ipynb"
)

// describe writes into a notebook that was run what Jupyter's tools write there: the language, by which nbconvert
// names a script's file, and where the run had parameters, what papermill says of such a run.
func describe(nb ipynb.Notebook, r runCommand, begin time.Time, failed error) {
	meta, _ := nb["metadata"].(map[string]any)
	if meta == nil {
		meta = map[string]any{}
		nb["metadata"] = meta
	}
	if meta["language_info"] == nil {
		info := goLanguage.Info()
		delete(info, "version") // a notebook is the same whatever ran it
		delete(info, "nbconvert_exporter")
		meta["language_info"] = info
	}
	if len(r.Parameter) == 0 {
		return
	}
	parameters := map[string]any{}
	for _, p := range r.Parameter {
		name, value, _ := strings.Cut(p, "=")
		parameters[strings.TrimSpace(name)] = plainValue(strings.TrimSpace(value))
	}
	var exception any // true or null, as papermill has it
	if failed != nil {
		exception = true
	}
	end := time.Now()
	const form = "2006-01-02T15:04:05.000000-07:00"
	meta["papermill"] = map[string]any{"parameters": parameters, "default_parameters": map[string]any{},
		"environment_variables": map[string]any{},
		"input_path":            r.File, "output_path": r.Output, "start_time": begin.UTC().Format(form),
		"end_time": end.UTC().Format(form),
		"duration": end.Sub(begin).Seconds(), "exception": exception}
}

// plainValue is a value from the command line as JSON has it: numbers, strings, true, false and lists; the rest is
// text.
func plainValue(text string) any {
	if v := goValue(text); v == "true" || v == "false" { // also as Python writes them
		text = v
	}
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return text
}
