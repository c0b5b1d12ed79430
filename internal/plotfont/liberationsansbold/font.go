// Package liberationsansbold stands in for a font of the Liberation family: see the README of the module.
package liberationsansbold

import "golang.org/x/image/font/gofont/gomono"

// TTF is Go Mono.
var TTF = gomono.TTF
