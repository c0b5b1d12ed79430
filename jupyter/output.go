package jupyter

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
)

// output is the Output of one cell.
type output struct {
	k     *kernel
	r     *request
	ctx   context.Context // of the cell, until it has ended
	cell  Cell
	stdin bool

	mu      sync.Mutex
	ended   bool
	payload []any
	exit    bool   // the kernel ends with this cell
	result  string // the text of the last result, for the history
}

// end closes what belongs to the reply, and gives it.
func (o *output) end() (payload []any, result string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	if o.payload == nil {
		o.payload = []any{}
	}
	return o.payload, o.result
}

func (o *output) Stdout() io.Writer {
	return &writer{pub: o.k.pub, parent: o.r.message, name: "stdout"}
}
func (o *output) Stderr() io.Writer {
	return &writer{pub: o.k.pub, parent: o.r.message, name: "stderr"}
}

// paced waits until one more message may be sent.
func (o *output) paced() {
	o.mu.Lock()
	ctx := o.ctx
	if o.ended {
		ctx = o.k.ctx
	}
	o.mu.Unlock()
	o.k.pace.wait(ctx)
}

// content makes data and metadata ready for JSON. What JSON cannot say is left out; text/plain is
// always there.
func (b Bundle) content() (data, meta map[string]any) {
	data = make(map[string]any, len(b.Data)+1)
	for mime, v := range b.Data {
		switch v := v.(type) {
		case string, json.RawMessage:
			data[mime] = v
		case []byte:
			if isText(mime) {
				data[mime] = string(v)
			} else {
				data[mime] = base64.StdEncoding.EncodeToString(v)
			}
		default:
			text, err := marshal(v)
			if err != nil {
				if mime == "text/plain" || len(b.Data) == 1 {
					data["text/plain"] = fmt.Sprintf("%T: %v", v, err) // fmt would follow a value that holds itself forever
				}
				continue
			}
			data[mime] = text
		}
	}
	if _, ok := data["text/plain"]; !ok {
		data["text/plain"] = ""
	}
	if meta = b.Metadata; meta == nil {
		meta = map[string]any{}
	}
	return data, meta
}

// isText says that a notebook takes values of this type as text, not as base64.
func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || strings.HasSuffix(mime, "+xml") || mime == "application/javascript"
}

func (o *output) Result(b Bundle) {
	if o.cell.Silent {
		return
	}
	data, meta := b.content()
	if s, ok := data["text/plain"].(string); ok {
		o.mu.Lock()
		o.result = s
		o.mu.Unlock()
	}
	o.k.pub.send(o.r.message, "execute_result",
		map[string]any{"data": data, "metadata": meta, "execution_count": o.cell.Count}, nil)
}

func (o *output) Display(id string, b Bundle) { o.display("display_data", id, b) }
func (o *output) Update(id string, b Bundle)  { o.display("update_display_data", id, b) }

func (o *output) display(kind, id string, b Bundle) {
	data, meta := b.content()
	o.paced()
	transient := map[string]any{}
	if id != "" {
		transient["display_id"] = id
	}
	parent := o.r.message
	if kind == "update_display_data" {
		parent = o.now()
	}
	o.k.pub.send(parent, kind, map[string]any{"data": data, "metadata": meta, "transient": transient}, nil)
}

// now is the cell that an update belongs to: a client that runs cells one by one, as nbclient does, receives only what
// belongs to the cell that runs, and updates displays of all cells with it.
func (o *output) now() *message {
	o.mu.Lock()
	ended := o.ended
	o.mu.Unlock()
	if ended {
		if m := o.k.pub.running(); m != nil {
			return m
		}
	}
	return o.r.message
}

func (o *output) Clear(wait bool) {
	o.paced()
	o.k.pub.send(o.r.message, "clear_output", map[string]any{"wait": wait}, nil)
}

func (o *output) Page(b Bundle) {
	data, _ := b.content()
	o.pay(map[string]any{"source": "page", "data": data, "start": 0})
}

func (o *output) SetNextInput(text string, replace bool) {
	o.pay(map[string]any{"source": "set_next_input", "text": text, "replace": replace})
}

func (o *output) pay(p map[string]any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ended {
		o.payload = append(o.payload, p)
	}
}

func (o *output) Exit() {
	o.pay(map[string]any{"source": "ask_exit", "keepkernel": false})
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ended {
		o.exit = true
	}
}

func (o *output) Input(ctx context.Context, prompt string, password bool) (string, error) {
	o.mu.Lock()
	ended := o.ended
	o.mu.Unlock()
	switch {
	case ended:
		return "", errNotRunning
	case !o.stdin:
		return "", ErrNoInput
	}
	return o.k.ask(ctx, o.r, prompt, password)
}
