// Package packages lists the packages that cells can import: one row says what a package needs. The generators of the
// interpreter's symbols and of the export data read the list too, so that a name that checks is a name that runs.
//
// To add a package, add a row and run go generate ./interp/...: its functions, variables and types come from its
// export data. What may then be wanted in addition:
//
//   - Its generic functions, which reflection does not show: set Generic and write those that cells may call, in Go,
//     in generic/PATH.go.txt (with _ for / in the path). That is all it takes to add a function such as slices.X.
//     Where cells cannot have the source (package tensor's machinery), interp/symbols/instances.go lists compiled
//     instances.
//   - Functions and methods that may take long or wait: name them in Blocking, and an interrupt need not wait for
//     them.
//   - Names that must mean something else in a cell (output, exits, sizes): a Patch, in package std's table patches.
//
// A test in package std holds the rows against the packages.
package packages

import (
	"embed"
	"strings"

	"gotorch/internal/module"
)

// Package is what a package that cells can import needs.
type Package struct {
	Path string

	// Boxed: the package hands values on, prints or encodes them, and so gets values of types that cells declare in
	// boxes, which know these types. Other packages look at values by reflection, if at all, and get them without.
	Boxed bool

	// Generic: generic/PATH.go.txt has its generic functions.
	Generic bool

	// Blocking are the functions and methods that may take long: "Name" is a function, "Type.Name" a method, "Type.*"
	// all of a type's.
	Blocking []string
}

