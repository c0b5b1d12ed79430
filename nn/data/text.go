package data

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// Docs is a text to learn from: the documentation of all operators, a sentence in each line.
func Docs() string {
	var b strings.Builder
	sigs := opdef.Signatures()
	for i := range sigs {
		if s := &sigs[i]; !s.IsPrivate() && s.Doc != "" {
			b.WriteString(s.Doc + "\n")
		}
	}
	return b.String()
}

// vocabulary begins the errors of a [Vocabulary].
const vocabulary = "data.Vocabulary"

// Vocabulary numbers the characters of a text.
type Vocabulary struct {
	Chars []rune
	at    map[rune]int
}

// NewVocabulary is the characters of a text, sorted.
func NewVocabulary(text string) *Vocabulary {
	there := map[rune]bool{}
	var ascii [utf8.RuneSelf]bool // faster than the map
	for _, c := range text {
		if c < utf8.RuneSelf {
			ascii[c] = true
		} else {
			there[c] = true
		}
	}
	for c, ok := range ascii {
		if ok {
			there[rune(c)] = true
		}
	}
	v := &Vocabulary{Chars: slices.Sorted(maps.Keys(there)), at: map[rune]int{}}
	for i, c := range v.Chars {
		v.at[c] = i
	}
	return v
}

// Len is the number of characters.
func (v *Vocabulary) Len() int { return len(v.Chars) }

// Encode is the numbers of a text's characters, int64. A character that is not there panics with an *Error.
func (v *Vocabulary) Encode(text string) *tensor.Tensor {
	tensor.MustFit(vocabulary, 16*float64(len(text)))
	out := make([]int64, 0, len(text))
	for _, c := range text {
		i, ok := v.at[c]
		if !ok {
			panic(tensor.Errorf(vocabulary, "the character %q is not in the vocabulary", c))
		}
		out = append(out, int64(i))
	}
	return tensor.FromSlice(out, len(out))
}

// Decode is the text of numbers.
func (v *Vocabulary) Decode(x *tensor.Tensor) string {
	var b strings.Builder
	for _, i := range tensor.Data[int64](x.To(tensor.Int64).Flatten()) {
		if i < 0 || int(i) >= len(v.Chars) {
			panic(tensor.Errorf(vocabulary, "there is no character %d among %d", i, len(v.Chars)))
		}
		b.WriteRune(v.Chars[i])
	}
	return b.String()
}

// Windows is the data set of all parts of x with that length: X is a part, Y the same part one step later.
func Windows(x *tensor.Tensor, length int) Dataset {
	const op = "data.Windows"
	if x.Dim() < 1 || length < 1 || x.Size(0) <= length {
		panic(tensor.Errorf(op, "a sequence of shape %v has no part of length %d with a step behind it", x.Shape(), length))
	}
	return Func(x.Size(0)-length, func(i int) Sample {
		return Sample{X: x.Narrow(0, i, length), Y: x.Narrow(0, i+1, length)}
	})
}
