package check

// Candidate is one way to go on at the cursor.
type Candidate struct {
	Text string // what replaces the text from Start to End of the Completion
	Type string // "func", "method", "var", "const", "type", "field", "package", "keyword", "argument"
	Sig  string // its type or signature, in the words of a cell
}

// Completion is the answer to Complete.
type Completion struct {
	Start, End int // the bytes of src that a candidate replaces
	Candidates []Candidate
}

// Complete gives what can stand at the cursor (a byte offset into src):
// members of what stands before a dot, keyword arguments inside a call, else
// live names, names of packages, of package tensor, and of Go.
func Complete(e *Env, src string, cursor int) Completion { return Completion{} }

// Description is the answer to Describe.
type Description struct {
	Name string // "Tensor.Sum"
	Kind string // as a Candidate's Type
	Sig  string // "func (x *Tensor) Sum(opts ...opt.Option) *Tensor"
	Doc  string // the documentation, if there is one
	Def  *Def   // of what a cell defined, else nil
}

// Describe says what the name at the cursor is, or the last name before it.
func Describe(e *Env, src string, cursor int) (Description, bool) { return Description{}, false }
