//go:build breach

package exportdata

import (
	"go/token"
	"go/types"
)

// With the tag breach cells may import syscall, of which package symbols has these functions.
func init() {
	pkg := types.NewPackage("syscall", "syscall")
	failure := types.Universe.Lookup("error").Type()
	number, text := types.Typ[types.Int], types.Typ[types.String]
	mode := types.Typ[types.Uint32]
	add := func(name string, results []types.Type, params ...types.Type) {
		tuple := func(ts []types.Type) *types.Tuple {
			var vs []*types.Var
			for _, t := range ts {
				vs = append(vs, types.NewParam(token.NoPos, pkg, "", t))
			}
			return types.NewTuple(vs...)
		}
		sig := types.NewSignatureType(nil, nil, nil, tuple(params), tuple(results), false)
		pkg.Scope().Insert(types.NewFunc(token.NoPos, pkg, name, sig))
	}
	only, with := []types.Type{failure}, []types.Type{number, failure}
	add("Open", with, text, number, mode)
	add("Creat", with, text, mode)
	add("Write", with, number, types.NewSlice(types.Universe.Lookup("byte").Type()))
	add("Close", only, number)
	for _, name := range []string{"Unlink", "Chdir", "Chroot"} {
		add(name, only, text)
	}
	for _, name := range []string{"Rename", "Symlink", "Link"} {
		add(name, only, text, text)
	}
	for _, name := range []string{"Mkdir", "Chmod", "Mkfifo"} {
		add(name, only, text, mode)
	}
	add("Fchmod", only, number, mode)
	add("Truncate", only, text, types.Typ[types.Int64])
	add("Socket", with, number, number, number)
	add("Mount", only, text, text, text, types.Typ[types.Uintptr], text)
	add("Exec", only, text, types.NewSlice(text), types.NewSlice(text))
	add("StartProcess", with, text, types.NewSlice(text))
	add("Syscall", with, number, number, number, number)
	add("AllThreadsSyscall", with, number, number, number, number)
	pkg.MarkComplete()
	more["syscall"] = pkg
}
