package async_test

import "os"

// everything reports whether tests run at full length.
func everything() bool { return os.Getenv("GOTORCH_ALL") != "" }
