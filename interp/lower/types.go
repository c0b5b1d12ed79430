package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"weak"
)

// in replaces the type parameters of the unit's instance.
func (k *cell) in(u *unit, t types.Type) types.Type {
	if len(u.subst) == 0 || t == nil {
		return t
	}
	return k.replace(u, t)
}

func (k *cell) replace(u *unit, t types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		if r := u.subst[t]; r != nil {
			return r
		}
	case *types.Alias:
		return k.replace(u, types.Unalias(t))
	case *types.Pointer:
		return types.NewPointer(k.replace(u, t.Elem()))
	case *types.Slice:
		return types.NewSlice(k.replace(u, t.Elem()))
	case *types.Array:
		return types.NewArray(k.replace(u, t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(k.replace(u, t.Key()), k.replace(u, t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), k.replace(u, t.Elem()))
	case *types.Tuple:
		return k.replaceTuple(u, t)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, k.replaceTuple(u, t.Params()), k.replaceTuple(u, t.Results()),
			t.Variadic())
	case *types.Struct:
		fields, tags := make([]*types.Var, t.NumFields()), make([]string, t.NumFields())
		for i := range fields {
			f := t.Field(i)
			fields[i], tags[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), k.replace(u, f.Type()), f.Embedded()),
				t.Tag(i)
		}
		return types.NewStruct(fields, tags)
	case *types.Interface:
		if t.NumMethods() == 0 {
			return t
		}
		var ms []*types.Func
		for i := range t.NumMethods() {
			m := t.Method(i)
			ms = append(ms, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), k.replace(u, m.Type()).(*types.Signature)))
		}
		return types.NewInterfaceType(ms, nil).Complete()
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return k.localType(u, t)
		}
		args := make([]types.Type, t.TypeArgs().Len())
		for i := range args {
			args[i] = k.replace(u, t.TypeArgs().At(i))
		}
		r, err := types.Instantiate(k.ctx, t.Origin(), args, false)
		if err != nil {
			panic(err)
		}
		return r
	}
	return t
}

// localType is a type that the unit's generic function declares, as its instance has it: another type for each.
func (k *cell) localType(u *unit, t *types.Named) types.Type {
	o := t.Obj()
	if o.Pos() < u.from || o.Pos() >= u.to || o.Pkg() == nil || o.Parent() == nil || o.Parent() == o.Pkg().Scope() {
		return t
	}
	id := localType{o, u.tag}
	if n := k.ofInstances[id]; n != nil {
		return n
	}
	n := types.NewNamed(types.NewTypeName(o.Pos(), o.Pkg(), o.Name(), nil), nil, nil)
	k.ofInstances[id] = n
	n.SetUnderlying(k.replace(u, t.Underlying()))
	return n
}

// localType names a type of a generic function's instance.
type localType struct {
	of  *types.TypeName
	tag string
}

func (k *cell) replaceTuple(u *unit, t *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		v := t.At(i)
		vars[i] = types.NewParam(v.Pos(), v.Pkg(), v.Name(), k.replace(u, v.Type()))
	}
	return types.NewTuple(vars...)
}

// number of a type that cells declare; ok is false for those of packages.
func (k *cell) declared(u *unit, n *types.Named) (name string, id int, ok bool) {
	o := n.Origin().Obj()
	if d := u.def(o); d != nil {
		s := k.symbol(d)
		return s.Name, s.ID, true
	}
	if o.Pkg() == nil || o.Parent() == o.Pkg().Scope() {
		return "", 0, false
	}
	local := weak.Make(o)
	if k.locals[local] == 0 { // declared inside a function
		_, k.locals[local] = k.number(o.Name())
	}
	return fmt.Sprintf("%s·%d", o.Name(), k.locals[local]), k.locals[local], true
}

// key of a type: identical types, and only they, have equal keys, whatever
// check they come from. For host types it is what rt.ReflectKey gives.
func (k *cell) key(u *unit, t types.Type) string {
	var b strings.Builder
	k.writeKey(&b, u, t)
	return b.String()
}

