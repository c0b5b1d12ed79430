package tensor

// Bodies of the short-time Fourier transform and its inverse.

func init() { composites(map[string]Kernel{"stft": stft, "istft": istft}) }

// shortTime is what stft and istft have in common: arguments n_fft, hop_length, win_length and window.
type shortTime struct {
	size, hop, length int
	window            *Tensor // of size elements, nil for ones
}

// shortTimeArgs reads the arguments from slots 1 to 4; like is a real tensor of the device of the window.
func shortTimeArgs(c *Call, like *Tensor) shortTime {
	s := shortTime{size: c.Int(1), window: c.Tensor(4)}
	s.hop, s.length = s.size/4, s.size
	if !c.IsNone(2) {
		s.hop = c.Int(2)
	}
	if !c.IsNone(3) {
		s.length = c.Int(3)
	}
	switch {
	case s.hop <= 0:
		panic(Errorf(c.Name(), "expected hop_length > 0, but got %d", s.hop).OnArg("hop_length"))
	case s.length <= 0 || s.length > s.size:
		panic(Errorf(c.Name(), "expected 0 < win_length <= n_fft, but got win_length=%d and n_fft=%d", s.length, s.size).
			OnArg("win_length"))
	case s.window != nil && (len(s.window.shape) != 1 || s.window.shape[0] != s.length):
		panic(Errorf(c.Name(), "expected a 1D window of win_length=%d elements, but got shape %v", s.length,
			s.window.shape).OnArg("window"))
	}
	if s.length < s.size {
		if s.window == nil {
			s.window = With(like.dtype.ToReal(), like.Device()).Ones(s.length)
		}
		left := (s.size - s.length) / 2
		s.window = Pad(s.window, []int{left, s.size - s.length - left})
	}
	return s
}

// normalization is that of the transform of each window.
func (s shortTime) normalization(normalized bool, otherwise int) int {
	if normalized {
		return normByRoot
	}
	return otherwise
}

func stft(c *Call) {
	x := c.Tensor(0)
	if !x.dtype.IsDifferentiable() {
		panic(Errorf(c.Name(), "expected a tensor of floating point or complex values, got %s", x.dtype).
			WithHint("Float() it first"))
	}
	if n := len(x.shape); n != 1 && n != 2 {
		panic(Errorf(c.Name(), "expected a signal (1D) or a batch of them (2D), got shape %v", x.shape).OnArg("self"))
	}
	complexResult := x.dtype.IsComplex() || c.Tensor(4) != nil && c.Tensor(4).dtype.IsComplex()
	if !c.IsNone(9) {
		complexResult = c.Bool(9)
	}
	if len(x.shape) == 1 {
		x = x.Unsqueeze(0)
	}
	if c.Bool(5) {
		side := c.Int(1) / 2
		x = Pad(x.Unsqueeze(0), []int{side, side}, NewOption("mode", c.Str(6))).Squeeze(0)
	}
	if n := c.Int(1); n <= 0 || n > x.shape[1] {
		panic(Errorf(c.Name(), "expected 0 < n_fft <= %d, the length of the signal, but got n_fft=%d", x.shape[1], n).
			OnArg("n_fft"))
	}
	s := shortTimeArgs(c, x)
	frames := x.Unfold(1, s.size, s.hop)
	if s.window != nil {
		frames = frames.Mul(s.window)
	}
	norm := s.normalization(c.Bool(7), normNone)
	onesided := !frames.dtype.IsComplex()
	if !c.IsNone(8) {
		onesided = c.Bool(8)
	}
	var y *Tensor
	if frames.dtype.IsComplex() {
		if onesided {
			panic(Errorf(c.Name(), "cannot have onesided output if window or input is complex").OnArg("onesided"))
		}
		y = callFftC2c(frames, []int{2}, norm, true)
	} else {
		y = callFftR2c(frames, []int{2}, norm, onesided)
	}
	y = y.Transpose(1, 2)
	if len(c.Tensor(0).shape) == 1 {
		y = y.Squeeze(0)
	}
	if !complexResult {
		y = ViewAsReal(y)
	}
	c.Return(y)
}

