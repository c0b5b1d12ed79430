// Package check finds out what a cell means: it runs go/types over it together
// with what earlier cells left, resolves the tensor syntax by the types it
// finds, and hands on plain Go.
//
// [Env] is what holds between cells, [Check] is the work, [Checked] its result.
// Check changes nothing in the Env; [Env.Commit] does, when the cell is to
// count.
package check

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"gotorch/interp/syntax"
	"gotorch/tensor/opdef"
)

// Kind is the kind of thing that a name at the top level of a cell stands for.
type Kind uint8

const (
	Var Kind = iota
	Func
	Type
	Const
)

func (k Kind) String() string { return [...]string{"var", "func", "type", "const"}[k] }

// Def is one definition of a name at the top level of a cell. A later cell
// that defines the name again makes another Def; this one stays what earlier
// cells mean.
type Def struct {
	Name string
	Kind Kind
	Cell string         // the cell that made it, "In[3]"
	Pos  token.Pos      // where
	Obj  types.Object   // as the check of that cell saw it
	Val  constant.Value // of a Const

	// Prev is the definition that was live under this name when the cell was
	// checked, or nil.
	Prev *Def

	// Engine belongs to package lower: what the engine knows the definition by.
	Engine any

	stub stub // how later checks declare it
}

// Type is the type as the check of the defining cell saw it. Types that cells
// define have another identity in each check; see [Checked.Def].
func (d *Def) Type() types.Type { return d.Obj.Type() }

// CellName is the name of a cell as the user knows it: In[3] of the file In[3]·17, the third text with that name.
func CellName(file string) string {
	name, _, _ := strings.Cut(file, "·")
	return name
}

// Method is a method that a cell declares, on a type of its own or of an
// earlier cell.
type Method struct {
	Recv *Def
	Decl *ast.FuncDecl
	Obj  *types.Func
}

// Import is a package that a cell uses or imports.
type Import struct {
	Name string // as it is written in the cell; "." and "_" in NewImports
	Path string
	Pkg  *types.Package
}

// Checked is a cell that may run: plain Go with types.
//
// The trees hold no tensor form, no bare name of package tensor and no name of
// a dot import: those are selectors on hidden package names, such as tensor·,
// that nobody can type or shadow. Every identifier that stands for a package
// has a *types.PkgName in Info.Uses, whatever it is called. The trees belong to
// the caller; [Checked.Go] must be called before they are changed.
//
// Nodes stand where the text they came from stands.
type Checked struct {
	Cell *syntax.Cell
	Fset *token.FileSet

	Decls []ast.Decl // func, method, type and const declarations, in order
	Stmts []ast.Stmt // statements, var declarations among them
	Show  []ast.Expr // what the cell ends with; may have several values or none (a call)
	Quiet bool       // do not show

	Info *types.Info
	Pkg  *types.Package

	Defs       []*Def    // names that the cell defines, in order of the text (but no _)
	Methods    []*Method // methods that it declares
	Used       []Import  // packages that the trees refer to, sorted by path, each once
	NewImports []Import  // what the cell itself imports

	// Files are those of a package, whose Cell is nil.
	Files []*Source

	defs     map[types.Object]*Def
	packages func(types.Object) *Def // definitions of packages from disk; may be nil
	declared []*opdef.Sig            // operators that it defines
}

// Def returns the definition that an object stands for: a new one of this cell,
// a live one of an earlier cell, that of a package from disk, or nil for what is
// local, universal, or of a package of the host. It also takes the TypeName that a *types.Named or *types.Alias of
// this check refers to.
//
// A variable may have two objects in a check: that of the statement which
// declares it, and another in functions of the same cell that use it. Both
// give the same Def.
func (c *Checked) Def(o types.Object) *Def {
	d := c.defs[o]
	if d == nil && c.packages != nil && o != nil && o.Pkg() != nil && o.Pkg() != c.Pkg {
		d = c.packages(o)
	}
	return d
}

// Done empties the scopes of the cell's package and files once the cell has been committed and run. Each definition
// holds them; with what is in them it would hold the definitions that the cell mentioned, the packages of those, and
// so on back to the first.
func (c *Checked) Done() {
	s := c.Pkg.Scope()
	for i := range s.NumChildren() {
		empty(s.Child(i))
	}
	empty(s)
}

func empty(s *types.Scope) { *s = *types.NewScope(nil, token.NoPos, token.NoPos, "") }

// Check finds out what a cell means. It does not change env. Several things
// that are wrong are reported at once; then Checked is nil. It takes the trees
// of cell, which can be checked once only.
func Check(env *Env, cell *syntax.Cell) (*Checked, syntax.Diagnostics) {
	return newUnit(env, cell).check()
}
