package data

import (
	"fmt"
	"io"

	"gotorch/tensor"
)

const cifarPicture = 3 * 32 * 32

// CIFAR10 reads the binary version of CIFAR-10 (data_batch_1.bin and so on, test_batch.bin) from a folder: pictures
// (3, 32, 32) of float32 from 0 to 1, and classes.
func CIFAR10(dir string, train bool) Dataset {
	names := []string{"test_batch.bin"}
	if train {
		names = nil
		for i := range 5 {
			names = append(names, fmt.Sprintf("data_batch_%d.bin", i+1))
		}
	}
	return cifar("data.CIFAR10", dir, names, 1)
}

// CIFAR100 reads the binary version of CIFAR-100 (train.bin, test.bin) from a folder, with its hundred classes.
func CIFAR100(dir string, train bool) Dataset {
	if train {
		return cifar("data.CIFAR100", dir, []string{"train.bin"}, 2)
	}
	return cifar("data.CIFAR100", dir, []string{"test.bin"}, 2)
}

// cifar reads records of labels, the last of which counts, and a picture.
func cifar(op, dir string, names []string, labels int) Dataset {
	var pictures []byte
	var classes []int64
	for _, name := range names {
		path := find(op, dir, name)
		r, done := open(op, path)
		b, err := io.ReadAll(io.LimitReader(r, mostBytes))
		done()
		size := labels + cifarPicture
		if err != nil || len(b)%size != 0 || len(b) == 0 {
			panic(tensor.Errorf(op, "%s has %d bytes, which is no multiple of the %d of a picture", path, len(b), size))
		}
		for ; len(b) > 0; b = b[size:] {
			classes = append(classes, int64(b[labels-1]))
			pictures = append(pictures, b[labels:size]...)
		}
	}
	x := tensor.FromSlice(pictures).View(-1, 3, 32, 32).To(tensor.Float32).Div(255)
	return Tensors(x, tensor.FromSlice(classes))
}