func istft(c *Call) {
	x, complexResult := c.Tensor(0), c.Bool(9)
	if !x.dtype.IsComplex() {
		if n := len(x.shape); n == 0 || x.shape[n-1] != 2 {
			panic(Errorf(c.Name(), "expected a complex tensor, or one whose last dimension is 2 for real and imaginary "+
				"parts, got %s of shape %v", x.dtype, x.shape).OnArg("self"))
		}
		x = ViewAsComplex(x.Contiguous())
	}
	dims := len(x.shape)
	if dims != 2 && dims != 3 || x.numel == 0 {
		panic(Errorf(c.Name(), "expected frequencies by frames, or a batch of them, of at least one element, got shape %v",
			x.shape).OnArg("self"))
	}
	if dims == 2 {
		x = x.Unsqueeze(0)
	}
	s := shortTimeArgs(c, x)
	if s.hop > s.length {
		panic(Errorf(c.Name(), "expected 0 < hop_length <= win_length, but got %d and %d", s.hop, s.length).
			OnArg("hop_length"))
	}
	frequencies, frames := x.shape[1], x.shape[2]
	onesided := frequencies != s.size
	if !c.IsNone(7) {
		onesided = c.Bool(7)
	}
	want, kind := s.size, "n_fft"
	if onesided {
		want, kind = s.size/2+1, "n_fft / 2 + 1"
	}
	switch {
	case frequencies != want:
		panic(Errorf(c.Name(), "expected the frequency dimension to match %s (%d) when onesided is %v, but got %d", kind,
			want, onesided, frequencies))
	case complexResult && onesided:
		panic(Errorf(c.Name(), "a onesided transform is that of a real signal: return_complex needs all frequencies").
			OnArg("return_complex"))
	case !complexResult && s.window != nil && s.window.dtype.IsComplex():
		panic(Errorf(c.Name(), "complex windows are incompatible with return_complex=false").OnArg("window"))
	}
	x = x.Transpose(1, 2)
	norm := s.normalization(c.Bool(6), normByCount)
	var y *Tensor
	if complexResult {
		y = callFftC2c(x, []int{2}, norm, false)
	} else {
		y = callFftC2r(x.Narrow(2, 0, s.size/2+1), []int{2}, norm, s.size)
	}
	window := s.window
	if window == nil {
		window = With(y.dtype.ToReal(), y.Device()).Ones(s.size)
	}
	whole := s.size + s.hop*(frames-1)
	on := With(Int64, y.Device())
	places := on.Arange(frames).Mul(s.hop).Unsqueeze(1).Add(on.Arange(s.size)).Flatten()
	// add puts the windows back to where they were cut.
	add := func(t *Tensor) *Tensor {
		return With(t.dtype, t.Device()).Zeros(t.shape[0], whole).IndexAdd(1, places, t.Reshape(t.shape[0], -1))
	}
	y = add(y.Mul(window))
	weight := add(window.Mul(window).Expand(1, frames, s.size))
	from, to := 0, whole
	if c.Bool(5) {
		from, to = s.size/2, whole-s.size/2
	}
	if !c.IsNone(8) {
		to = from + c.Int(8)
	}
	if min(to, whole) <= from {
		panic(Errorf(c.Name(), "no element of the signal is left: %d frames and n_fft=%d make %d, of which %d to %d are "+
			"asked for", frames, s.size, whole, from, to))
	}
	y, weight = y.Slice(optDim(1), optStart(from), optEnd(min(to, whole))), weight.Slice(optDim(1), optStart(from),
		optEnd(min(to, whole)))
	if weight.Device() != Meta && weight.Abs().Lt(1e-11).Any().ItemBool() {
		panic(Errorf(c.Name(), "the windows leave places of the signal out, where their sum is 0: a window without zeros, "+
			"or a smaller hop_length, covers them"))
	}
	y = y.Div(weight)
	if to > whole {
		y = Pad(y, []int{0, to - whole})
	}
	if dims == 2 {
		y = y.Squeeze(0)
	}
	c.Return(y)
}
