// Package house has the tests of the source tree itself.
//
//	house_test.go   which package may import which, the size of files, fresh generated files, names of files
//	interp_test.go  the same for the packages of interp; who imports yaegi and unsafe; how many files a package has
//	hooks_test.go   variables that other packages set
//	docs_test.go    docs/architecture.md, docs/notes.md, the width of lines
package house
