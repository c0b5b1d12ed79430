//go:build !unix

package tensor

import (
	"errors"
	"os"
)

func mapFile(*os.File, int) (data []byte, unmap func(), err error) {
	return nil, nil, errors.ErrUnsupported
}
