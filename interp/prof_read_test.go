package interp

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"reflect"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"
)

// message writes fields: numbers, texts, packed numbers and messages.
func message(fields ...any) (b []byte) {
	for i := 0; i < len(fields); i += 2 {
		tag := uint64(fields[i].(int)) << 3
		put := func(v []byte) {
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, tag|bytesField), uint64(len(v))), v...)
		}
		switch v := fields[i+1].(type) {
		case int:
			b = binary.AppendUvarint(binary.AppendUvarint(b, tag), uint64(v))
		case string:
			put([]byte(v))
		case []byte:
			put(v)
		case []int:
			var packed []byte
			for _, x := range v {
				packed = binary.AppendUvarint(packed, uint64(x))
			}
			put(packed)
		}
	}
	return b
}

func compressed(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func TestReadProfile(t *testing.T) {
	p := message(
		2, message(1, []int{7, 8}, 2, []int{1, 10}), 2, message(1, 8, 2, 2, 2, 20, 3, message(1, 1)), // packed, and one by one with a label
		4, message(1, 7, 3, 4096, 4, message(1, 1, 2, 12), 4, message(1, 2)), 4, message(1, 8, 4, message(1, 3)), // the first is inlined
		5, message(1, 1, 2, 1), 5, message(1, 2, 2, 2, 4, 3), 5, message(1, 3, 2, 3),
		6, "", 6, "a", 6, "b", 6, "main", 9, 1234)
	got, err := readProfile(compressed(p))
	if want := []profSample{{10, []string{"a", "b", "main"}}, {20, []string{"main"}}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for _, n := range []int{1, len(p) / 3, len(p) - 1} {
		if _, err := readProfile(compressed(p[:n])); err == nil {
			t.Errorf("the first %d bytes are read", n)
		}
	}
	if _, err := readProfile(p); err == nil {
		t.Error("a profile that is not compressed is read")
	}
}

// TestReadRuntimeProfile: the runtime writes what is read here.
func TestReadRuntimeProfile(t *testing.T) {
	var raw bytes.Buffer
	if err := pprof.StartCPUProfile(&raw); err != nil {
		t.Skip(err)
	}
	n := 0
	for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); {
		for range 10000 {
			n++
		}
	}
	pprof.StopCPUProfile()
	samples, err := readProfile(raw.Bytes())
	if err != nil || len(samples) == 0 {
		t.Fatalf("%d samples, %v", len(samples), err)
	}
	if !slices.ContainsFunc(samples, func(s profSample) bool {
		return s.value > 0 && slices.ContainsFunc(s.stack, func(f string) bool { return strings.HasSuffix(f, ".TestReadRuntimeProfile") })
	}) {
		t.Errorf("no sample is of the function that ran: %v", samples)
	}
}
