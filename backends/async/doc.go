// Package async is a device that answers later: a CPU with memory of its own, which is asked for work as a GPU is. It
// teaches how CUDA works, and needs no GPU.
//
// A call of an operator on async:0 computes shapes at once, asks the device's current stream for the rest, and
// returns. A stream runs what it is asked for in order, on a goroutine that is there while there is work; two
// streams know nothing of each other, unless one waits for an [Event] of the other. What reads values waits for the
// current stream: Cpu, Item, Tolist, printing. A copy from or to pinned memory (PinMemory) with
// opt.NonBlocking(true) does not, and who reads or writes that memory too early gets old numbers, or sends new ones.
//
//	s := async.NewStream()
//	async.OnStream(s, func() { y = x.Matmul(x) })
//	e := s.Record()
//	async.CurrentStream().Wait(e)
//
// Kernels are the CPU's, one at a time: whoever touches the device's memory holds one lock, so that what races is
// values and never memory. Random numbers are drawn when the operator is called, from the CPU's generators, so that
// equal seeds give the CPU's numbers whatever the streams do; operators that read values to draw them wait. So do
// those whose shapes depend on values, and those that a cell defines.
//
// The memory is that of a caching allocator as PyTorch's is for CUDA: [MemoryStats], [EmptyCache], [RecordStream],
// [Snapshot]. [CaptureGraph] records what a stream is asked for, to ask for it again without the operators.
package async
