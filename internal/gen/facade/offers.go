package main

// offer is a package behind the facade and what of it package visualize offers: functions, and types that no function
// mentions. The types that a function returns or takes, and those of their exported fields and methods, come along.
type offer struct{ pkg, names string }

// offers is the table. A new view is a row of names here, beside its files.
var offers = []offer{
	{"draw", "View Captioner Captioned Caption Stats NameTensors Namer SetTextWidth Interactive Page"},
	{"plot", `Plot Scatter Hist Heatmap Image ImageGrid Live
		Annotate Bins Colormap Columns Groups Labels Legend LogX LogY Padding Range Scale Title XLabel XRange YLabel YRange`},
	{"shapes", `Broadcast Matmul Einsum Shapes RecordShapes SymbolicShapes RecordSymbolic SymbolicInput SymbolicSize
		SymbolicResult Explain Broadcasting Product Regrouping IndexAxis`},
	{"operators", "Table Support Operators Where Source Branches RecordBranches Chain RecordChain"},
	{"grad", "Graph Backward"},
	{"memory", "Card Header Strides Address Explore Aliases Shared Versions Order Plans RecordPlans Bits"},
	{"runs", `TraceFunc Record ReadTrace WriteFile Flame RecordFlame Peak Memory RecordMemory RNG LogDraws Devices
		SetClock`},
	{"programs", "Program RecordProgram DeadCode CommonSubexpressions Functionalize Derive MinCut Gradcheck Layers"},
	{"streams", "Timeline RecordTimeline Allocator"},
	{"training", "Weights Gradients Schedule"},
}
