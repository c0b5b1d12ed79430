package quick

//lint:file-ignore U1000 the structs mirror those of yaegi, fields that nothing reads included

import (
	"fmt"
	"go/token"
	"reflect"
	"sync"
	"unsafe"
	_ "unsafe" // for linkname
)

// The types of yaegi v0.16.1 that this package reads and writes, field for field; check compares them with the real
// ones.

// bltn is a step of a program: it does its work on a frame and gives the next step, or nil at a function's end.
type bltn func(*frame) bltn

type node struct {
	debug      unsafe.Pointer
	child      []*node
	anc        *node
	param      []unsafe.Pointer
	start      *node
	tnext      *node
	fnext      *node
	interp     unsafe.Pointer
	index      int64
	findex     int
	level      int
	nleft      int
	nright     int
	kind       uint
	pos        token.Pos
	sym        *symbol
	typ        *itype
	recv       unsafe.Pointer
	types      []reflect.Type
	scope      *scope
	action     uint
	exec       bltn
	gen        func(*node)
	val        any
	rval       reflect.Value
	ident      string
	redeclared bool
	meta       any
}

type frame struct {
	id        uint64
	debug     unsafe.Pointer
	root      *frame
	anc       *frame
	data      []reflect.Value
	mutex     sync.RWMutex
	deferred  [][]reflect.Value
	recovered any
	done      reflect.SelectCase
}

type symbol struct {
	kind    uint
	typ     *itype
	node    *node
	from    []*node
	recv    unsafe.Pointer
	index   int
	rval    reflect.Value
	builtin func(*node)
	global  bool
}

type (
	itype struct{ cat uint }
	scope struct{}
)

// value is what a reflect.Value is made of.
type value struct {
	typ, ptr unsafe.Pointer
	flag     uintptr
}

// Kinds of nodes, in yaegi's order.
const (
	assignStmt   = 3
	basicLit     = 5
	binaryExpr   = 6
	blockStmt    = 7
	callExpr     = 10
	deferStmt    = 22
	defineStmt   = 23
	defineXStmt  = 24
	exprStmt     = 26
	forStmt0     = 31
	forStmt7     = 38
	forRangeStmt = 39
	funcDecl     = 40
	funcLit      = 41
	goStmt       = 43
	identExpr    = 45
	ifStmt0      = 46
	ifStmt3      = 49
	incDecStmt   = 52
	indexExpr    = 53
	landExpr     = 58
	lorExpr      = 59
	parenExpr    = 61
	rangeStmt    = 62
	returnStmt   = 63
	selectorExpr = 65
	sliceExpr    = 68
	starExpr     = 69
	unaryExpr    = 78
	addressExpr  = 1
	assignXStmt  = 4
	declStmt     = 21
	valueSpec    = 79
	varDecl      = 80
)

var kindNames = map[uint]string{
	addressExpr: "addressExpr", assignStmt: "assignStmt", assignXStmt: "assignXStmt", basicLit: "basicLit",
	binaryExpr: "binaryExpr", blockStmt: "blockStmt",
	callExpr: "callExpr", declStmt: "declStmt", deferStmt: "deferStmt", defineStmt: "defineStmt",
	defineXStmt: "defineXStmt", exprStmt: "exprStmt",
	forStmt0: "forStmt0", forStmt7: "forStmt7", forRangeStmt: "forRangeStmt", funcDecl: "funcDecl",
	funcLit: "funcLit", goStmt: "goStmt",
	identExpr: "identExpr", ifStmt0: "ifStmt0", ifStmt3: "ifStmt3", incDecStmt: "incDecStmt", indexExpr: "indexExpr",
	landExpr: "landExpr", lorExpr: "lorExpr",
	parenExpr: "parenExpr", rangeStmt: "rangeStmt", returnStmt: "returnStmt", selectorExpr: "selectorExpr",
	sliceExpr: "sliceExpr", starExpr: "starExpr",
	unaryExpr: "unaryExpr", valueSpec: "valueSpec", varDecl: "varDecl",
}

// Actions, in yaegi's order.
const (
	aNop = iota
	aAddr
	aAssign
	aAssignX
	aAdd
	aAddAssign
	aAnd
	aAndAssign
	aAndNot
	aAndNotAssign
	aBitNot
	aBranch
	aCall
	aCallSlice
	aCase
	aCompositeLit
	aConvert
	aDec
	aEqual
	aGreater
	aGreaterEqual
	aGetFunc
	aGetIndex
	aGetMethod
	aGetSym
	aInc
	aLand
	aLor
	aLower
	aLowerEqual
	aMethod
	aMul
	aMulAssign
	aNeg
	aNot
	aNotEqual
	aOr
	aOrAssign
	aPos
	aQuo
	aQuoAssign
	aRange
	aRecv
	aRem
	aRemAssign
	aReturn
	aSend
	aShl
	aShlAssign
	aShr
	aShrAssign
	aSlice
	aSlice0
	aStar
	aSub
	aSubAssign
	aTypeAssert
	aXor
	aXorAssign
)

const (
	funcSym = 4 // kind of a symbol: a declared function
	varSym  = 9

	globalFrame = -1 // level of globals
)

//go:linkname getExec github.com/traefik/yaegi/interp.getExec
func getExec(*node) bltn

//go:linkname typeOf github.com/traefik/yaegi/interp.(*itype).TypeOf
func typeOf(*itype) reflect.Type

