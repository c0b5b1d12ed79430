package main

// offer is a package behind the facade and what of it package visualize offers: functions, and types that no function
// mentions. The types that a function returns or takes, and those of their exported fields and methods, come along.
type offer struct{ pkg, names string }

// offers is the table. A new view is a row of names here, beside its files.
var offers = []offer{
	{"draw", "View Stats NameTensors Namer SetTextWidth"},
	{"plot", `Plot Scatter Hist Heatmap Image ImageGrid Live
		Annotate Bins Colormap Columns Groups Labels Legend LogX LogY Padding Range Scale Title XLabel XRange YLabel YRange`},
	{"shapes", "Broadcast Shapes RecordShapes Explain Broadcasting Product Regrouping IndexAxis"},
	{"operators", "Table Support"},
	{"grad", "Graph Backward"},
	{"memory", "Card Strides Explore Aliases Versions Order Plans RecordPlans Bits"},
	{"runs", `TraceFunc Record ReadTrace WriteFile Flame RecordFlame Peak Memory RecordMemory Program RecordProgram
		DeadCode CommonSubexpressions Functionalize Derive RNG LogDraws Layers
		SetClock`},
	{"training", "Weights Gradients"},
}