func (k *cell) writeKey(b *strings.Builder, u *unit, t types.Type) {
	switch t := types.Unalias(k.in(u, t)).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			b.WriteString("unsafe.Pointer")
			return
		}
		b.WriteString(basicName(t))
	case *types.Pointer:
		b.WriteByte('*')
		k.writeKey(b, u, t.Elem())
	case *types.Slice:
		b.WriteString("[]")
		k.writeKey(b, u, t.Elem())
	case *types.Array:
		b.WriteString("[" + strconv.FormatInt(t.Len(), 10) + "]")
		k.writeKey(b, u, t.Elem())
	case *types.Map:
		b.WriteString("map[")
		k.writeKey(b, u, t.Key())
		b.WriteByte(']')
		k.writeKey(b, u, t.Elem())
	case *types.Chan:
		b.WriteString(map[types.ChanDir]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ",
			types.RecvOnly: "<-chan "}[t.Dir()])
		k.writeKey(b, u, t.Elem())
	case *types.Signature:
		b.WriteString("func")
		k.writeSigKey(b, u, t)
	case *types.Struct:
		b.WriteString("struct{")
		for i := range t.NumFields() {
			f := t.Field(i)
			fmt.Fprintf(b, "%s %t %q ", f.Name(), f.Embedded(), t.Tag(i))
			k.writeKey(b, u, f.Type())
			b.WriteByte(';')
		}
		b.WriteByte('}')
	case *types.Interface:
		b.WriteString("interface{")
		for i := range t.NumMethods() {
			b.WriteString(t.Method(i).Name())
			k.writeSigKey(b, u, t.Method(i).Type().(*types.Signature))
			b.WriteByte(';')
		}
		b.WriteByte('}')
	case *types.Named:
		o := t.Obj()
		switch _, id, ok := k.declared(u, t); {
		case ok:
			fmt.Fprintf(b, "%s#%d", o.Name(), id)
		case o.Pkg() != nil:
			b.WriteString(o.Pkg().Path() + "." + o.Name())
		default:
			b.WriteString(o.Name())
		}
		if t.TypeArgs().Len() > 0 {
			b.WriteString(k.argsKey(u, t.TypeArgs()))
		}
	case *types.TypeParam:
		b.WriteString("$" + t.Obj().Name())
	default:
		b.WriteString(t.String())
	}
}

func (k *cell) argsKey(u *unit, args *types.TypeList) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := range args.Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		k.writeKey(&b, u, args.At(i))
	}
	b.WriteByte(']')
	return b.String()
}

func (k *cell) writeSigKey(b *strings.Builder, u *unit, s *types.Signature) {
	b.WriteByte('(')
	for i := range s.Params().Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		t := s.Params().At(i).Type()
		if s.Variadic() && i == s.Params().Len()-1 {
			b.WriteString("...")
			if sl, ok := k.in(u, t).Underlying().(*types.Slice); ok {
				t = sl.Elem()
			}
		}
		k.writeKey(b, u, t)
	}
	b.WriteByte(')')
	if s.Results().Len() > 0 {
		b.WriteByte('(')
		for i := range s.Results().Len() {
			if i > 0 {
				b.WriteByte(',')
			}
			k.writeKey(b, u, s.Results().At(i).Type())
		}
		b.WriteByte(')')
	}
}

// basicName is the name of a basic type, of the default type for an untyped
// one.
func basicName(t *types.Basic) string {
	if t.Info()&types.IsUntyped != 0 {
		if d, ok := types.Default(t).(*types.Basic); ok && d.Info()&types.IsUntyped == 0 {
			return types.Typ[d.Kind()].Name()
		}
		return "interface{}"
	}
	return types.Typ[t.Kind()].Name() // byte is uint8
}

// isInterface reports whether t is an interface type. Type parameters must
// have been replaced.
func isInterface(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Interface)
	return ok
}

func isNil(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UntypedNil
}

