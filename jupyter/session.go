package jupyter

import (
	"cmp"
	"context"
	"io"
)

// A Session runs cells and answers questions about code. The kernel calls Execute and Evaluate from
// one goroutine at a time. Complete, Inspect and IsComplete may be called while a cell runs, so they
// must not wait for it.
//
// A panic out of any method is shown as an error of that request; the kernel lives on.
type Session interface {
	// Info says what the session's language is. It is called once, before any other method.
	Info() Info

	// Execute runs one cell and returns nil, or how it failed. When ctx is cancelled (the user
	// interrupted the kernel) it stops soon and returns a Failure; names and values stay. out
	// may be kept: what a goroutine writes after the cell returned is shown under that cell.
	Execute(ctx context.Context, cell Cell, out Output) *Failure

	// Evaluate returns the value of one expression (a user_expression of an execute request) without
	// counting it as a cell.
	Evaluate(ctx context.Context, expr string) (Bundle, *Failure)

	// Complete lists what may stand at cursor, counted in code points and never outside code.
	Complete(ctx context.Context, code string, cursor int) Completion

	// Inspect describes what stands at cursor (code points, never outside code). detail is 0 for
	// help (a single ?) and 1 for source too (??). It returns false when nothing is known.
	Inspect(ctx context.Context, code string, cursor, detail int) (Bundle, bool)

	// IsComplete reports whether Enter would run code or begin another line, which is then to be indented by indent.
	IsComplete(code string) (status Completeness, indent string)
}

// A Cell is what the user asks to run.
type Cell struct {
	Code string

	// Count is the number of the cell, In[Count]. The kernel counts, from 1; a silent cell and one
	// that is not stored carry the number that the next cell will have.
	Count int

	// Silent asks for a cell that shows no result and leaves no trace in In and Out.
	Silent bool

	// Store is false when the cell must not be put into the history (In and Out); its results
	// are shown all the same.
	Store bool
}

// An Output is where one cell's output goes. Its methods may be called from any goroutine, also
// after the cell ended, save Input, Page, SetNextInput and Exit, which do nothing then.
type Output interface {
	// Stdout and Stderr are the cell's streams. Writes are gathered and sent together, in order.
	Stdout() io.Writer
	Stderr() io.Writer

	// Result shows the value of the cell (execute_result). A silent cell shows none.
	Result(b Bundle)

	// Display shows b. A non-empty id names the display, so that Update can change it.
	Display(id string, b Bundle)

	// Update replaces what the displays named id show, whichever cell made them.
	Update(id string, b Bundle)

	// Clear removes the output of the cell, at once or (wait) when the next output comes.
	Clear(wait bool)

	// Comm sends a message of a comm to the front ends. It fails when the comm is not open.
	Comm(m CommMessage) error

	// Fail shows an error that is not the cell's own end: that of what a widget called, of a goroutine.
	Fail(f *Failure)

	// Input asks the user for a line, in secret if password is true. It returns an error that wraps
	// ErrNoInput when the client takes no questions, io.EOF when the user says that there is no more (Ctrl-D),
	// or ctx's error once the cell is interrupted.
	Input(ctx context.Context, prompt string, password bool) (string, error)

	// Page shows b beside the notebook (a help page), through the reply's payload.
	Page(b Bundle)

	// SetNextInput offers text as the next cell, or in place of this one if replace is true.
	SetNextInput(text string, replace bool)

	// Exit ends the kernel when the cell has been answered, and asks a front end that was started for it to leave too.
	Exit()
}

// A Bundle is one value in several representations, by MIME type. text/plain must be among them.
// A value of Data is a string, a []byte (sent as base64, or as text where the type is text), or
// anything that encoding/json takes (for application/json and its kin).
type Bundle struct {
	Data     map[string]any
	Metadata map[string]any
}

// Text is a bundle of plain text alone.
func Text(s string) Bundle { return Bundle{Data: map[string]any{"text/plain": s}} }

// A Failure says how a cell failed.
type Failure struct {
	Name      string   // the kind of error, "ename"
	Value     string   // what it says, "evalue"
	Traceback []string // lines for the user, which may hold ANSI colours; made of Name and Value if empty
	After     []Bundle // shown beneath the error
}

// A Completion replaces the code points [Start, End) of the code by one of Matches.
type Completion struct {
	Start, End int
	Matches    []Match
	Metadata   map[string]any // sent along; may be nil
}

// A Match is one way to complete.
type Match struct {
	Text      string // what is put in
	Type      string // function, method, variable, type, package, keyword, …; may be empty
	Signature string // of a function; may be empty
}

// Completeness is the verdict of IsComplete.
type Completeness string

// The verdicts of IsComplete.
const (
	Complete   Completeness = "complete"
	Incomplete Completeness = "incomplete"
	Invalid    Completeness = "invalid"
	Unknown    Completeness = "unknown"
)

// Info describes a session, for kernel_info_reply.
type Info struct {
	Implementation        string // the kernel's name
	ImplementationVersion string
	Language              Language
	Banner                string
	HelpLinks             []HelpLink
}

// Language is what a front end must know to show and save code.
type Language struct {
	Name              string // "go"
	Version           string
	MimeType          string // "text/x-go"
	FileExtension     string // ".go"
	PygmentsLexer     string // empty means Name
	CodeMirrorMode    any    // a string or an object; nil means Name
	NBConvertExporter string // empty means "script"
}

// Info is the language_info of a kernel_info_reply.
func (l Language) Info() map[string]any {
	mode := l.CodeMirrorMode
	if mode == nil {
		mode = l.Name
	}
	return map[string]any{
		"name": l.Name, "version": l.Version, "mimetype": l.MimeType, "file_extension": l.FileExtension,
		"pygments_lexer": cmp.Or(l.PygmentsLexer, l.Name), "codemirror_mode": mode,
		"nbconvert_exporter": cmp.Or(l.NBConvertExporter, "script"),
	}
}

// A HelpLink is an entry of the front end's Help menu.
type HelpLink struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}
