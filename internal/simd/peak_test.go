package simd

import "testing"

func TestFMAFloat32(t *testing.T) {
	eachLevel(t, func(t *testing.T, _ Level) {
		one := FMAFloat32(1)
		if one <= 0 || one%16 != 0 {
			t.Errorf("one round is %d operations", one)
		}
		if got := FMAFloat32(1000); got != 1000*one {
			t.Errorf("1000 rounds are %d operations, one is %d", got, one)
		}
		if got := FMAFloat32(0); got != 0 {
			t.Errorf("no round is %d operations", got)
		}
	})
}

func BenchmarkFMAFloat32(b *testing.B) {
	flops := 0
	for b.Loop() {
		flops += FMAFloat32(1000)
	}
	b.ReportMetric(float64(flops)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
