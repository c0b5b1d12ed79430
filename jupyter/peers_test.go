package jupyter_test

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
)

// Peers that give themselves no name are told apart: each gets its own answers and no others.
func TestPeersWithoutAName(t *testing.T) {
	k := tcp(t)
	var peers []net.Conn
	for range 3 {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", k.info.ShellPort))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.SetDeadline(time.Now().Add(wait))
		c.Write(ready("DEALER"))
		peers = append(peers, c)
	}
	for round := range 3 {
		for i, c := range peers {
			parts := [][]byte{fmt.Appendf(nil, `{"msg_id":"asked-%d-%d","msg_type":"is_complete_request","session":"s"}`, round, i), []byte("{}"), []byte("{}"), []byte(`{"code":"x"}`)}
			c.Write(message(append([][]byte{[]byte("<IDS|MSG>"), jupyterclient.Sign(k.info.Key, parts)}, parts...)...))
		}
		for i, c := range peers {
			got, b := "", make([]byte, 4096)
			for !strings.Contains(got, `"status":`) {
				n, err := c.Read(b)
				if err != nil {
					t.Fatal(err)
				}
				got += string(b[:n])
			}
			if want := fmt.Sprintf("asked-%d-%d", round, i); !strings.Contains(got, want) || strings.Count(got, `"asked-`) != 1 {
				t.Errorf("peer %d was told %q, without %s alone", i, got, want)
			}
		}
	}
}
