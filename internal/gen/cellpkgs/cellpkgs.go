// Package cellpkgs lists the packages that cells can import. The generators of
// the interpreter's symbols and of its export data read the same list, so that
// a name that checks is a name that runs.
package cellpkgs

// Std are the packages of the standard library.
var Std = []string{
	"bufio", "bytes", "cmp", "container/heap", "container/list", "container/ring", "context",
	"encoding/base64", "encoding/binary", "encoding/csv", "encoding/hex", "encoding/json", "errors",
	"flag", "fmt", "hash", "hash/crc32", "hash/fnv", "image", "image/color", "image/draw", "image/gif", "image/jpeg", "image/png",
	"io", "io/fs", "iter", "log", "maps", "math", "math/big", "math/bits", "math/cmplx", "math/rand",
	"math/rand/v2", "os", "path", "path/filepath", "reflect", "regexp", "runtime", "runtime/debug",
	"slices", "sort", "strconv", "strings", "sync", "sync/atomic", "text/tabwriter", "text/template",
	"time", "unicode", "unicode/utf16", "unicode/utf8",
}

// Own are gotorch's own packages that cells can import, those that exist.
var Own = []string{
	"gotorch/tensor", "gotorch/tensor/opt", "gotorch/autograd", "gotorch/visualize", "gotorch/visualize/display", "gotorch/visualize/widgets",
}
