// Package conformance holds gotorch against recorded answers of PyTorch. Its test reads a folder of vectors
// (GOTORCH_VECTORS, or the compact copy in testdata), replays every case, and prints a line for each file:
//
//	GOTORCH_VECTORS=DIR go test ./internal/conformance -v
//	go test ./internal/conformance -v -run 'TestConformance/opinfo/add$'
//
// The cases of the compact copy that pass are recorded in testdata/passing.json; the test fails when one of them
// fails. After an improvement:
//
//	go test ./internal/conformance -update
package conformance
