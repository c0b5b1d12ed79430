// Package browser drives a headless Chromium for tests, over the DevTools protocol: it opens pages, types, clicks, and
// looks at what is shown. The protocol goes through a pair of pipes, so that no port is opened and nothing is needed
// but Chromium.
package browser

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Find returns the path of a Chromium, "" if there is none.
func Find() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Page is a page in a browser of its own.
type Page struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	profile string
	session string

	mu      sync.Mutex
	next    int
	waiting map[int]chan answer
	ended   error
}

type answer struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// Open starts the Chromium at path with an empty page of the given size.
func Open(path string, width, height int) (*Page, error) {
	profile, err := os.MkdirTemp("", "browser-")
	if err != nil {
		return nil, err
	}
	p := &Page{profile: profile, waiting: map[int]chan answer{}}
	toRead, toWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromRead, fromWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.cmd = exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--user-data-dir="+profile,
		fmt.Sprintf("--window-size=%d,%d", width, height), "--remote-debugging-pipe", "about:blank")
	p.cmd.ExtraFiles = []*os.File{toRead, fromWrite} // 3 and 4
	p.in = toWrite
	if err := p.cmd.Start(); err != nil {
		os.RemoveAll(profile)
		return nil, err
	}
	toRead.Close()
	fromWrite.Close()
	go p.receive(fromRead)
	if err := p.attach(); err != nil {
		p.Close()
		return nil, err
	}
	return p, p.Resize(width, height)
}

