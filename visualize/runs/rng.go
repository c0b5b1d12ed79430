package runs

import (
	"fmt"
	"hash/crc32"
	"strings"
	"sync"
	"weak"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: random numbers. A generator's numbers follow from its seed and from how many were drawn, so that is what is
// shown: which call took which. A session writes the draws down, the last few hundred of them, as numbers and words;
// a program that is no session does not.

// RandomState is a generator, as [RNG] shows it.
type RandomState struct {
	Name      string // default, or what the user calls it
	Algorithm string
	Seed      int
	Drawn     uint64 // numbers of 32 bits since the seed
	Position  int    // the word of the state that is next, of 624
	Twists    uint64 // how often the state was made again
	Words     []string
	Checksum  string
	Cached    string `json:",omitempty"` // the other half of a pair of normals
	Logged    bool   // draws are written down
	Draws     []Draw
	Since     string `json:",omitempty"` // what happened to the state after the last of them
	More      int    // earlier draws that are not shown
}

// Draw is what one call took from a generator.
type Draw struct {
	Op       string
	Result   string // float32[2 3]
	Site     string `json:",omitempty"`
	From, To uint64 // numbers of 32 bits: From is the first, To the one behind the last
	Note     string `json:",omitempty"` // seeded again, state set
}

// keptDraws is how many draws a session remembers, shownDraws how many a view shows.
const (
	keptDraws  = 512
	shownDraws = 60
	stateWords = 624
)

// drawn is a draw with the generator that it was from.
type drawn struct {
	Draw
	seed int
	of   weak.Pointer[tensor.Generator]
}

// drawLog is the ring of the last draws.
var drawLog struct {
	sync.Mutex
	on   bool
	list []drawn
	more int
}

// LogDraws makes random operators be written down for [RNG]: operator, result, line, and how many numbers they took.
// A session calls it when it begins. The log holds the last 512 draws and no tensor.
func LogDraws() {
	drawLog.Lock()
	defer drawLog.Unlock()
	if drawLog.on {
		return
	}
	drawLog.on = true
	tensor.SetHooks(func(h *tensor.Hooks) { h.Draw = logDraw })
}

// WithDrawLog runs f with an empty log of its own.
func WithDrawLog(f func()) {
	drawLog.Lock()
	old, on := drawLog.list, drawLog.on
	drawLog.list, drawLog.on = nil, true
	drawLog.Unlock()
	tensor.SetHooks(func(h *tensor.Hooks) { h.Draw = logDraw })
	defer func() {
		tensor.SetHooks(func(h *tensor.Hooks) { h.Draw = nil })
		drawLog.Lock()
		drawLog.list, drawLog.on = old, on
		drawLog.Unlock()
	}()
	f()
}

func logDraw(c *tensor.Call, g *tensor.Generator, from, to uint64) {
	d := drawn{Draw: Draw{Op: c.Name(), From: from, To: to}, seed: g.InitialSeed(), of: weak.Make(g)}
	if len(c.Results()) > 0 && c.Ret(0) != nil {
		d.Result = draw.DtypeShape(c.Ret(0))
	}
	if s := draw.CurrentSite(); !s.IsZero() {
		if d.Site = s.String(); s.Name != "" {
			d.Site = s.Name + " @ " + d.Site
		}
	}
	drawLog.Lock()
	defer drawLog.Unlock()
	if len(drawLog.list) == keptDraws {
		drawLog.list = append(drawLog.list[:0], drawLog.list[keptDraws/4:]...)
		drawLog.more += keptDraws / 4
	}
	drawLog.list = append(drawLog.list, d)
}

// RNG shows the state of random number generators, of the default one if none is given: algorithm, seed, how many
// numbers were drawn, which call drew which (in a session), the cached half of a pair of normals, and how to get the
// same numbers again. It draws nothing.
func RNG(generators ...*tensor.Generator) *RandomView {
	if len(generators) == 0 {
		generators = []*tensor.Generator{tensor.DefaultGenerator()}
	}
	v := new(RandomView)
	for i, g := range generators {
		if g == nil {
			panic(tensor.Errorf("rng", "generator %d is nil", i))
		}
		if i < 8 {
			v.Generators = append(v.Generators, stateOf(g, i))
		} else {
			v.More++
		}
	}
	return v
}

// RandomView is one or several generators.
type RandomView struct {
	Generators []RandomState
	More       int
}

func stateOf(g *tensor.Generator, i int) RandomState {
	src := g.GetState()
	s := RandomState{Name: "default generator", Algorithm: "mt19937", Seed: g.InitialSeed(), Drawn: src.Drawn(),
		Position: src.Position()}
	if g != tensor.DefaultGenerator() {
		s.Name = "generator"
		if typed := draw.TypedTexts("RNG"); i < len(typed) {
			s.Name = draw.OneLine(typed[i], draw.MaxName)
		}
	}
	s.Twists = (s.Drawn + stateWords - 1) / stateWords
	words := src.Words()
	sum := crc32.NewIEEE()
	for k, w := range words {
		if k < 4 {
			s.Words = append(s.Words, fmt.Sprintf("%08x", w))
		}
		sum.Write([]byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)})
	}
	s.Checksum = fmt.Sprintf("%08x", sum.Sum32())
	if n, ok := src.Spare(); ok {
		s.Cached = fmt.Sprintf("%.6g", n)
	}
	s.draws(g)
	return s
}