//go:linkname clone github.com/traefik/yaegi/interp.(*frame).clone
func clone(*frame) *frame

//go:linkname panicFunc github.com/traefik/yaegi/interp.panicFunc
func panicFunc(*scope) string

//go:linkname yNop github.com/traefik/yaegi/interp.nop
func yNop(*node)

//go:linkname yBranch github.com/traefik/yaegi/interp.branch
func yBranch(*node)

//go:linkname yCall github.com/traefik/yaegi/interp.call
func yCall(*node)

//go:linkname yCallBin github.com/traefik/yaegi/interp.callBin
func yCallBin(*node)

//go:linkname yAssign github.com/traefik/yaegi/interp.assign
func yAssign(*node)

//go:linkname yReset github.com/traefik/yaegi/interp.reset
func yReset(*node)

//go:linkname yReturn github.com/traefik/yaegi/interp._return
func yReturn(*node)

//go:linkname yConvert github.com/traefik/yaegi/interp.convert
func yConvert(*node)

//go:linkname yLen github.com/traefik/yaegi/interp._len
func yLen(*node)

//go:linkname yAppend github.com/traefik/yaegi/interp._append
func yAppend(*node)

//go:linkname yGetFunc github.com/traefik/yaegi/interp.getFunc
func yGetFunc(*node)

//go:linkname yIndexArray github.com/traefik/yaegi/interp.getIndexArray
func yIndexArray(*node)

//go:linkname yIndexMap github.com/traefik/yaegi/interp.getIndexMap
func yIndexMap(*node)

//go:linkname yIndexMap2 github.com/traefik/yaegi/interp.getIndexMap2
func yIndexMap2(*node)

//go:linkname yDelete github.com/traefik/yaegi/interp._delete
func yDelete(*node)

//go:linkname genValue github.com/traefik/yaegi/interp.genValue
func genValue(*node) func(*frame) reflect.Value

//go:linkname yIndexSeq github.com/traefik/yaegi/interp.getIndexSeq
func yIndexSeq(*node)

//go:linkname yIndexSeqField github.com/traefik/yaegi/interp.getIndexSeqField
func yIndexSeqField(*node)

//go:linkname yPtrIndexSeq github.com/traefik/yaegi/interp.getPtrIndexSeq
func yPtrIndexSeq(*node)

//go:linkname yIndexBinMethod github.com/traefik/yaegi/interp.getIndexBinMethod
func yIndexBinMethod(*node)

//go:linkname yDeref github.com/traefik/yaegi/interp.deref
func yDeref(*node)

//go:linkname yRange github.com/traefik/yaegi/interp._range
func yRange(*node)

//go:linkname yLand github.com/traefik/yaegi/interp.land
func yLand(*node)

//go:linkname yLor github.com/traefik/yaegi/interp.lor
func yLor(*node)

//go:linkname yNot github.com/traefik/yaegi/interp.not
func yNot(*node)

//go:linkname builtins github.com/traefik/yaegi/interp.builtin
var builtins [aXorAssign + 1]func(*node)

// is reports whether a node's step is made by a generator of yaegi's.
func is(n *node, gen func(*node)) bool { return n.gen != nil && code(n.gen) == code(gen) }

func code(f func(*node)) uintptr { return **(**uintptr)(unsafe.Pointer(&f)) }

// usual reports whether a node's step is the one that its action stands for.
func usual(n *node) bool {
	return n.action < uint(len(builtins)) && builtins[n.action] != nil && is(n, builtins[n.action])
}

// check compares yaegi's types with those above. It returns what differs.
func check(real reflect.Type) error {
	for _, c := range []struct{ real, ours reflect.Type }{
		{real, reflect.TypeFor[node]()},
		{fieldType(fieldType(real, "exec").In(0), ""), reflect.TypeFor[frame]()},
		{fieldType(real, "sym").Elem(), reflect.TypeFor[symbol]()},
	} {
		if c.real.NumField() != c.ours.NumField() || c.real.Size() != c.ours.Size() {
			return fmt.Errorf("yaegi's %s is another", c.real)
		}
		for i := range c.real.NumField() {
			r, o := c.real.Field(i), c.ours.Field(i)
			if r.Name != o.Name || r.Offset != o.Offset || r.Type.Kind() != o.Type.Kind() &&
				o.Type.Kind() != reflect.UnsafePointer {
				return fmt.Errorf("yaegi's %s has no field %s as it was", c.real, o.Name)
			}
		}
	}
	x := 1
	v := reflect.ValueOf(&x).Elem()
	if (*value)(unsafe.Pointer(&v)).ptr != unsafe.Pointer(&x) ||
		reflect.TypeFor[reflect.Value]().Size() != unsafe.Sizeof(value{}) {
		return fmt.Errorf("a reflect.Value is another")
	}
	f := func() {}
	bare, held := reflect.ValueOf(f), reflect.ValueOf(&f).Elem()
	if (*value)(unsafe.Pointer(&bare)).flag&indirectFlag != 0 ||
		(*value)(unsafe.Pointer(&held)).flag&indirectFlag == 0 {
		return fmt.Errorf("a reflect.Value of a function is another")
	}
	return nil
}

func fieldType(t reflect.Type, name string) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if name == "" {
		return t
	}
	f, _ := t.FieldByName(name)
	return f.Type
}
