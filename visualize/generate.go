package visualize

//go:generate go run gotorch/internal/gen/facade . facade_gen.go