// compiledInterface reports whether t is an interface of a host package
// (or error), which the interpreter keeps as it is; other interfaces are any.
func (k *cell) compiledInterface(u *unit, t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !isInterface(n) || n.Underlying().(*types.Interface).NumMethods() == 0 {
		return false
	}
	_, _, declared := k.declared(u, n)
	return !declared
}

// nominal reports whether the interpreter's form of t says less than t does:
// t is declared by a cell or made of such types. Those go into interfaces as
// boxes.
func (k *cell) nominal(u *unit, t types.Type) bool {
	t = types.Unalias(k.in(u, t))
	switch t := t.(type) {
	case *types.Basic:
		return false
	case *types.Pointer:
		return k.nominal(u, t.Elem())
	case *types.Slice:
		return k.nominal(u, t.Elem())
	case *types.Array:
		return k.nominal(u, t.Elem())
	case *types.Chan:
		return k.nominal(u, t.Elem())
	case *types.Map:
		return k.nominal(u, t.Key()) || k.nominal(u, t.Elem())
	case *types.Signature:
		for _, tu := range []*types.Tuple{t.Params(), t.Results()} {
			for i := range tu.Len() {
				if k.nominal(u, tu.At(i).Type()) {
					return true
				}
			}
		}
		return false
	case *types.Struct:
		return t.NumFields() > 0
	case *types.Interface:
		return t.NumMethods() > 0
	case *types.Named:
		if _, _, ok := k.declared(u, t); ok {
			return true
		}
		for i := range t.TypeArgs().Len() {
			if k.nominal(u, t.TypeArgs().At(i)) {
				return true
			}
		}
		return false
	}
	return true
}

