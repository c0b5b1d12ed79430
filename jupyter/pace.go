package jupyter

import (
	"context"
	"sync"
	"time"
)

// Note: the pace of messages
//
// What a cell prints is gathered. Displays, updates and comms are messages each, and an endless loop of them would be
// queued faster than any front end takes them: hours later it would still show what an interrupted cell had said in a
// second, and notebook servers cut off what is above 1,000 messages a second. So code that sends too many waits for
// its turn. Nothing is left out.

// At most paceBurst messages go out at once, then one every paceStep: in no three seconds more than 1,000 a second.
const (
	paceBurst = 500
	paceStep  = time.Second / 800
)

// pace tells when the next message is due.
type pace struct {
	mu   sync.Mutex
	next time.Time
}

// wait returns when the message that is asked for is due. It does not wait longer than ctx lasts: what an interrupted
// cell still says in leaving goes out.
func (p *pace) wait(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock() // others come behind
	now := time.Now()
	if first := now.Add(-paceBurst * paceStep); p.next.Before(first) {
		p.next = first
	}
	due := p.next
	p.next = due.Add(paceStep)
	if d := due.Sub(now); d > 0 {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
}
