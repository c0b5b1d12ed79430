// Package std is what cells see of the standard library: the packages as they are, with other functions in place of
// those that would end the process, use its streams, wait where an interrupt cannot end the wait, or allocate without
// a limit; and with encoders and printers that know the types that cells declare.
//
//	std.go        the table of patches, and a package's names as cells see them
//	blocking.go   host functions that wait: an interrupt leaves them alone
//	fmt.go os.go time.go sync.go sort.go io.go sizes.go flag.go template.go compress.go big.go
//	              the patches of these packages
//	text.go       a value as a cell shows it
//
// Its folders: packages lists what cells can import; env is what patches act on; json, gob, xml, slog, log, exec
// and http are those packages for cells; encoding is what the encoders share.
package std

import (
	encodingxml "encoding/xml"
	"maps"
	"reflect"
	"sync"

	"gotorch/interp/rt"
	"gotorch/interp/std/env"
	"gotorch/interp/std/exec"
	"gotorch/interp/std/gob"
	"gotorch/interp/std/http"
	"gotorch/interp/std/json"
	"gotorch/interp/std/log"
	"gotorch/interp/std/slog"
	"gotorch/interp/std/xml"
	"gotorch/interp/symbols"
)

// patches are the packages that mean something else to a cell than to host code.
var patches = map[string]env.Patch{
	"bufio":         {Names: patchBufio, Methods: scannerMethods},
	"bytes":         {Names: patchBytes, Methods: bufferMethods},
	"context":       {Names: patchContext},
	"encoding/gob":  gob.Patch,
	"encoding/json": json.Patch,
	"encoding/xml":  xml.Patch,
	"errors":        {Names: patchErrors},
	"flag":          {Names: patchFlag},
	"fmt":           {Names: patchFmt},
	"image":         {Names: patchImage},
	"image/gif":     {Names: patchGIF},
	"image/jpeg":    {Names: patchJPEG},
	"image/png":     {Names: patchPNG, Methods: pngMethods},
	"io":            {Names: patchIO},
	"log":           log.Patch,
	"log/slog":      slog.Patch,
	"net/http":      http.Patch,
	"os":            {Names: patchOS},
	"os/exec":       exec.Patch,
	"os/user":       {Names: patchUser, Methods: userMethods},

	"container/ring": {Methods: ringMethods},
	"testing":        {Names: patchTesting, Methods: testingMethods},

	"gonum.org/v1/gonum/optimize": {Names: patchOptimize},

	"runtime":        {Names: patchRuntime},
	"runtime/debug":  {Names: patchDebug},
	"sort":           {Names: patchSort},
	"regexp":         {Methods: regexpMethods},
	"strings":        {Names: patchStrings, Methods: stringsMethods},
	"sync":           {Names: patchSync},
	"text/tabwriter": {Names: patchTabwriter, Methods: tabwriterMethods},
	"text/template":  {Names: patchTemplate},
	"time":           {Names: patchTime},

	"net/http/httptest": http.TestPatch,
}

func init() {
	maps.Copy(patches, readers)
	patches["reflect"] = env.Patch{Names: patchReflect, Methods: reflectMethods} // which ask for patches
}

// Package returns a host package's name and its table as cells see it; ok is false if cells cannot import it.
func Package(e *env.Env, path string) (name string, t env.Table, ok bool) {
	p, ok := symbols.Lookup(path)
	if !ok {
		return "", nil, false
	}
	t = p.Symbols()
	ownVariables(path, t)
	if names := patches[path].Names; names != nil {
		names(e, t)
	}
	detachFunctions(path, t)
	guardFunctions(path, t)
	return p.Name, t, true
}

// typesOf are the types of host packages by path, a map[string]reflect.Type each. Every call of a host method asks
// for one, and a package's table has thousands of names. Types are the same in all sessions.
var typesOf sync.Map

// TypeOf returns a host package's type as cells see it.
func TypeOf(e *env.Env, path, name string) (reflect.Type, bool) {
	all, ok := typesOf.Load(path)
	if !ok {
		types := map[string]reflect.Type{}
		_, t, _ := Package(e, path)
		for name, v := range t {
			if v.Kind() == reflect.Pointer {
				types[name] = v.Type().Elem()
			}
		}
		all, _ = typesOf.LoadOrStore(path, types)
	}
	t, ok := all.(map[string]reflect.Type)[name]
	return t, ok
}

// Method returns the function that cells call in place of a method of the host type path.typ, or of a pointer to it,
// with the receiver as its first argument. id tells it from those of other methods. ok is false for methods that
// cells call as they are.
func Method(e *env.Env, path, typ, method string, pointer bool) (id string, fn func() reflect.Value, ok bool) {
	list := boundary[path][typ+"."+method]
	if path == "bufio" && made(typ, method) {
		if m, ok := blockingMethod(e, path, typ, method, pointer); ok {
			if own := lineMethods[typ+"."+method]; own != nil {
				m = reflect.ValueOf(own)
			}
			return "Wait", func() reflect.Value { return ifMade(typ, detach(typ+"."+method, m)) }, true
		}
		if m, ok := hostMethod(e, path, typ, method, pointer); ok {
			return "Made", func() reflect.Value { return ifMade(typ, m) }, true
		}
	}
	if own := patches[path].Methods[typ+"."+method]; own != nil {
		return "Own", func() reflect.Value { return guard(path+"."+typ+"."+method, reflect.ValueOf(own(e)), list, 1) }, true
	}
	if m, ok := blockingMethod(e, path, typ, method, pointer); ok {
		return "Wait", func() reflect.Value {
			return guard(path+"."+typ+"."+method, detach(typ+"."+method, m), list, 1)
		}, true
	}
	if m, ok := hostMethod(e, path, typ, method, pointer); ok && len(list) > 0 {
		return "Guard", func() reflect.Value { return guard(path+"."+typ+"."+method, m, list, 1) }, true
	}
	return "", nil, false
}

// ownVariables gives cells their own variables in place of a host package's, so that io.EOF = nil harms no host code.
// os.Args is the one that the session itself sets.
func ownVariables(path string, t env.Table) {
	for name, v := range t {
		if v.CanSet() && (path != "os" || name != "Args") {
			c := reflect.New(v.Type()).Elem()
			c.Set(v)
			t[name] = c
		}
	}
}

// Codec encodes boxes that host encoders meet inside other values.
type Codec struct{}

// JSON is package json's.
func (Codec) JSON(b rt.Box) ([]byte, error) { return json.Encode(b) }

// XML is package xml's.
func (Codec) XML(b rt.Box, e *encodingxml.Encoder, start encodingxml.StartElement) error {
	return xml.Encode(b, e, start)
}
