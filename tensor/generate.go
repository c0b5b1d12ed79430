package tensor

//go:generate go run gotorch/internal/gen ..
