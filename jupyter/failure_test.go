package jupyter

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"testing"
)

// explained is a session whose cells fail, with words on the failure.
type explained struct{ mute }

func (explained) Execute(_ context.Context, _ Cell, out Output) *Failure {
	out.Display("", Text("above"))
	return &Failure{Name: "E", Value: "wrong", After: []Bundle{Text("beneath"), Text("and this")}}
}

// TestAfterFailure: what a failure is followed by is sent behind the error, as part of the cell.
func TestAfterFailure(t *testing.T) {
	k, pub, shell := unbound(t, explained{}, io.Discard)
	k.handle(k.asks("execute_request", `{"code": "x"}`, shell))
	var got []string
	for _, sent := range pub.sent {
		msg, err := decode(sent.Frames, nil)
		if err != nil {
			t.Fatal(err)
		}
		var c struct {
			State string            `json:"execution_state"`
			Name  string            `json:"ename"`
			Data  map[string]string `json:"data"`
		}
		if err := json.Unmarshal(msg.content, &c); err != nil {
			t.Fatal(err)
		}
		if text := c.State + c.Name + c.Data["text/plain"]; text != "" {
			got = append(got, text)
		}
	}
	if want := []string{"busy", "above", "E", "beneath", "and this", "idle"}; !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
}
