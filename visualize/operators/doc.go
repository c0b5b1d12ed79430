// Package operators shows what there is for an operator.
//
//   - operators.go finds operators by the names that users give.
//   - table*.go: [Table], the dispatcher's table: every key, and what is there for it.
//   - support*.go: [Support], the devices and dtypes that an operator takes; support_sample.go makes the calls that
//     find out.
package operators
