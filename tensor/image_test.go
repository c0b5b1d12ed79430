package tensor_test

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/tensor"
)

func TestFromImage(t *testing.T) {
	box := image.Rect(3, 5, 5, 6) // a picture that does not begin at zero
	grey, rgba, nrgba, deep := image.NewGray(box), image.NewRGBA(box), image.NewNRGBA(box), image.NewGray16(box)
	grey.SetGray(4, 5, color.Gray{51})
	deep.SetGray16(4, 5, color.Gray16{13107})
	for x := 3; x < 5; x++ {
		rgba.Set(x, 5, color.RGBA{255, 51, 0, 255})
		nrgba.Set(x, 5, color.NRGBA{255, 51, 0, 102})
	}
	for _, c := range []struct {
		img  image.Image
		want string
	}{
		{grey, "[1 1 2] [[[0 0.2]]]"}, {deep, "[1 1 2] [[[0 0.2]]]"}, {rgba, "[3 1 2] [[[1 1]] [[0.2 0.2]] [[0 0]]]"},
		{nrgba, "[4 1 2] [[[1 1]] [[0.2 0.2]] [[0 0]] [[0.4 0.4]]]"},
	} {
		x := tensor.FromImage(c.img)
		got := strings.NewReplacer("0.20000000298023224", "0.2", "0.4000000059604645", "0.4").
			Replace(fmt.Sprint(x.Shape(), x.Tolist()))
		if got != c.want || x.Dtype() != tensor.Float32 {
			t.Errorf("%T: %s %s, want %s", c.img, x.Dtype(), got, c.want)
		}
	}
}

// TestImageFiles: every level of every channel comes back from a PNG; a JPEG is near.
func TestImageFiles(t *testing.T) {
	dir := t.TempDir()
	levels := tensor.Arange(256).View(16, 16).Byte()
	for _, channels := range []int{1, 3, 4} {
		planes := make([]*tensor.Tensor, channels)
		for i := range planes {
			planes[i] = levels.Roll(i*37, 0)
		}
		x := tensor.Stack(planes)
		path := filepath.Join(dir, fmt.Sprint(channels, ".png"))
		tensor.SaveImage(path, x)
		y := tensor.LoadImage(path)
		if got := y.Mul(255).Round().Byte(); !got.Equal(x) {
			t.Errorf("%d channels: a picture of bytes changed", channels)
		}
		tensor.SaveImage(path, y)
		if !tensor.LoadImage(path).Equal(y) {
			t.Errorf("%d channels: a picture of floats changed", channels)
		}
	}
	grey := tensor.Full([]int{16, 16}, 0.5)
	tensor.SaveImage(filepath.Join(dir, "x.jpg"), grey)
	y := tensor.LoadImage(filepath.Join(dir, "x.jpg"))
	if y.Dim() != 3 || y.Size(0) != 1 || y.At(0, 3, 3).(float64) < 0.48 || y.At(0, 3, 3).(float64) > 0.52 {
		t.Errorf("a JPEG: %v, %v", y.Shape(), y.At(0, 3, 3))
	}
}

func TestToImage(t *testing.T) {
	img := tensor.New([][]float64{{-1, 0.5, 2}}).ToImage().(*image.Gray)
	if img.Bounds() != image.Rect(0, 0, 3, 1) || img.Pix[0] != 0 || img.Pix[1] != 128 || img.Pix[2] != 255 {
		t.Errorf("%v %v", img.Bounds(), img.Pix)
	}
	if img := tensor.New([][]bool{{true, false}}).ToImage().(*image.Gray); img.Pix[0] != 255 || img.Pix[1] != 0 {
		t.Errorf("%v", img.Pix)
	}
	x := tensor.Arange(12).View(2, 2, 3).Byte().Permute(2, 0, 1) // channels last in memory
	if c := x.ToImage().At(1, 1); c != (color.NRGBA{9, 10, 11, 255}) {
		t.Errorf("%v", c)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "no.png"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, f := range []func(){
		func() { tensor.Zeros(2).ToImage() }, func() { tensor.Zeros(2, 3, 3).ToImage() },
		func() { tensor.Arange(4).View(2, 2).ToImage() },
		func() {
			tensor.With(tensor.Meta).Zeros(2, 2).ToImage()
		}, func() { tensor.SaveImage(filepath.Join(dir, "x.bmp"), tensor.Zeros(2, 2)) },
		func() {
			tensor.SaveImage(filepath.Join(dir, "x.jpg"), tensor.Zeros(4, 2, 2))
		}, func() { tensor.LoadImage(filepath.Join(dir, "no.png")) },
		func() { tensor.LoadImage(filepath.Join(dir, "none.png")) }, func() { tensor.FromImage(nil) },
	} {
		if tensor.Try(f) == nil {
			t.Errorf("%d: no error", i)
		}
	}
}