// All are the packages: first those of the standard library, then gotorch's own.
var All = []Package{
	{Path: "archive/tar"},
	{Path: "archive/zip", Blocking: []string{"OpenReader", "NewReader"}},
	{Path: "bufio", Blocking: []string{
		"Reader.Read", "Reader.ReadByte", "Reader.ReadBytes", "Reader.ReadLine", "Reader.ReadRune",
		"Reader.ReadSlice", "Reader.ReadString", "Reader.Peek", "Reader.Discard", "Reader.WriteTo",
		"Scanner.Scan", "Writer.Flush", "Writer.ReadFrom",
	}},
	{Path: "bytes", Blocking: []string{"Buffer.ReadFrom", "Buffer.WriteTo"}},
	{Path: "cmp", Generic: true},
	{Path: "compress/bzip2"},
	{Path: "compress/flate"},
	{Path: "compress/gzip"},
	{Path: "compress/zlib"},
	{Path: "container/heap", Boxed: true},
	{Path: "container/list", Boxed: true},
	{Path: "container/ring", Boxed: true, Blocking: []string{"Ring.Move", "Ring.Unlink"}},
	{Path: "context", Boxed: true},
	{Path: "crypto/hmac"},
	{Path: "crypto/md5"},
	{Path: "crypto/rand", Blocking: []string{"Prime", "Read"}},
	{Path: "crypto/sha1"},
	{Path: "crypto/sha256"},
	{Path: "crypto/sha512"},
	{Path: "encoding"},
	{Path: "encoding/base32"},
	{Path: "encoding/base64"},
	{Path: "encoding/binary", Blocking: []string{"Read"}},
	{Path: "encoding/csv", Blocking: []string{"Reader.Read", "Reader.ReadAll"}},
	{Path: "encoding/gob", Boxed: true},
	{Path: "encoding/hex"},
	{Path: "encoding/json", Boxed: true, Blocking: []string{"Decoder.Decode", "Decoder.Token"}},
	{Path: "encoding/xml", Boxed: true},
	{Path: "errors", Boxed: true},
	{Path: "flag"},
	{Path: "fmt", Boxed: true, Blocking: []string{"Sscan", "Sscanf", "Sscanln"}},
	{Path: "go/ast"},
	{Path: "go/format"},
	{Path: "go/parser"},
	{Path: "go/token"},
	{Path: "hash"},
	{Path: "hash/adler32"},
	{Path: "hash/crc32"},
	{Path: "hash/crc64"},
	{Path: "hash/fnv"},
	{Path: "hash/maphash"},
	{Path: "html"},
	{Path: "image", Blocking: []string{"Decode", "DecodeConfig"}},
	{Path: "image/color"},
	{Path: "image/draw"},
	{Path: "image/gif", Blocking: []string{"Decode", "DecodeAll", "Encode", "EncodeAll"}},
	{Path: "image/jpeg", Blocking: []string{"Decode", "Encode"}},
	{Path: "image/png", Blocking: []string{"Decode", "Encode"}},
	{Path: "io", Blocking: []string{
		"ReadAll", "ReadFull", "ReadAtLeast", "Copy", "CopyN", "CopyBuffer", "WriteString", "PipeReader.Read",
		"PipeWriter.Write",
	}},
	{Path: "io/fs"},
	{Path: "iter", Generic: true},
	{Path: "log", Boxed: true},
	{Path: "log/slog", Boxed: true},
	{Path: "maps", Generic: true},
	{Path: "math", Blocking: []string{"Jn", "Yn"}},
	{Path: "math/big", Blocking: []string{
		"Int.Exp", "Int.Lsh", "Int.SetBit", "Int.Mul", "Int.MulRange", "Int.Binomial", "Int.Quo", "Int.Div",
		"Int.DivMod", "Int.QuoRem", "Int.Mod", "Int.Rem", "Int.GCD", "Int.ModInverse", "Int.ModSqrt",
		"Int.Sqrt", "Int.ProbablyPrime", "Int.SetString", "Int.String", "Int.Text", "Int.Append", "Float.Sqrt",
		"Float.Text", "Float.String", "Float.Mul", "Float.Quo", "Float.SetString", "Float.Parse", "Float.Append",
		"Float.Int", "Float.Rat", "Float.SetRat", "ParseFloat", "Rat.SetString", "Rat.String", "Rat.Mul", "Rat.Add",
		"Rat.Sub", "Rat.Quo", "Rat.Cmp", "Rat.SetFrac", "Rat.FloatString", "Rat.FloatPrec",
	}},
	{Path: "math/bits"},
	{Path: "math/cmplx"},
	{Path: "math/rand"},
	{Path: "math/rand/v2"},
	{Path: "net/http", Blocking: []string{"ReadRequest", "ReadResponse", "Server.Shutdown"}},
	{Path: "net/http/httptest", Blocking: []string{"Server.CloseClientConnections"}},
	{Path: "net/url"},
	{Path: "os", Blocking: []string{
		"ReadFile", "WriteFile", "Open", "OpenFile", "Create", "ReadDir", "RemoveAll", "CopyFS", "File.Read",
		"File.ReadAt", "File.ReadFrom", "File.Write", "File.WriteString", "File.WriteTo", "File.Sync",
		"File.ReadDir", "Process.Wait",
	}},
	{Path: "os/exec"},
	{Path: "os/user"},
	{Path: "path"},
	{Path: "path/filepath", Blocking: []string{"Glob"}},
	{Path: "reflect", Blocking: []string{"Value.Recv", "Value.Send"}},
	{Path: "regexp", Blocking: []string{"Match", "MatchString", "MatchReader", "Regexp.*"}},
	{Path: "runtime", Generic: true},
	{Path: "runtime/debug"},
	{Path: "runtime/trace"},
	{Path: "slices", Generic: true},
	{Path: "sort"},
	{Path: "strconv"},
	{Path: "strings"},
	{Path: "sync", Boxed: true, Generic: true},
	{Path: "sync/atomic", Boxed: true},
	{Path: "testing", Blocking: []string{"Benchmark", "AllocsPerRun"}},
	{Path: "text/scanner"},
	{Path: "text/tabwriter"},
	{Path: "text/template", Boxed: true},
	{Path: "time"},
	{Path: "unicode"},
	{Path: "unicode/utf16"},
	{Path: "unicode/utf8"},

	{Path: "gonum.org/v1/gonum/floats"},
	{Path: "gonum.org/v1/gonum/mat", Blocking: []string{
		"Dense.Mul", "Dense.Product", "Dense.Inverse", "Dense.Solve", "VecDense.SolveVec", "Dense.Exp", "Dense.Pow",
		"Dense.Outer", "Dense.Kronecker", "Det", "LogDet", "Norm", "Cond", "Formatted", "LU.Factorize",
		"QR.Factorize", "LQ.Factorize", "SVD.Factorize", "Eigen.Factorize", "EigenSym.Factorize",
		"Cholesky.Factorize", "GSVD.Factorize", "HOGSVD.Factorize", "SymDense.SymOuterK", "SymDense.PowPSD",
	}},
	{Path: "gonum.org/v1/gonum/optimize", Blocking: []string{"Minimize"}},
	{Path: "gonum.org/v1/gonum/stat", Blocking: []string{
		"CovarianceMatrix", "CorrelationMatrix", "PC.PrincipalComponents", "CC.CanonicalCorrelations", "Mahalanobis",
	}},

	{Path: "gotorch/tensor", Generic: true, Blocking: []string{"LoadNpy", "LoadNpz", "LoadImage"}},
	{Path: "gotorch/tensor/gonum"},
	{Path: "gotorch/tensor/opt"},
	{Path: "gotorch/autograd", Generic: true},
	{Path: "gotorch/backends/async"},
	{Path: "gotorch/nn", Blocking: []string{"LoadPt", "LoadSafetensors", "LoadState"}},
	{Path: "gotorch/nn/init"},
	{Path: "gotorch/nn/data"},
	{Path: "gotorch/nn/distributions"},
	{Path: "gotorch/nn/optim"},
	{Path: "gotorch/nn/train"},
	{Path: "gotorch/visualize"},
	{Path: "gotorch/visualize/display", Boxed: true},
	{Path: "gotorch/visualize/widgets", Boxed: true},
}

// Own reports whether a package is one of gotorch's.
func (p Package) Own() bool { return module.Has(p.Path) }

var byPath = map[string]*Package{}

func init() {
	for i := range All {
		byPath[All[i].Path] = &All[i]
	}
}

// Boxed reports whether a package's functions get values in boxes.
func Boxed(path string) bool { return byPath[path] != nil && byPath[path].Boxed }

// Blocking are the functions and methods of a package that may take long.
func Blocking(path string) []string {
	if p := byPath[path]; p != nil {
		return p.Blocking
	}
	return nil
}

// FileName begins the names of the files about a package: archive_tar for archive/tar. Those of this module's packages
// do not change with the module's path.
func FileName(path string) string {
	if module.Has(path) {
		path = "gotorch" + strings.TrimPrefix(path, module.Path)
	}
	return strings.ReplaceAll(path, "/", "_")
}

//go:embed generic/*.go.txt
var generic embed.FS

// Generic is the Go source of a package's generic functions; ok is false where it has none.
func Generic(path string) (text []byte, ok bool) {
	if p := byPath[path]; p == nil || !p.Generic {
		return nil, false
	}
	text, err := generic.ReadFile("generic/" + FileName(path) + ".go.txt")
	return text, err == nil
}
