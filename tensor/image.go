package tensor

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"strings"

	_ "image/gif" // LoadImage reads the first picture
)

// FromImage makes a float32 tensor of shape [C, H, W] with numbers from 0 to 1 of a picture. C is 1 for grey pictures,
// 3 (red, green, blue) for opaque ones, 4 (with alpha, the colours not multiplied by it) for others.
func FromImage(img image.Image) *Tensor {
	const op = "from_image"
	if img == nil {
		panic(Errorf(op, "the image is nil"))
	}
	b := img.Bounds()
	channels := imageChannels(img)
	x := Alloc(op, []int{channels, b.Dy(), b.Dx()}, Float32, CPU)
	out, plane, at := Elems[float32](x), b.Dx()*b.Dy(), 0
	pixel := pixelReader(img)
	for row := b.Min.Y; row < b.Max.Y; row++ {
		Interrupted(op)
		for col := b.Min.X; col < b.Max.X; col++ {
			p := pixel(col, row)
			for c := range channels {
				out[c*plane+at] = float32(p[c]) / math.MaxUint16
			}
			at++
		}
	}
	runtime.KeepAlive(x)
	return x
}

func imageChannels(img image.Image) int {
	switch img.ColorModel() {
	case color.GrayModel, color.Gray16Model:
		return 1
	}
	if o, ok := img.(interface{ Opaque() bool }); ok && o.Opaque() {
		return 3
	}
	return 4
}

// pixelReader returns a function that reads a pixel: red, green, blue and alpha of 16 bits, not multiplied by alpha.
func pixelReader(img image.Image) func(x, y int) [4]uint16 {
	switch img := img.(type) {
	case *image.NRGBA:
		return func(x, y int) [4]uint16 {
			p := img.NRGBAAt(x, y)
			return [4]uint16{uint16(p.R) * 257, uint16(p.G) * 257, uint16(p.B) * 257, uint16(p.A) * 257}
		}
	case *image.Gray:
		return func(x, y int) [4]uint16 { return [4]uint16{uint16(img.GrayAt(x, y).Y) * 257} }
	}
	return func(x, y int) [4]uint16 {
		p := color.NRGBA64Model.Convert(img.At(x, y)).(color.NRGBA64)
		return [4]uint16{p.R, p.G, p.B, p.A}
	}
}

// LoadImage reads a PNG, JPEG or GIF file as [FromImage] does. A file that cannot be read or is none panics with an
// *Error.
func LoadImage(path string) *Tensor {
	const op = "load_image"
	f := OpenFile(op, path)
	defer f.Close()
	data := f.ReadAll()
	cfg, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		panic(Errorf(op, "%s: %v", path, err))
	}
	if pixels := float64(cfg.Width) * float64(cfg.Height); pixels*24 > float64(MemoryBudget()) {
		panic(Errorf(op, "%s: a picture of %d by %d does not fit into the memory budget", path, cfg.Width, cfg.Height))
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		panic(Errorf(op, "%s: %v", path, err))
	}
	return FromImage(img)
}

// ToImage makes a picture of x, of shape [H, W] or [C, H, W] with C of 1 (grey), 3 (red, green, blue) or 4 (with
// alpha): an
// *image.Gray or *image.NRGBA. Floating point numbers are cut to 0 to 1; uint8 is taken as it is; bool is black and
// white.
func (x *Tensor) ToImage() image.Image {
	const op = "to_image"
	x.onHost(op)
	shape := x.shape
	if len(shape) == 2 {
		shape = append([]int{1}, shape...)
	}
	if len(shape) != 3 || shape[0] != 1 && shape[0] != 3 && shape[0] != 4 {
		panic(Errorf(op, "a picture has shape [H, W] or [C, H, W] with 1, 3 or 4 channels, not %v", x.shape).
			WithHint("Permute(2, 0, 1) puts channels first"))
	}
	if x.dtype.IsComplex() || x.dtype.IsIntegral() && x.dtype != Uint8 {
		panic(Errorf(op, "a picture is of a floating point dtype, uint8 or bool, not %s", x.dtype).
			WithHint("x.To(tensor.Uint8), or numbers from 0 to 1"))
	}
	level := func(s Scalar) uint8 {
		switch {
		case x.dtype == Uint8:
			return uint8(s.Int())
		case s.Bool() && x.dtype == Bool:
			return 255
		case !(s.Float() > 0): // also NaN
			return 0
		}
		return uint8(math.Round(min(s.Float(), 1) * 255))
	}
	c, h, w := shape[0], shape[1], shape[2]
	MustFit(op, 4*float64(h)*float64(w))
	box := image.Rect(0, 0, w, h)
	var out image.Image
	var pix []uint8
	if c == 1 {
		g := image.NewGray(box)
		out, pix = g, g.Pix
	} else {
		n := image.NewNRGBA(box)
		out, pix = n, n.Pix
	}
	step := len(pix) / max(w*h, 1)
	if c == 3 {
		for i := 3; i < len(pix); i += 4 {
			pix[i] = 255
		}
	}
	i := 0
	for s := range x.scalars(op) { // channel by channel
		pix[i%(w*h)*step+i/(w*h)] = level(s)
		i++
	}
	return out
}

// SaveImage writes x, as [Tensor.ToImage] has it, to a PNG or JPEG file, by the end of the path.
func SaveImage(path string, x *Tensor) {
	const op = "save_image"
	img := x.ToImage()
	encode := png.Encode
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".png":
	case ".jpg", ".jpeg":
		if imageChannels(img) == 4 {
			panic(Errorf(op, "a JPEG has no alpha").WithHint("save a .png, or x.Narrow(0, 0, 3)"))
		}
		encode = func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, &jpeg.Options{Quality: 95}) }
	default:
		panic(Errorf(op, "%s: pictures are saved as .png, .jpg or .jpeg, not %q", path, ext))
	}
	create(op, path, func(w io.Writer) {
		if err := encode(w, img); err != nil {
			panic(Errorf(op, "%s: %v", path, err))
		}
	})
}