// draws takes from the log what g gave, and notes where it was seeded or set in between.
func (s *RandomState) draws(g *tensor.Generator) {
	drawLog.Lock()
	defer drawLog.Unlock()
	s.Logged = drawLog.on
	of := weak.Make(g)
	at, seed, first := uint64(0), 0, true
	for _, d := range drawLog.list {
		if d.of != of {
			continue
		}
		switch {
		case !first && d.seed != seed, !first && d.From < at && d.From == 0:
			d.Note = fmt.Sprintf("seeded anew: ManualSeed(%d)", d.seed)
		case !first && d.From < at:
			d.Note = fmt.Sprintf("set back by %d", at-d.From)
		case !first && d.From > at:
			d.Note = fmt.Sprintf("after %d drawn by other means", d.From-at)
		}
		s.Draws = append(s.Draws, d.Draw)
		s.Draws[len(s.Draws)-1].Note = d.Note
		at, seed, first = d.To, d.seed, false
	}
	switch {
	case first:
	case s.Seed != seed || s.Drawn < at && s.Drawn == 0:
		s.Since = fmt.Sprintf("seeded anew since: ManualSeed(%d)", s.Seed)
	case s.Drawn < at:
		s.Since = fmt.Sprintf("set back by %d since", at-s.Drawn)
	case s.Drawn > at:
		s.Since = fmt.Sprintf("%d drawn by other means since", s.Drawn-at)
	}
	if n := len(s.Draws); n > shownDraws {
		s.More, s.Draws = n-shownDraws, s.Draws[n-shownDraws:]
	}
}

// rows are the lines of what the generator is.
func (s *RandomState) rows() [][2]string {
	next := fmt.Sprintf("word %d of %d is next", s.Position, stateWords)
	if s.Position == stateWords {
		next = "the state is made anew before the next"
	}
	cached := "none"
	if s.Cached != "" {
		cached = s.Cached + ", which the next single normal will be, without a draw"
	}
	call := "ManualSeed"
	if s.Name != "default generator" {
		call = s.Name + ".ManualSeed"
		if s.Name == "generator" {
			call = "g.ManualSeed"
		}
	}
	return [][2]string{
		{"seed", fmt.Sprint(s.Seed)},
		{"drawn", fmt.Sprintf("%s of 32 bits; %s; made anew %s", plural64(s.Drawn, "number"), next,
			plural64(s.Twists, "time"))},
		{"normal", cached},
		{"state", strings.Join(s.Words, " ") + fmt.Sprintf(" … %d words, checksum %s", stateWords, s.Checksum)},
		{"again", fmt.Sprintf("%s(%d), then the same calls in the same order; or GetState before and SetState after",
			call, s.Seed)},
	}
}

func plural64(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
