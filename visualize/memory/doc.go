// Package memory draws where tensors lie in memory, and what lies there.
//
//   - card*.go: [Card], a tensor in short.
//   - strides*.go: [Strides], storages cell by cell and how views walk them; strides_probe.go finds the indices of a
//     cell.
//   - explore*.go: [Explore], the views that a storage allows, with sliders.
//   - aliases*.go: [Aliases], which names look into which storage; coverage.go counts the bytes that views reach.
//   - versions*.go: [Versions], who wrote to a storage.
//   - order*.go: [Order], the cache lines that loops touch.
//   - plans*.go: [Plans], how kernels walk their operands.
//   - bits*.go: [Bits], a number bit by bit.
package memory