// Resize gives the page another size, in pixels.
func (p *Page) Resize(width, height int) error {
	return p.Do("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// attach takes the page that the browser began with.
func (p *Page) attach() error {
	var targets struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	for range 100 {
		if err := p.Do("Target.getTargets", nil, &targets); err != nil {
			return err
		}
		for _, t := range targets.TargetInfos {
			if t.Type == "page" {
				var s struct{ SessionID string }
				err := p.Do("Target.attachToTarget", map[string]any{"targetId": t.TargetID, "flatten": true}, &s)
				p.session = s.SessionID
				return err
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.New("the browser has no page")
}

// Close ends the browser and removes its profile.
func (p *Page) Close() {
	p.session = ""
	p.Do("Browser.close", nil, nil)
	p.in.Close()
	done := time.AfterFunc(10*time.Second, func() { p.cmd.Process.Kill() })
	p.cmd.Wait()
	done.Stop()
	os.RemoveAll(p.profile)
}

// receive takes answers; events are not needed.
func (p *Page) receive(r io.Reader) {
	b := bufio.NewReader(r)
	for {
		text, err := b.ReadBytes(0)
		if err != nil {
			p.mu.Lock()
			p.ended = fmt.Errorf("the browser has gone: %w", err)
			for _, c := range p.waiting {
				close(c)
			}
			p.waiting = nil
			p.mu.Unlock()
			return
		}
		var m struct {
			ID int
			answer
		}
		if json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m) != nil || m.ID == 0 {
			continue
		}
		p.mu.Lock()
		if c := p.waiting[m.ID]; c != nil {
			delete(p.waiting, m.ID)
			c <- m.answer
		}
		p.mu.Unlock()
	}
}

// Do calls a method of the DevTools protocol. result may be nil.
func (p *Page) Do(method string, params map[string]any, result any) error {
	c := make(chan answer, 1)
	p.mu.Lock()
	if p.ended != nil {
		p.mu.Unlock()
		return p.ended
	}
	p.next++
	id := p.next
	p.waiting[id] = c
	m := map[string]any{"id": id, "method": method}
	if params != nil {
		m["params"] = params
	}
	if p.session != "" {
		m["sessionId"] = p.session
	}
	text, err := json.Marshal(m)
	if err == nil {
		_, err = p.in.Write(append(text, 0))
	}
	p.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case a, ok := <-c:
		switch {
		case !ok:
			return p.ended
		case a.Error != nil:
			return fmt.Errorf("%s: %s", method, a.Error.Message)
		case result != nil:
			return json.Unmarshal(a.Result, result)
		}
		return nil
	case <-time.After(30 * time.Second):
		return fmt.Errorf("%s: no answer", method)
	}
}

// Go opens an address.
func (p *Page) Go(url string) error {
	var r struct{ ErrorText string }
	if err := p.Do("Page.navigate", map[string]any{"url": url}, &r); err != nil {
		return err
	}
	if r.ErrorText != "" {
		return fmt.Errorf("%s: %s", url, r.ErrorText)
	}
	return nil
}

// Eval returns the value of a JavaScript expression; a promise is waited for. result may be nil.
func (p *Page) Eval(js string, result any) error {
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if err := p.Do("Runtime.evaluate", map[string]any{"expression": js, "awaitPromise": true, "returnByValue": true,
		"userGesture": true}, &r); err != nil {
		return err
	}
	if e := r.ExceptionDetails; e != nil {
		return fmt.Errorf("%s: %s %s", js, e.Text, e.Exception.Description)
	}
	if result == nil || len(r.Result.Value) == 0 {
		return nil
	}
	return json.Unmarshal(r.Result.Value, result)
}

// Wait waits until a JavaScript expression is true.
func (p *Page) Wait(limit time.Duration, js string) error {
	var err error
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var ok bool
		if err = p.Eval("!!("+js+")", &ok); err == nil && ok {
			return nil
		}
	}
	return fmt.Errorf("after %v still not true: %s (%v)", limit, js, err)
}

// Click presses the left button where the first element that a CSS selector finds stands, so many points from its
// middle.
func (p *Page) Click(selector string, dx, dy float64) error {
	var at struct{ X, Y float64 }
	name, _ := json.Marshal(selector)
	err := p.Eval(`(() => { const e = document.querySelector(`+string(name)+
		`); if (!e) throw new Error("no such element"); e.scrollIntoView({block: "center"});
		const r = e.getBoundingClientRect(); return {X: r.left + r.width/2, Y: r.top + r.height/2} })()`, &at)
	if err != nil {
		return err
	}
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		err := p.Do("Input.dispatchMouseEvent",
			map[string]any{"type": kind, "x": at.X + dx, "y": at.Y + dy, "button": "left", "clickCount": 1}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// Focus clicks where the first element that a CSS selector finds stands, until the keyboard writes into it or into
// what it contains: a page that is still being laid out may be hit beside it.
func (p *Page) Focus(limit time.Duration, selector string) error {
	name, _ := json.Marshal(selector)
	err := p.Click(selector, 0, 0)
	for end := time.Now().Add(limit); err == nil; err = p.Click(selector, 0, 0) {
		if p.Wait(time.Second, "document.querySelector("+string(name)+").contains(document.activeElement)") == nil {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("after %v the keyboard does not write into %s", limit, selector)
		}
	}
	return err
}

// Type types text into what has the focus.
func (p *Page) Type(text string) error {
	return p.Do("Input.insertText", map[string]any{"text": text}, nil)
}

// Modifiers of keys.
const (
	Alt, Ctrl, Meta, Shift = 1, 2, 4, 8
)

// keyCodes are the codes of keys that have a name.
var keyCodes = map[string]int{"Enter": 13, "Tab": 9, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
	"ArrowDown": 40, "Backspace": 8, "Delete": 46}

// Key presses a key: one of those with a name, or a letter.
func (p *Page) Key(key string, modifiers int) error {
	code := keyCodes[key]
	text := ""
	if code == 0 {
		code = int(bytes.ToUpper([]byte(key))[0])
		if modifiers&^Shift == 0 {
			text = key
		}
	} else if key == "Enter" {
		text = "\r"
	}
	for _, kind := range []string{"keyDown", "keyUp"} {
		event := map[string]any{"type": kind, "key": key, "modifiers": modifiers, "windowsVirtualKeyCode": code,
			"nativeVirtualKeyCode": code}
		if kind == "keyDown" && text != "" {
			event["text"] = text
		}
		if err := p.Do("Input.dispatchKeyEvent", event, nil); err != nil {
			return err
		}
	}
	return nil
}

// Screenshot returns the page as it is seen, as a PNG.
func (p *Page) Screenshot() ([]byte, error) {
	var r struct{ Data string }
	if err := p.Do("Page.captureScreenshot", map[string]any{"format": "png"}, &r); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(r.Data)
}