// typ writes a type as the interpreter receives it.
func (k *cell) typ(u *unit, t types.Type) ast.Expr {
	switch t := types.Unalias(k.in(u, t)).(type) {
	case *types.Basic:
		name := basicName(t)
		if name == "interface{}" {
			return k.anyType()
		}
		if t.Kind() == types.UnsafePointer {
			panic(&Unsupported{k.pos, "package unsafe is not available in cells"})
		}
		return k.id(name)
	case *types.Pointer:
		return &ast.StarExpr{Star: k.pos, X: k.typ(u, t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Lbrack: k.pos, Elt: k.typ(u, t.Elem())}
	case *types.Array:
		return &ast.ArrayType{Lbrack: k.pos, Len: k.intLit(int(t.Len())), Elt: k.typ(u, t.Elem())}
	case *types.Map:
		return &ast.MapType{Map: k.pos, Key: k.typ(u, t.Key()), Value: k.typ(u, t.Elem())}
	case *types.Chan:
		dir := map[types.ChanDir]ast.ChanDir{types.SendRecv: ast.SEND | ast.RECV, types.SendOnly: ast.SEND,
			types.RecvOnly: ast.RECV}[t.Dir()]
		return &ast.ChanType{Begin: k.pos, Dir: dir, Value: k.typ(u, t.Elem())}
	case *types.Signature:
		return k.sigType(u, t)
	case *types.Struct:
		return k.structType(u, t, "")
	case *types.Interface:
		return k.anyType()
	case *types.Named:
		if name, _, ok := k.declared(u, t); ok {
			return k.declaredType(u, t, name)
		}
		o := t.Obj()
		if o.Pkg() == nil {
			return k.id(o.Name()) // error
		}
		if t.TypeArgs().Len() > 0 {
			if _, ok := t.Underlying().(*types.Struct); ok {
				panic(&Unsupported{k.pos,
					fmt.Sprintf("the generic type %s of a compiled package is not available in cells", t)})
			}
			return k.typ(u, t.Underlying())
		}
		if !o.Exported() {
			panic(&Unsupported{k.pos,
				fmt.Sprintf("a variable of the type %s, which its package does not export, cannot be kept in a session", t)})
		}
		return k.sel(k.pkg(o.Pkg().Path(), o.Pkg().Name()), o.Name())
	case *types.Tuple:
		panic(&Unsupported{k.pos, "several values where one is needed"})
	default:
		panic(&Unsupported{k.pos, fmt.Sprintf("the type %s cannot be written for the interpreter", t)})
	}
}

func (k *cell) anyType() ast.Expr {
	return &ast.InterfaceType{Interface: k.pos, Methods: &ast.FieldList{Opening: k.pos, Closing: k.pos}}
}

func (k *cell) sigType(u *unit, t *types.Signature) *ast.FuncType {
	var params, results []*ast.Field
	for i := range t.Params().Len() {
		p := t.Params().At(i).Type()
		if t.Variadic() && i == t.Params().Len()-1 {
			params = append(params, k.field("", &ast.Ellipsis{Ellipsis: k.pos,
				Elt: k.typ(u, k.in(u, p).Underlying().(*types.Slice).Elem())}))
			continue
		}
		params = append(params, k.field("", k.typ(u, p)))
	}
	for i := range t.Results().Len() {
		results = append(results, k.field("", k.typ(u, t.Results().At(i).Type())))
	}
	return k.funcType(params, results)
}

// fieldName is the name of a struct's field in the interpreter.
func fieldName(t *types.Struct, i int) string {
	if n := t.Field(i).Name(); n != "_" {
		return n
	}
	return fmt.Sprintf("Blank_%d_", i)
}

// fieldTag is the tag of a field of a struct with a mark.
func fieldTag(t *types.Struct, i int, mark string) string {
	tag := t.Tag(i)
	if !t.Field(i).Exported() {
		tag = `json:"-" xml:"-"`
	}
	if i == 0 && mark != "" {
		tag = strings.TrimSpace(tag + fmt.Sprintf(" gotorch:%q", mark))
	}
	return tag
}

// structType writes a struct. The interpreter exports all fields, so that what
// is not exported is hidden from packages encoding/json and encoding/xml by
// its tag. The mark
// makes recursive types differ that would be laid out alike: the interpreter
// builds them by changing what reflect.StructOf remembers.
func (k *cell) structType(u *unit, t *types.Struct, mark string) ast.Expr {
	st := &ast.StructType{Struct: k.pos, Fields: &ast.FieldList{Opening: k.pos, Closing: k.pos}}
	for i := range t.NumFields() {
		f := k.field(fieldName(t, i), k.typ(u, t.Field(i).Type()))
		if tag := fieldTag(t, i, mark); tag != "" {
			f.Tag = &ast.BasicLit{ValuePos: k.pos, Kind: token.STRING, Value: "`" + tag + "`"}
			if strings.Contains(tag, "`") {
				f.Tag.Value = strconv.Quote(tag)
			}
		}
		st.Fields.List = append(st.Fields.List, f)
	}
	return st
}

// declaredType writes a type that cells declare: structs have a name in the
// interpreter, so that they can refer to themselves; others are what they are
// made of, or, where they refer to themselves, types of the runtime's package.
func (k *cell) declaredType(u *unit, t *types.Named, name string) ast.Expr {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		if isInterface(t) {
			return k.anyType()
		}
		if k.isSelf(u, t) {
			return k.selfType(u, t)
		}
		return k.typ(u, t.Underlying())
	}
	key := k.key(u, t)
	if n, ok := k.structs[key]; ok {
		return k.id(n)
	}
	if t.TypeArgs().Len() > 0 || len(u.subst) > 0 {
		name, _ = k.number(t.Obj().Name())
	}
	remember(k, k.structs, key, name)
	mark := ""
	if k.recursive(u, t) {
		mark = name
	}
	at := len(k.types)
	k.types = append(k.types, nil)
	spec := &ast.TypeSpec{Name: k.id(name), Type: k.structType(u, st, mark)}
	k.types[at] = &ast.GenDecl{TokPos: k.pos, Tok: token.TYPE, Specs: []ast.Spec{spec}}
	if mark != "" {
		k.layout(u, t)
	}
	return k.id(name)
}
