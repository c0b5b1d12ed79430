package jupyter

import (
	"encoding/json"
	"fmt"
)

// Note: the debugger that is none
//
// JupyterLab and VS Code fill their variable panes with requests of the debug adapter protocol. This kernel answers
// those that only inspect. Nothing can be stopped: a breakpoint is rejected with a message, as the protocol provides
// for.

// debugQuery is the content of a debug_request.
type debugQuery struct {
	Seq     int             `json:"seq"`
	Type    string          `json:"type"`
	Command string          `json:"command"`
	Args    json.RawMessage `json:"arguments"`
}

// debugCommands give the body of a response.
var debugCommands = map[string]func(*kernel, VariableSession, json.RawMessage) (map[string]any, error){
	"debugInfo":        (*kernel).debugInfo,
	"inspectVariables": (*kernel).inspectVariables,
	"variables":        (*kernel).inspectVariables,

	"richInspectVariables": (*kernel).richInspect,

	"initialize": func(k *kernel, _ VariableSession, _ json.RawMessage) (map[string]any, error) {
		return map[string]any{"supportsConfigurationDoneRequest": true, "supportsSetVariable": false,
			"exceptionBreakpointFilters": []any{}}, nil
	},
	"attach": func(k *kernel, _ VariableSession, _ json.RawMessage) (map[string]any, error) {
		k.attached.Store(true)
		return map[string]any{}, nil
	},
	"disconnect": func(k *kernel, _ VariableSession, _ json.RawMessage) (map[string]any, error) {
		k.attached.Store(false)
		return map[string]any{}, nil
	},
	"configurationDone": debugNothing, "setExceptionBreakpoints": debugNothing,
	"threads": func(*kernel, VariableSession, json.RawMessage) (map[string]any, error) {
		return map[string]any{"threads": []any{map[string]any{"id": 1, "name": "cells"}}}, nil
	},
	"modules": func(*kernel, VariableSession, json.RawMessage) (map[string]any, error) {
		return map[string]any{"modules": []any{}, "totalModules": 0}, nil
	},
	"dumpCell":       (*kernel).dumpCell,
	"setBreakpoints": (*kernel).setBreakpoints,
}

func debugNothing(*kernel, VariableSession, json.RawMessage) (map[string]any, error) {
	return map[string]any{}, nil
}

// debugRequest answers with a response of the debug adapter protocol, which has its own way to say no.
func (k *kernel) debugRequest(r *request) (map[string]any, error) {
	var q debugQuery
	if err := r.read(&q); err != nil {
		return nil, err
	}
	content := map[string]any{"type": "response", "request_seq": q.Seq, "seq": int(k.debugSeq.Add(1)),
		"command": q.Command, "body": map[string]any{}, "success": false}
	s := k.variables()
	f := debugCommands[q.Command]
	if s == nil || f == nil {
		content["message"] = fmt.Sprintf("%q is not known to this kernel, which shows variables and stops nowhere",
			q.Command)
		return content, nil
	}
	body, err := f(k, s, q.Args)
	if err != nil {
		content["message"] = err.Error()
		return content, nil
	}
	content["success"], content["body"] = true, body
	return content, nil
}

func readArgs(args json.RawMessage, v any) error {
	if len(args) == 0 {
		return nil
	}
	return json.Unmarshal(args, v)
}

func (k *kernel) debugInfo(VariableSession, json.RawMessage) (map[string]any, error) {
	return map[string]any{
		"isStarted": k.attached.Load(), "hashMethod": "Murmur2", "hashSeed": 0, "tmpFilePrefix": "", "tmpFileSuffix": "",
		"breakpoints": []any{}, "stoppedThreads": []any{}, "richRendering": true, "exceptionPaths": []any{},
		"copyToGlobals": false,
	}, nil
}

func (k *kernel) inspectVariables(s VariableSession, _ json.RawMessage) (map[string]any, error) {
	rows := []any{}
	for _, v := range s.Variables() {
		rows = append(rows, v.describe())
	}
	return map[string]any{"variables": rows}, nil
}

func (k *kernel) richInspect(s VariableSession, args json.RawMessage) (map[string]any, error) {
	var q struct {
		Name string `json:"variableName"`
	}
	if err := readArgs(args, &q); err != nil {
		return nil, err
	}
	b, ok := s.Variable(q.Name)
	if !ok {
		return nil, fmt.Errorf("there is no variable %q", q.Name)
	}
	data, meta := b.content()
	return map[string]any{"data": data, "metadata": meta}, nil
}

// dumpCell wants to know what file a cell is to the debugger. None.
func (k *kernel) dumpCell(VariableSession, json.RawMessage) (map[string]any, error) {
	return map[string]any{"sourcePath": ""}, nil
}

func (k *kernel) setBreakpoints(_ VariableSession, args json.RawMessage) (map[string]any, error) {
	var q struct {
		Source      json.RawMessage `json:"source"`
		Breakpoints []struct {
			Line int `json:"line"`
		} `json:"breakpoints"`
	}
	if err := readArgs(args, &q); err != nil {
		return nil, err
	}
	rows := []any{}
	for _, b := range q.Breakpoints {
		row := map[string]any{"verified": false, "line": b.Line, "message": "this kernel does not stop at breakpoints"}
		if q.Source != nil { // JupyterLab lists it under this
			row["source"] = q.Source
		}
		rows = append(rows, row)
	}
	return map[string]any{"breakpoints": rows}, nil
}
