package jupyter

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
)

// connection is what a connection file says.
type connection struct {
	Transport       string `json:"transport"`
	IP              string `json:"ip"`
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HBPort          int    `json:"hb_port"`
	Key             string `json:"key"`
	SignatureScheme string `json:"signature_scheme"`
	KernelName      string `json:"kernel_name,omitempty"`
}

func readConnection(file string) (connection, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return connection{}, fmt.Errorf("jupyter: connection file: %w", err)
	}
	c, err := parseConnection(text)
	if err != nil {
		return c, fmt.Errorf("jupyter: connection file %s: %w", file, err)
	}
	return c, nil
}

// parseConnection reads a connection file. A missing transport is tcp, a missing address is this
// machine; the ports must be there.
func parseConnection(text []byte) (connection, error) {
	c := connection{Transport: "tcp", IP: "127.0.0.1", SignatureScheme: "hmac-sha256"}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, err
	}
	switch c.Transport {
	case "tcp", "ipc":
	default:
		return c, fmt.Errorf("transport %q is not supported, only tcp and ipc are", c.Transport)
	}
	if c.IP == "" {
		return c, errors.New("no ip")
	}
	for name, p := range c.ports() {
		if p < 1 || p > 65535 {
			return c, fmt.Errorf("%s_port %d is not between 1 and 65535", name, p)
		}
	}
	if c.SignatureScheme != "hmac-sha256" && (c.Key != "" || c.SignatureScheme != "") {
		return c, fmt.Errorf("signature scheme %q is not supported, only hmac-sha256 is", c.SignatureScheme)
	}
	return c, nil
}

func (c connection) ports() map[string]int {
	return map[string]int{"shell": c.ShellPort, "iopub": c.IOPubPort, "stdin": c.StdinPort, "control": c.ControlPort,
		"hb": c.HBPort}
}

// address returns what net.Listen and net.Dial want for a port: a TCP address, or for ipc a path.
func (c connection) address(port int) (network, addr string) {
	if c.Transport == "ipc" {
		return "unix", c.IP + "-" + strconv.Itoa(port)
	}
	ip := c.IP
	if ip == "*" {
		ip = "0.0.0.0"
	}
	return "tcp", net.JoinHostPort(ip, strconv.Itoa(port))
}
