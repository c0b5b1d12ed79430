package env

import (
	"reflect"
	"strings"
)

// CallsBack reports whether host code that receives a value may call functions of cells through it.
func CallsBack(v reflect.Value) bool {
	for v.IsValid() && (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer) {
		if v.IsNil() {
			return false
		}
		v = v.Elem()
	}
	if !v.IsValid() {
		return false
	}
	if v.Kind() == reflect.Func {
		return true
	}
	p := v.Type().PkgPath()
	return strings.HasPrefix(p, "gotorch/interp") || strings.Contains(p, "traefik/yaegi") || wrapsCell(v, 0)
}

// wrapsCell reports whether a reader or writer of packages bufio and io is one of a cell's beneath.
func wrapsCell(v reflect.Value, depth int) bool {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !v.IsValid() || depth > 4 {
		return false
	}
	t := v.Type()
	switch p := t.PkgPath(); {
	case t == reflect.TypeFor[cellReader](), p == "gotorch/interp/symbols", p == "gotorch/interp/rt",
		strings.Contains(p, "traefik/yaegi"):
		return true
	case p != "io" && p != "bufio" || t.Kind() != reflect.Struct:
		return false
	}
	for i := range t.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Interface:
			if wrapsCell(f, depth+1) {
				return true
			}
		case reflect.Slice:
			if f.Type().Elem().Kind() == reflect.Interface && f.Len() > 0 && wrapsCell(f.Index(0), depth+1) {
				return true
			}
		}
	}
	return false
}
