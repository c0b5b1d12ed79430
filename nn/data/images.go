package data

import (
	"image"
	_ "image/gif"  // formats of pictures
	_ "image/jpeg" // formats of pictures
	_ "image/png"  // formats of pictures
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gotorch/tensor"
)

// mostPixels is how many pixels a picture may have.
const mostPixels = 1 << 26

// Images is a data set of pictures in folders: each folder is a class, in the order of the names. A picture is
// (3, height, width) of float32 from 0 to 1, read when it is asked for.
type Images struct {
	Classes []string
	Paths   []string
	Labels  []int
}

// ImageFolder lists the pictures (.png, .jpg, .jpeg, .gif) in the folders of root.
func ImageFolder(root string) *Images {
	const op = "data.ImageFolder"
	dirs, err := os.ReadDir(root)
	if err != nil {
		panic(tensor.Errorf(op, "%v", err))
	}
	m := &Images{}
	for _, d := range dirs {
		if !d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			continue
		}
		files, err := os.ReadDir(filepath.Join(root, d.Name()))
		if err != nil {
			panic(tensor.Errorf(op, "%v", err))
		}
		for _, f := range files {
			if slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif"}, strings.ToLower(filepath.Ext(f.Name()))) {
				m.Paths = append(m.Paths, filepath.Join(root, d.Name(), f.Name()))
				m.Labels = append(m.Labels, len(m.Classes))
			}
		}
		m.Classes = append(m.Classes, d.Name())
	}
	if len(m.Paths) == 0 {
		panic(tensor.Errorf(op, "%s has no folders with pictures", root).WithHint("each folder is a class"))
	}
	return m
}

// Len is the number of pictures.
func (m *Images) Len() int { return len(m.Paths) }

// At reads a picture and its class.
func (m *Images) At(i int) Sample {
	checkIndex("data.ImageFolder", i, len(m.Paths))
	return Sample{X: Image(m.Paths[i]), Y: tensor.New(m.Labels[i])}
}

// Image reads a picture: (3, height, width) of float32 from 0 to 1.
func Image(path string) *tensor.Tensor {
	const op = "data.Image"
	f := tensor.OpenFile(op, path)
	defer f.Close()
	c, _, err := image.DecodeConfig(f)
	if err != nil {
		panic(tensor.Errorf(op, "%s: %v", path, err))
	}
	if c.Width <= 0 || c.Height <= 0 || c.Width > mostPixels/c.Height {
		panic(tensor.Errorf(op, "%s says that it has %d by %d pixels", path, c.Width, c.Height))
	}
	f.Rewind()
	p, _, err := image.Decode(f)
	if err != nil {
		panic(tensor.Errorf(op, "%s: %v", path, err))
	}
	b := p.Bounds()
	h, w := b.Dy(), b.Dx()
	out := make([]float32, 3*h*w)
	for y := range h {
		for x := range w {
			r, g, bl, _ := p.At(b.Min.X+x, b.Min.Y+y).RGBA()
			for k, v := range [3]uint32{r, g, bl} {
				out[(k*h+y)*w+x] = float32(v) / 65535
			}
		}
	}
	return tensor.FromSlice(out, 3, h, w)
}
