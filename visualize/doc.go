// Package visualize draws tensors from the inside: the storage beneath views, the path of a call through the
// dispatcher, the graph that a backward pass walks.
//
//	x := tensor.Arange(12).View(3, 4)
//	fmt.Println(visualize.Strides(x, x.T()))
//
// prints, in a session,
//
//	storage #1  int64[12]  96 B  version 0
//	  addr   +0   +8  +16  +24  +32  +40  +48  +56  +64  +72  +80  +88
//	  value   0    1    2    3    4    5    6    7    8    9   10   11
//	  x     0,0  0,1  0,2  0,3  1,0  1,1  1,2  1,3  2,0  2,1  2,2  2,3
//	  x.T() 0,0  1,0  2,0  3,0  0,1  1,1  2,1  3,1  0,2  1,2  2,2  3,2
//
// and below it, for each view, shape, stride, offset and the address of one element as a sum.
//
// # What there is
//
//   - [Card]: a tensor's text, what it is, what its elements are like, and whether it keeps more memory alive than it
//     shows.
//   - [Strides]: storages cell by cell, and the index under which each view sees every cell.
//   - [Order]: the addresses that loops touch, in the order in which they touch them, and the cache lines that this
//     takes.
//   - [Plans]: how pointwise calls and reductions walk their operands: promoted, broadcast, permuted, coalesced; %plan
//     at the prompt.
//   - [Broadcast]: shapes aligned dimension by dimension, what is broadcast, and where sizes do not meet.
//   - [Matmul], [Einsum]: the dimensions of a product: those of the batch, which broadcast, those that stay, and those
//     over which is summed.
//   - [Shapes]: what shapes go through a function, call by call, with nothing computed; %shapes at the prompt.
//   - [Explain]: what an error is about, as a picture.
//   - [Explore]: one storage and the views that it allows: sliders for sizes, strides and offset in a notebook, frames
//     elsewhere.
//   - [Table]: what the dispatcher has for an operator at each key, and its derivative.
//   - [Support]: the devices and dtypes that operators take.
//   - [Branches]: the choices of a call, by key and by dtype, and the cube of devices, layouts and dtypes; %branches.
//   - [Chain]: a call from its schema and binding to kernel and derivative, each with its place in the source; %chain.
//   - [TraceFunc]: what the dispatcher did while a function ran; %trace at the prompt.
//   - [Flame]: where the time of a function went, and what its kernels reached of what the machine can do; %flame.
//   - [Memory]: the memory of the tensors that a function makes, and what is held for backward; %memory.
//   - [Timeline]: what the host and each stream of a device that answers later did, and who waited for whom;
//     %timeline.
//   - [Allocator]: the memory of a device with a caching allocator: segments, blocks, and what is lost; %allocator.
//   - [ReadTrace]: a trace that %trace -o wrote to a file; [Trace.Page] makes a page of it, [Trace.Chrome] what
//     Perfetto opens.
//   - [Graph]: what a backward pass will walk, what each node keeps for it, and what of that is stale.
//   - [Backward]: a backward pass as it runs, step by step: the values that flow, where they are added up, what is
//     freed.
//   - [Aliases]: which names look into which storage, how they were made of one another, and what memory they keep.
//   - [Versions]: who wrote to a storage, operator and line, and what was saved before.
//   - [Image], [ImageGrid]: image tensors as pictures.
//   - [Plot], [Scatter], [Hist]: lines, points, and how often numbers occur; [Heatmap]: a matrix in colours.
//   - [Live]: a plot that grows while a loop runs.
//   - [Bits]: a number bit by bit, exactly, with its neighbours; %bits at the prompt.
//   - [Program]: the calls of a function as a small typed program that can be run again; %program.
//   - [Gradcheck]: derivatives by formulas and by differences, and where they are apart; %gradcheck.
//   - [MinCut]: a function and its backward pass, and what to save between them; %mincut.
//   - [Operators]: the operators by topic, or those that match a text; %ops.
//   - [Layers]: what a tensor is inside of Vmap and JVP: a batch, a dual number.
//   - [RNG]: a random number generator: seed, state, which call drew which numbers; %rng.
//   - [Show]: any of them, or another value, from inside a cell.
//
// # Where it is
//
// Each view has files of its name in one of the packages behind this one, which offers all of them under its own name
// (facade_gen.go): [gotorch/visualize/memory], [gotorch/visualize/shapes], [gotorch/visualize/grad],
// [gotorch/visualize/runs], [gotorch/visualize/programs],
// [gotorch/visualize/operators] and [gotorch/visualize/plot]. They share [gotorch/visualize/draw]. A new view is its
// files, a name in the table of internal/gen/facade, an example with its golden text here, and, for a magic, a row in
// the table viewMagics of interp/shell/magic_views.go.
//
// # What a view is
//
// A view is data first: a struct that prints as JSON ([JSON]). Then it is text, with or without colour, an SVG, and
// HTML that needs no script and no style sheet ([View]). Its method MIMEBundle lets a notebook show the picture where
// a terminal shows the text. Colour never says what the text does not.
//
// Views read tensors and change none, nor do they keep any alive: what they show is copied when they are made.
// However large a tensor is, a view of it is made in a moment and stays small; what is left out is counted. Pictures
// ([Image]) alone are as large as the image.
//
// [Caption] puts a sentence about this very case beneath the picture: what the view shows, with its numbers.
//
// # Names
//
// In a session, views call tensors as the user does: by the variable that holds a tensor, by what was typed as an
// argument, and, in a graph, by the name to which the result was assigned with cell and line, y @ In[3]:2. The
// session tells them as the [gotorch/visualize/display.Host]; without one they are x, or x₁, x₂.
package visualize
