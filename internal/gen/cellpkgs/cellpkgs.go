// Package cellpkgs lists the packages that cells can import. The generators of
// the interpreter's symbols and of its export data read the same list, so that
// a name that checks is a name that runs.
package cellpkgs

// Std are the packages of the standard library.
var Std = []string{
	"archive/tar", "archive/zip", "bufio", "bytes", "cmp", "compress/bzip2", "compress/flate", "compress/gzip", "compress/zlib",
	"container/heap", "container/list", "container/ring", "context", "crypto/hmac", "crypto/md5", "crypto/rand", "crypto/sha1",
	"crypto/sha256", "crypto/sha512", "encoding/base32", "encoding/base64", "encoding/binary", "encoding/csv", "encoding/gob", "encoding/hex",
	"encoding/json", "encoding/xml", "errors", "flag", "fmt", "hash", "hash/adler32",
	"hash/crc32", "hash/crc64", "hash/fnv", "hash/maphash", "html", "image", "image/color", "image/draw", "image/gif", "image/jpeg",
	"image/png", "io", "io/fs", "iter", "log", "log/slog", "maps", "math", "math/big", "math/bits", "math/cmplx", "math/rand", "math/rand/v2",
	"net/url", "os", "os/exec", "os/user", "path", "path/filepath", "reflect", "regexp", "runtime", "runtime/debug", "slices", "sort",
	"strconv", "strings", "sync", "sync/atomic", "text/scanner", "text/tabwriter", "text/template", "time", "unicode",
	"unicode/utf16", "unicode/utf8",
}

// Own are gotorch's own packages that cells can import, those that exist.
var Own = []string{
	"gotorch/tensor", "gotorch/tensor/opt", "gotorch/autograd", "gotorch/visualize", "gotorch/visualize/display", "gotorch/visualize/widgets",
}
