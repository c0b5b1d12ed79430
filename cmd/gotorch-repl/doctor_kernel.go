package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gotorch/internal/jupyterclient"
)

// tried is how long a kernel took: to its first answer, for a cell, to end.
type tried struct{ start, cell, end time.Duration }

// patience is how long a kernel is waited for.
const patience = 10 * time.Second

// tryKernel starts a kernel as Jupyter does, has it compute 1+1, and ends it. Nothing is left of it.
func tryKernel(program string, args []string, env map[string]string) (r tried, err error) {
	dir, err := os.MkdirTemp("", "gotorch-doctor-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	ports, err := freePorts(5)
	if err != nil {
		return r, fmt.Errorf("no free port on 127.0.0.1: %w", err)
	}
	info := jupyterclient.Info{Transport: "tcp", IP: "127.0.0.1", Key: "doctor", SignatureScheme: "hmac-sha256",
		ShellPort: ports[0], IOPubPort: ports[1], StdinPort: ports[2], ControlPort: ports[3], HBPort: ports[4]}
	text, err := json.Marshal(info)
	if err != nil {
		return r, err
	}
	file := filepath.Join(dir, "connection.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return r, err
	}
	var errOut bytes.Buffer
	cmd := exec.Command(program)
	for _, a := range args {
		cmd.Args = append(cmd.Args, strings.ReplaceAll(a, "{connection_file}", file))
	}
	cmd.Stderr = &errOut
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir) // the history of cells is not touched
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return r, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	gone := false
	defer func() {
		if !gone {
			cmd.Process.Kill()
			<-ended
		}
	}()
	for { // until it listens
		conn, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", ports[0]), time.Second)
		if err == nil {
			conn.Close()
			break
		}
		select {
		case err := <-ended:
			gone = true
			return r, fmt.Errorf("ended at once (%v): %s", err, strings.TrimSpace(errOut.String()))
		case <-time.After(time.Millisecond):
		}
		if time.Since(begin) > patience {
			return r, fmt.Errorf("does not listen after %v: %s", patience, strings.TrimSpace(errOut.String()))
		}
	}
	c, err := jupyterclient.Dial(info)
	if err != nil {
		return r, fmt.Errorf("listens, but does not greet: %w", err)
	}
	defer c.Close()
	if m := c.Request(c.Shell, "kernel_info_request", map[string]any{}, patience); m == nil || m.Status() != "ok" {
		return r, errors.New("does not answer kernel_info_request")
	}
	r.start = time.Since(begin)
	ran := c.Execute("1+1", patience, nil)
	if ran.Reply == nil || ran.Reply.Status() != "ok" {
		return r, fmt.Errorf("does not run 1+1: %s", refusal(ran))
	}
	shown := ran.Of("execute_result")
	if len(shown) != 1 || fmt.Sprint(shown[0].Content["data"].(map[string]any)["text/plain"]) != "2" {
		return r, errors.New("does not know that 1+1 is 2")
	}
	r.cell = ran.Took
	begin = time.Now()
	c.Request(c.Control, "shutdown_request", map[string]any{"restart": false}, patience)
	select {
	case <-ended:
		gone = true
		r.end = time.Since(begin)
	case <-time.After(patience):
		return r, errors.New("goes on after a shutdown_request")
	}
	return r, nil
}

func refusal(ran *jupyterclient.Ran) string {
	if ran.Reply == nil {
		return "no reply"
	}
	return fmt.Sprint(ran.Reply.Content["evalue"])
}

// freePorts returns ports on which nobody listens.
func freePorts(n int) (ports []int, err error) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
