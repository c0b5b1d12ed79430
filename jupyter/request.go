package jupyter

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-zeromq/zmq4"
)

// request is a message with the socket that it came in on.
type request struct {
	*message
	from    *channel
	arrived time.Time
	queue   *queue    // that it waited in; nil when it is done at once
	aborted bool      // an error or an interrupt came before its turn
	started time.Time // when the cell began to run
	ends    bool      // the kernel ends when it is done
}

// exitWait is how long the kernel stays after a cell that ends it: front ends look whether it lives before they read
// the answer, and one that leaves says shutdown_request.
const exitWait = time.Second

// reply answers on the socket that the request came in on. Every reply has a status.
func (r *request) reply(kind string, content map[string]any) { r.replyWith(kind, content, nil) }

// replyWith is reply with metadata.
func (r *request) replyWith(kind string, content map[string]any, metadata any) {
	k := r.from.k
	if _, ok := content["status"]; !ok {
		content["status"] = "ok"
	}
	m, err := k.make(r.message, kind, content, metadata)
	if err != nil {
		m, err = k.make(r.message, kind, failed(&Failure{Name: "EncodingError", Value: err.Error()}), nil)
		if err != nil {
			return
		}
	}
	m.identities = r.identities
	if err := r.from.sock.SendMulti(zmq4.NewMsgFrom(m.frames(k.signer)...)); err != nil {
		k.log.Printf("%s: %v", r.from.name, err) // the client has disconnected
	}
}

// failed is the content of a reply, or of an error message on IOPub.
func failed(f *Failure) map[string]any {
	tb := f.Traceback
	if len(tb) == 0 {
		tb = []string{strings.TrimSuffix(f.Name+": "+f.Value, ": ")}
	}
	return map[string]any{"status": "error", "ename": f.Name, "evalue": f.Value, "traceback": tb}
}

// handlers of the requests that shell and control take. Each returns the content of the reply.
var handlers = map[string]func(*kernel, *request) (map[string]any, error){
	"kernel_info_request": (*kernel).kernelInfo,
	"connect_request":     (*kernel).connect,
	"comm_info_request":   (*kernel).commInfo,
	"complete_request":    (*kernel).complete,
	"inspect_request":     (*kernel).inspect,
	"is_complete_request": (*kernel).isComplete,
	"history_request":     (*kernel).historyRequest,
	"interrupt_request":   (*kernel).interruptRequest,
	"shutdown_request":    (*kernel).shutdownRequest,

	"create_subshell_request": (*kernel).createSubshell,
	"delete_subshell_request": (*kernel).deleteSubshell,
	"list_subshell_request":   (*kernel).listSubshells,
	"debug_request":           (*kernel).debugRequest,
	"usage_request":           (*kernel).usageRequest,
}

// controlOnly are the requests that make no sense in a queue.
var controlOnly = map[string]bool{"create_subshell_request": true, "delete_subshell_request": true,
	"list_subshell_request": true, "usage_request": true}

// handle does one request, busy before and idle after it.
func (k *kernel) handle(r *request) {
	defer func() {
		if r.ends {
			time.AfterFunc(exitWait, k.end)
		}
		if k.cells.shutdown.Load() == r.message {
			k.end()
		}
	}()
	k.pub.status(r.message, "busy")
	defer k.pub.status(r.message, "idle")
	name, isRequest := strings.CutSuffix(r.header.Type, "_request")
	defer func() {
		if p := recover(); p != nil {
			k.log.Printf("%s: panic: %v\n%s", r.header.Type, p, debug.Stack())
			if isRequest {
				r.reply(name+"_reply", failed(&Failure{Name: "KernelError", Value: fmt.Sprint(p)}))
			}
		}
	}()
	switch f := handlers[r.header.Type]; {
	case controlOnly[r.header.Type] && r.from != k.control:
		r.reply(name+"_reply", failed(&Failure{Name: "BadRequest", Value: r.header.Type + " belongs on the control socket"}))
	case f != nil:
		content, err := f(k, r)
		if err != nil {
			content = failed(&Failure{Name: "BadRequest", Value: err.Error()})
		}
		r.reply(name+"_reply", content)
	case r.header.Type == "execute_request":
		k.execute(r)
	case strings.HasPrefix(r.header.Type, "comm_"):
		k.comm(r)
	case isRequest:
		k.log.Printf("%s: %s is not known", r.from.name, r.header.Type)
		r.reply(name+"_reply", failed(&Failure{Name: "UnknownRequest",
			Value: r.header.Type + " is not known to this kernel"}))
	default:
		k.log.Printf("%s: %s is not known", r.from.name, r.header.Type)
	}
}

// read puts the content of a request into v.
func (r *request) read(v any) error {
	if err := json.Unmarshal(r.content, v); err != nil {
		return fmt.Errorf("%s: %w", r.header.Type, err)
	}
	return nil
}
