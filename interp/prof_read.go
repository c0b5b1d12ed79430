package interp

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
)

// Note: the runtime's profile is a compressed message of the profile.proto that pprof documents. The library that reads all of its forms
// compiles many expressions at a program's start, which every start would wait for; what is wanted here are samples and the names of
// functions.

// profSample is how often the profiler found a stack: the names of its functions, the innermost first.
type profSample struct {
	value int64
	stack []string
}

// The numbers of the fields of profile.proto that are read, by message.
const (
	profileSample, profileLocation, profileFunction, profileString = 2, 4, 5, 6

	sampleLocation, sampleValue   = 1, 2
	locationID, locationLine      = 1, 4
	lineFunction                  = 1
	functionID, functionNameIndex = 1, 2
)

// readProfile gives the samples of a CPU profile; the value of each is the last that it has, the time.
func readProfile(raw []byte) ([]profSample, error) {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	var names []string
	var stacks [][]uint64              // of each sample, the locations
	var values []int64                 // and its value
	functions := map[uint64]uint64{}   // the index of each function's name
	locations := map[uint64][]uint64{} // the functions at each location: more than one where calls were inlined
	err = eachField(text, func(field, n uint64, b []byte) error {
		switch field {
		case profileString:
			names = append(names, string(b))
		case profileSample:
			var at, value []uint64
			if err := eachField(b, func(field, n uint64, b []byte) (err error) {
				switch field {
				case sampleLocation:
					at, err = numbers(at, n, b)
				case sampleValue:
					value, err = numbers(value, n, b)
				}
				return err
			}); err != nil {
				return err
			}
			if len(value) > 0 {
				stacks, values = append(stacks, at), append(values, int64(value[len(value)-1]))
			}
		case profileLocation:
			var id uint64
			var calls []uint64
			if err := eachField(b, func(field, n uint64, b []byte) error {
				switch field {
				case locationID:
					id = n
				case locationLine:
					return eachField(b, func(field, n uint64, _ []byte) error {
						if field == lineFunction {
							calls = append(calls, n)
						}
						return nil
					})
				}
				return nil
			}); err != nil {
				return err
			}
			locations[id] = calls
		case profileFunction:
			var id, name uint64
			if err := eachField(b, func(field, n uint64, _ []byte) error {
				switch field {
				case functionID:
					id = n
				case functionNameIndex:
					name = n
				}
				return nil
			}); err != nil {
				return err
			}
			functions[id] = name
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	samples := make([]profSample, len(stacks))
	for i, at := range stacks {
		samples[i].value = values[i]
		for _, l := range at {
			for _, f := range locations[l] {
				if name, ok := functions[f]; ok && name < uint64(len(names)) {
					samples[i].stack = append(samples[i].stack, names[name])
				}
			}
		}
	}
	return samples, nil
}

// Kinds of fields in the encoding of protocol buffers, which profile.proto is a message of.
const (
	varintField = 0
	fixed64     = 1
	bytesField  = 2
	fixed32     = 5
)

var errProfile = errors.New("this is no profile")

// eachField calls f with every field of a message: a number n, or bytes b.
func eachField(b []byte, f func(field, n uint64, b []byte) error) error {
	whole := true
	number := func() uint64 {
		n, size := binary.Uvarint(b)
		whole = whole && size > 0
		b = b[max(size, 0):]
		return n
	}
	for len(b) > 0 {
		tag := number()
		var n uint64
		var text []byte
		size := 0
		switch tag & 7 {
		case varintField:
			n = number()
		case bytesField:
			n := number()
			if n > uint64(len(b)) {
				return errProfile
			}
			text, size = b[:n:n], int(n)
		case fixed64:
			size = 8
		case fixed32:
			size = 4
		default:
			return errProfile
		}
		if !whole || tag>>3 == 0 || size > len(b) {
			return errProfile
		}
		b = b[size:]
		if err := f(tag>>3, n, text); err != nil {
			return err
		}
	}
	return nil
}

// numbers appends what a repeated field of numbers holds: one of them, or many packed into bytes.
func numbers(list []uint64, n uint64, packed []byte) ([]uint64, error) {
	if packed == nil {
		return append(list, n), nil
	}
	for len(packed) > 0 {
		n, size := binary.Uvarint(packed)
		if size <= 0 {
			return nil, errProfile
		}
		list, packed = append(list, n), packed[size:]
	}
	return list, nil
}
