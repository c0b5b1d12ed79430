package bytesize

import "testing"

func TestText(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0 B", 1: "1 B", 1023: "1023 B", 1024: "1 KiB", 1536: "1.5 KiB", 5400: "5.3 KiB", 1 << 20: "1 MiB",
		540 << 20: "540 MiB", 1 << 30: "1 GiB", 1.0005 * (1 << 30): "1 GiB", 3 << 40: "3 TiB", 1 << 50: "1 PiB",
		1 << 62: "4 EiB",
		1 << 80: "1048576 EiB",
	} {
		if got := Text(n); got != want {
			t.Errorf("%v bytes: %q, want %q", n, got, want)
		}
	}
	if got := Text(-1); got != "-1 B" {
		t.Errorf("-1 bytes: %q", got)
	}
}
