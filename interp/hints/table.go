package hints

import (
	"cmp"
	"gotorch/internal/lazyre"
	"gotorch/interp/check"
)

// shellHints are lines of a shell. Those whose first word is a name of the session are none.
var shellHints = []rule{
	{line: lazyre.New(`^;+\s*([a-z]\S*.*)$`), say: "!${1} runs it in the shell"},
	{line: lazyre.New(`^cd(?:\s+(\S.*))?$`), say: "%cd ${1} changes the directory"},
	{line: lazyre.New(`^pwd$`), say: "%pwd gives the directory"},
	{line: lazyre.New(`^(?:clear|cls)$`), say: "Ctrl-L clears the screen"},
	{line: lazyre.New(`^(?:history|hist)\b`), say: "%history lists what was typed"},
	{line: lazyre.New(`^(who|whos|timeit|time|env|run|load|save|edit|prof|mem|go|reset)(?:\s+[^=:(\s].*)?$`),
		make: func(_ Names, m []string) string {
			if m[1] == "go" && m[0] != "go" {
				return ""
			}
			name := m[1]
			if name == "whos" {
				name = "who"
			}
			return "%" + name + " is a command of the session: the % belongs to it"
		}},
	{line: lazyre.New(`^((?:pip3?|conda|apt|apt-get|brew|npm|uv)\s+\S.*|go\s+(?:get|mod|install)\b.*)$`),
		say: "there is nothing to install, packages are built in; !${1} runs it in the shell"},
	{
		line: lazyre.New(
			`^((?:git|ls|ll|cat|mkdir|rm|mv|cp|grep|python3?|jupyter|curl|wget|make|docker|ssh|vi|vim|nano|echo|touch|head|tail|which|man|find|du|df|ps|kill|nvidia-smi|htop|top)(?:\s+[^=:(\s].*)?)$`), say: "!${1} runs it in the shell"},
	{line: lazyre.New(`^(go\s+(?:run|build|test|fmt|vet|version|env|doc|tool|generate|work)\b.*)$`),
		say: "!${1} runs it in the shell"},
	{line: lazyre.New(`^\]`), say: "there are no packages to add: those of gotorch and of Go's library are built in"},
	{line: lazyre.New(`^:(?:q|quit|wq)!?$`), say: "exit leaves, and Ctrl-D"},
}

// lineHints are lines of Python and of others.
var lineHints = []rule{
	{line: lazyre.New(`^import\s+([A-Za-z_][\w.]*)(?:\s+as\s+\w+)?\s*(?:,.*)?$`), make: importHint},
	{line: lazyre.New(`^from\s+([A-Za-z_][\w.]*)\s+import\b`), make: importHint},
	{line: lazyre.New(`^(?:async\s+)?def\s+(\w+)\s*\(`), say: "Go writes func ${1}(x *Tensor) *Tensor { return … }"},
	{line: lazyre.New(`^function\s+(\w+)\s*\(`), say: "Go writes func ${1}(x *Tensor) *Tensor { return … }"},
	{line: lazyre.New(`^class\s+(\w+)`),
		say: "Go writes type ${1} struct { … }, and methods func (m *${1}) Forward(x *Tensor) *Tensor { … }"},
	{line: lazyre.New(`^for\s+(\w+)\s+in\s+range\(([^,()]+(?:\([^()]*\))?)\)\s*:`),
		say: "Go writes for ${1} := range ${2} { … }"},
	{line: lazyre.New(`^for\s+(\w+)\s+in\s+range\(([^,()]+),\s*([^,()]+)\)\s*:`),
		say: "Go writes for ${1} := ${2}; ${1} < ${3}; ${1}++ { … }"},
	{line: lazyre.New(`^for\s+(\w+)\s+in\s+range\(([^,()]+),\s*([^,()]+),\s*([^,()]+)\)\s*:`),
		say: "Go writes for ${1} := ${2}; ${1} < ${3}; ${1} += ${4} { … }"},
	{line: lazyre.New(`^for\s+(\w+)\s*,\s*(\w+)\s+in\s+enumerate\((.+)\)\s*:`),
		say: "Go writes for ${1}, ${2} := range ${3} { … }"},
	{line: lazyre.New(`^for\s+(\w+)\s*,\s*(\w+)\s+in\s+(.+)\.items\(\)\s*:`),
		say: "Go writes for ${1}, ${2} := range ${3} { … }"},
	{line: lazyre.New(`^for\s+(\w+)\s*(?:in|=|∈)\s*(\w+):(\w+)$`),
		say: "Go writes for ${1} := ${2}; ${1} <= ${3}; ${1}++ { … }"},
	{line: lazyre.New(`^for\s+(.+?)\s+in\s+(.+?)\s*:`),
		say: "Go writes for _, ${1} := range ${2} { … }; of a tensor range ${2}.Unbind(0)"},
	{line: lazyre.New(`^while\s+(?:True|true)\s*:`), say: "Go writes for { … }"},
	{line: lazyre.New(`^while\s+(.+?)\s*:`), say: "Go writes for ${1} { … }"},
	{line: lazyre.New(`^with\s+(?:torch\.)?(?:no_grad|inference_mode)\(\)\s*:`),
		say: "Go writes autograd.NoGrad(func() { … })"},
	{line: lazyre.New(`^with\s.*:`),
		say: "Go has no with: defer f.Close() runs at the end of the function, autograd.NoGrad(func() { … }) around one"},
	{line: lazyre.New(`^try\s*:`),
		say: "Go has no exceptions: if err != nil { … } after the call; a panic is caught by defer func() { recover() }()"},
	{line: lazyre.New(`^except\b.*:`), say: "Go has no exceptions: if err != nil { … } after the call"},
	{line: lazyre.New(`^(?:\}?\s*)else\s*:`), say: "Go writes } else {"},
	{line: lazyre.New(`^elif\s+(.+?)\s*:`), say: "Go writes } else if ${1} {"},
	{line: lazyre.New(`^if\s+(.+?)\s*:\s*(?:#.*)?$`), say: "Go writes if ${1} { … }"},
	{line: lazyre.New(`^if\s+([^{]+?)\s*:\s+\S`), say: "Go writes if ${1} { … }"},
	{line: lazyre.New(`^package\s+\w+$`), say: "a cell has no package clause: leave it out. A whole program with func " +
		"main may be pasted as one cell, %run FILE runs a file"},
	{line: lazyre.New(`^(?:torch\.)?(?:SetPrintOptions|set_printoptions)\(precision\s*=\s*(\d+)\)$`),
		say: "%precision ${1} sets the digits"},
	{line: lazyre.New(`^pass$`), say: "Go needs no pass: an empty block is { }"},
	{line: lazyre.New(`^del\s+(.+)$`), say: "%reset ${1} forgets it; ${1} = nil frees what a tensor holds"},
	{line: lazyre.New(`^(?:global|nonlocal)\s`),
		say: "Go needs no global: a function sees and changes the names around it"},
	{line: lazyre.New(`^print\s+([^=:(\s].*)$`), say: "Go writes fmt.Println(${1})"},
	{line: lazyre.New(`^(?:let|auto)\s+(?:mut\s+)?(\w+)\s*=\s*(.+)$`), say: "Go writes ${1} := ${2}"},
	{line: lazyre.New(`^(\w+)\s*:\s*(?:int|float|str|bool|list|dict|torch\.\w+)\s*=\s*(.+)$`),
		say: "Go writes ${1} := ${2}"},
	{line: lazyre.New(`^(int|bool|string|float32|float64)\s+(\w+)\s*=\s*(.+)$`),
		say: "Go writes ${2} := ${3}, or var ${2} ${1} = ${3}"},
	{line: lazyre.New(`^(?:using\s|#include\b|require\()`),
		say: "Go imports paths in quotes, import \"strings\"; what tensors have stands alone"},
	{line: lazyre.New(`^(\w+)\s*(:?=)\s*(.+)\s+if\s+(.+)\s+else\s+(.+)$`),
		say: "Go has no conditional expression: ${1} := ${5}; if ${4} { ${1} = ${3} }; of tensors Where(${4}, ${3}, ${5})"},
	{line: lazyre.New(`^([^=]+)\s+if\s+(.+)\s+else\s+(.+)$`),
		say: "Go has no conditional expression: if ${2} { … } else { … }; of tensors Where(${2}, ${1}, ${3})"},
	{line: lazyre.New(`^.*?([\pL_][\w.]*|[)\]])\s*\*\*\s*([\w.]+)`), make: power},
	{line: lazyre.New(`^(\w+)\s*:?=\s*\{(?:\}|\s*["'].*)$`),
		say: "Go writes ${1} := map[string]int{\"a\": 1}, with the types that are meant"},
	{line: lazyre.New(`^(\w+)\((\w+(?:,\s*\w+)*)\)\s*=\s*([^=].*)$`),
		say: "Go writes func ${1}(${2} *Tensor) *Tensor { return ${3} }, with the types that are meant"},
	{line: lazyre.New(`^(?:\w+\s*:?=\s*)?\[[-\d.]+(?: +[-\d.]+)+(?:\s*;.*)?\]$`),
		say: "a matrix is New([[1, 2], [3, 4]]), with commas"},
	{line: lazyre.New(`^(\d+):(\d+)$`),
		say: "Arange(${1}, ${2}+1) is a tensor of these numbers; for i := range 3 { … } counts"},
	{line: lazyre.New(`^(\w+)'$`), say: "${1}.T() is the transpose"},
	{line: lazyre.New(`^(.+?)\s*\|>\s*(\w+)$`), say: "Go calls functions: ${2}(${1})"},
	{line: lazyre.New(`^"((?:[^"\\]|\\.)*)"\s*%\s*\(?(.+?)\)?$`), say: "Go writes fmt.Sprintf(\"${1}\", ${2})"},
	{
		line: lazyre.New(
			`^(?:\w+\s*:?=\s*)?(?:pd|np|numpy|pandas|CSV|DelimitedFiles)\.(?:read_csv|loadtxt|genfromtxt|fromfile|read|File)\(`), say: csvHint},
	{line: lazyre.New(`^type\((\w+)\)$`), say: "?${1} tells its type; in Go: fmt.Sprintf(\"%T\", ${1})"},
	{line: lazyre.New(`^@(?:time|timev|elapsed)\s+(.+)$`), say: "%time ${1} says how long it takes"},
	{line: lazyre.New(`^@(?:btime|benchmark|belapsed|timeit)\s+(.+)$`), say: "%timeit ${1} times it"},
	{line: lazyre.New(`^@(?:show|info|debug|dump)\s+(.+)$`),
		say: "${1} alone as the last line shows it, fmt.Println(${1}) prints it anywhere"},
	{line: lazyre.New(`^@(?:which|doc|help)\s+(.+)$`), say: "?${1} tells what it is"},
	{line: lazyre.New(`^@(?:less|functionloc)\s+(.+)$`), say: "??${1} shows its source"},
	{line: lazyre.New(`^@edit\s+(.+)$`), say: "%edit ${1} opens it in $EDITOR"},
	{line: lazyre.New(`^@(?:code_\w+|macroexpand|expand)\s+(.+)$`), say: "%go ${1} shows the plain Go of it"},
	{line: lazyre.New(`^@(?:profile|prof)\s+(.+)$`), say: "%prof ${1} says where its time goes"},
	{line: lazyre.New(`^@(?:allocated|allocations)\s+(.+)$`), say: "%memory ${1} tells the bytes of its tensors"},
	{line: lazyre.New(`^@(?:assert|test)\s+(.+)$`), say: "Go writes if !(${1}) { panic(…) }"},
	{line: lazyre.New(`^@(?:torch\.)?(?:no_grad|inference_mode)\b`), say: "Go writes autograd.NoGrad(func() { … })"},
	{line: lazyre.New(`^@\w+`), say: "Go has no decorators: write a function around a func"},
}

// phraseHints are what stands anywhere in a line that no grammar of Go's takes; what is in quotes is blanked before.
var phraseHints = []rule{
	{line: lazyre.New(`\blambda\s*(\w*)[\w\s,]*:\s*([^,)]+)`), make: func(_ Names, m []string) string {
		return "Go writes func(" + cmp.Or(m[1], "x") + " *Tensor) *Tensor { return " + m[2] +
			" }, with the types that are meant"
	}},
	{line: lazyre.New(`"""`), say: "Go writes texts of several lines between backquotes: `…`"},
	{line: lazyre.New(`([\w.]+)\.type\(`), say: "${1}.Dtype() is a tensor's dtype, ${1}.To(Int64) converts it"},
	{line: lazyre.New(`\btype\(([^()]*)\)`), say: "?${1} tells its type; in Go: fmt.Sprintf(\"%T\", ${1})"},
	{line: lazyre.New(`\w\(\(\)`), say: "Go has no tuples: a tensor without dimensions is Randn(), Zeros()"},
	{line: lazyre.New(`^(\w+)\s*:?=\s*(\w+)\s*=\s*([^=\s].*)$`),
		say: "Go assigns once in a line: ${1}, ${2} := ${3}, ${3}"},
	{line: lazyre.New(`\bis\s+not\s+None\b`), say: "Go writes x != nil"},
	{line: lazyre.New(`\bis\s+None\b`), say: "Go writes x == nil"},
	{line: lazyre.New(`[\w)\]]\s*\.\^`), say: "x.Pow(2) takes each element to a power"},
	{line: lazyre.New(`[\w)\]]\s*\.([-+*/])\s*[\w(]`), say: "operators are elementwise without a dot: x ${1} y"},
	{line: lazyre.New(`(?:^|[^\w.])([1-9]\d*(?:\.\d+)?)([\pL_]\w*)`), make: juxtaposed},
}

// stringHints are compared with what stands one letter before the place of such an error.
var stringHints = []rule{
	{line: lazyre.New(`^[fF]"((?:[^"\\]|\\.)*)"`), make: formatted},
	{line: lazyre.New(`^[fF]'((?:[^'\\]|\\.)*)'`), make: formatted},
	{line: lazyre.New(`^[rR]"([^"]*)"`), say: "Go writes raw texts between backquotes: `${1}`"},
}

// placeHints are compared with what stands at the place of the error.
var placeHints = []rule{
	{line: lazyre.New(`^range\(([^()]*)\)`), say: "Go writes for i := range ${1} { … }; Arange(${1}) is a tensor"},
	{line: lazyre.New(`^grad\s*=\s*(?:None|nil)\b`), say: "Grad is a method: SetGrad(nil) takes the gradient away"},
	{line: lazyre.New(`^requires_grad\s*=\s*(?:True|true)\b`), say: "RequiresGrad_() sets it, RequiresGrad() tells"},
	{line: lazyre.New(`^requires_grad\s*=\s*(?:False|false)\b`),
		say: "RequiresGrad_(false) sets it, RequiresGrad() tells"},
	{line: lazyre.New(`^((?:torch|linalg|fft|special|nn|F|functional|optim|np|numpy|plt|random|math|time)\.` +
		`(?:\w+\.)*)(\w+)`), make: pythonPath},
}

// messageHints are what the check says, in words that help more.
var messageHints = []rule{
	{line: lazyre.New(`^cannot use ~ outside of interface or type constraint$`),
		say: "Go writes ^ for ~: ^m of a mask, ^n of an int"},
	{line: lazyre.New(`^(?:too many|not enough|missing) arguments? in conversion to (nn|optim)\.(\w+)$`),
		make: func(n Names, m []string) string {
			made := m[1] + ".New" + m[2]
			if !known(n, made) {
				return ""
			}
			return m[1] + "." + m[2] + " is a type; " + made + " makes one"
		}},
	{
		line: lazyre.New(
			`^.*\(mismatched types (?:untyped )?string and (?:untyped )?(?:int|float|float32|float64|bool|rune)\)$`),
		say: "${0}; Go adds only strings to a string: fmt.Sprint(\"n = \", n) takes anything"},
	{
		line: lazyre.New(
			`^.*\(mismatched types (?:untyped )?(?:int|float|float32|float64|bool|rune) and (?:untyped )?string\)$`),
		say: "${0}; Go adds only strings to a string: fmt.Sprint(n, \" px\") takes anything"},
	{line: lazyre.New(`^assignment mismatch: 1 variable but \S+ returns 2 values$`),
		say: "${0}: write n, err := …, or n, _ := …"},
	{line: lazyre.New(`^assignment mismatch: \d+ variables but (\S+)\.(?:Shape|Size) returns 1 value$`),
		say: "a slice is not spread over variables: s := ${1}.Shape(), and then s[0], s[1]"},
	{line: lazyre.New(`^multiple-value .+ \(value of type \((\w+) \*?\S+ (\w+) \*?\S+\)\) in single-value context$`),
		say: "a call that returns several values is assigned first: ${1}, ${2} := …"},
	{line: lazyre.New(`^Nonzero takes no keyword as_tuple`),
		say: "Nonzero takes no keyword as_tuple: x.Nonzero().Unbind(1) are those tensors, one for each dimension"},
	{line: lazyre.New(`(?s)^too many arguments in call to (\S+)\.Item\b.*$`),
		say: "Item takes no index: ${1}.At(0, 1) is an element, ${1}[0, 1] a tensor of one"},
	{line: lazyre.New(`^cannot convert (.+) \((?:variable|value) of type \*Tensor\) to type (?:u?int\d*)$`),
		say: "a tensor of one element gives its number with ${1}.ItemInt()"},
	{line: lazyre.New(`^cannot convert (.+) \((?:variable|value) of type \*Tensor\) to type (?:float\d\d|bool)$`),
		say: "a tensor of one element gives its number with ${1}.Item(), or ItemBool()"},
	{line: lazyre.New(`^cannot use (.+) \((?:variable|value) of type \*Tensor\) as (float64|int|bool) value in .*$`),
		make: func(_ Names, m []string) string {
			return "a tensor of one element gives its number with " + m[1] +
				map[string]string{"float64": ".Item()", "int": ".ItemInt()", "bool": ".ItemBool()"}[m[2]]
		}},
	{line: lazyre.New(`^cannot use (.+) \((?:variable|value) of type \*Tensor\) as \[\](\w+) value in .*$`),
		say: "a tensor gives its elements as a slice with Data[${2}](${1})"},
	{line: lazyre.New(`^cannot range over (\S+)\.Tolist\(\) \(value of interface type any\)$`),
		say: "Tolist gives an any; Data[float32](${1}) is a slice of the elements"},
	{line: lazyre.New(`^cannot use (\S+) \((?:variable|value) of type \[\]int\) as int value in argument to \S+$`),
		say: "${0}: ${1}... spreads it"},
	{line: lazyre.New(`^cannot assign to (\S+)\.Grad\(\) \(neither addressable`),
		say: "${1}.SetGrad(nil) takes the gradient away, ${1}.SetGrad(g) sets it"},
	{line: lazyre.New(`^cannot assign to (\w+) \(neither addressable`), make: func(n Names, m []string) string {
		if d := n.Env.Lookup(m[1]); d == nil || d.Kind != check.Const {
			return ""
		}
		return "cannot assign to " + m[1] + ": it is a constant; const " + m[1] + " = … defines it anew, " + m[1] +
			" := … a variable"
	}},
}

// pathHints say of the last of several names, torch.cuda.is_available, what there is instead.
var pathHints = map[string]string{
	"no_grad":        "torch.no_grad is autograd.NoGrad(func() { … }) here",
	"inference_mode": "torch.inference_mode is autograd.NoGrad(func() { … }) here",
	"is_available":   "Devices() lists the devices: %device says more of each, gotorch-repl doctor of the machine",
	"tensor":         "torch.tensor is New here: the names of package tensor stand alone",
	"array":          "np.array is New here: New([[1, 2], [3, 4]])",
	"asarray":        "np.asarray is New here: New([[1, 2], [3, 4]])",
	"from_numpy":     "torch.from_numpy is New here: New(xs) copies a slice, LoadNpy(path) reads a file",
	"plot":           "visualize.Plot(y) draws; in a notebook it is a picture",
	"imshow":         "visualize.Heatmap(x) and visualize.ImageGrid(x) draw; in a notebook they are pictures",
	"float":          "torch.float is Float32 here",
	"double":         "torch.double is Float64 here",
	"half":           "torch.half is Float16 here",
	"long":           "torch.long is Int64 here",
	"int":            "torch.int is Int32 here",
	"short":          "torch.short is Int16 here",
	"device":         `torch.device("cpu") is NamedDevice("cpu") here; x.To("cpu") and device="cpu" take the name`,
	"Tensor":         "torch.Tensor is *Tensor here, and New([1, 2]) makes one",
	"seed":           "ManualSeed(0) sets the seed of tensors, rand.New(rand.NewSource(0)) is a generator of Go's",
}

const gradMode = "autograd.NoGrad(func() { … }) and autograd.EnableGrad(func() { … }): the mode holds in a function"

// wordHints say of a name that is not there what there is instead.
var wordHints = map[string]string{
	"NoGrad":      "autograd.NoGrad(func() { … })",
	"no_grad":     "autograd.NoGrad(func() { … })",
	"EnableGrad":  "autograd.EnableGrad(func() { … })",
	"Save":        `SaveNpy("x.npy", x) writes a tensor, SaveNpz("w.npz", map[string]*Tensor{"w": w}) several`,
	"save":        `SaveNpy("x.npy", x) writes a tensor, SaveNpz("w.npz", map[string]*Tensor{"w": w}) several`,
	"Load":        `LoadNpy("x.npy") reads a tensor, LoadNpz("w.npz") several`,
	"load":        `LoadNpy("x.npy") reads a tensor, LoadNpz("w.npz") several`,
	"enumerate":   "Go writes for i, x := range xs { … }",
	"zip":         "Go writes for i := range xs { … xs[i], ys[i] … }",
	"list":        "Go has slices, []int{1, 2}; of a tensor x.Tolist()",
	"dict":        "Go has maps, map[string]int{\"a\": 1}",
	"set":         "Go writes map[string]bool{\"a\": true}",
	"tuple":       "Go has no tuples: a function may return several values, a struct holds them",
	"isinstance":  "Go writes if y, ok := x.(T); ok { … } of an interface",
	"sorted":      "Go writes slices.Sort(xs), in place; of tensors Sort(x)",
	"reversed":    "Go writes slices.Reverse(xs), in place; of tensors Flip(x, [0])",
	"input":       inputHint,
	"raw_input":   inputHint,
	"readline":    inputHint,
	"Input":       inputHint,
	"getpass":     passwordHint,
	"Password":    passwordHint,
	"open":        "Go writes os.ReadFile(\"name\"), or os.Open",
	"printf":      "Go writes fmt.Printf(\"%v\\n\", x)",
	"Println":     "Go writes fmt.Println(…)",
	"Printf":      "Go writes fmt.Printf(\"%v\\n\", x)",
	"ans":         "_ is what was shown last",
	"plt":         "visualize.Plot(y) draws; in a notebook it is a picture",
	"pd":          "there are no data frames here: " + csvHint,
	"random":      "Go writes rand.IntN(6) with import \"math/rand/v2\"; of tensors Rand(2, 3), Randn(2, 3)",
	"size":        "x.Shape() gives all sizes, x.Size(0) one",
	"False":       "Go writes false",
	"null":        "Go writes nil",
	"NULL":        "Go writes nil",
	"undefined":   "Go writes nil",
	"this":        "a method names its receiver, func (t T) M()",
	"must":        "func must[T any](x T, err error) T { if err != nil { panic(err) }; return x } defines it",
	"Exception":   "Go writes errors.New(\"…\")",
	"raise":       "Go writes panic(…), or returns an error",
	"sleep":       "Go writes time.Sleep(time.Second)",
	"typeof":      "?x tells the type of x; in Go: fmt.Printf(\"%T\", x)",
	"length":      "len(xs) of a slice, x.Size(0) or x.Numel() of a tensor",
	"varinfo":     "%who lists the names that cells have defined",
	"vars":        "%who lists the names that cells have defined",
	"globals":     "%who lists the names that cells have defined",
	"locals":      "%who lists the names that cells have defined",
	"whos":        "%who lists the names that cells have defined",
	"methods":     "Tab behind x. lists the methods of x; ?x.Sum tells of one",
	"edit":        "%edit NAME opens it in $EDITOR",
	"include":     "%run FILE runs a file here",
	"exec":        "%run FILE runs a file here",
	"eval":        "cells are run, texts are not: a function does that",
	"exit":        "exit alone on a line leaves the prompt, and Ctrl-D; a notebook is left by its menu",
	"quit":        "exit alone on a line leaves the prompt, and Ctrl-D; a notebook is left by its menu",
	"end":         "a range without its end goes to the end, x[1:]; the last of a tensor is x[-1]",
	"π":           "math.Pi",
	"sys":         "os.Args are the arguments, os.Stdout is the output, exit leaves",
	"re":          "Go has package regexp: regexp.MustCompile(`a+`).FindAllString(s, -1)",
	"np":          "tensors do NumPy's work: Arange(6).View(2, 3)",
	"subprocess":  "!ls runs a program, files := !ls gives its lines",
	"glob":        "filepath.Glob(\"*.csv\"), or files := !ls *.csv",
	"tqdm":        "Go writes for i := range n { … }; %time says how long it took",
	"_dh":         "%cd - goes back to the directory before",
	"_ih":         "In[3] is the text of cell 3",
	"_oh":         "Out[3] is what cell 3 showed",
	"get_ipython": "%help lists the commands, and each stands on a line of its own",
	"display":     "x alone as the last line shows it; display.Show(x) does anywhere",
	"id":          "%alias tells which tensors share memory",

	"SetGradEnabled": gradMode,
	"FromNumpy":      "New(xs) copies a slice, LoadNpy(path) reads a file",
	"Numel":          "x.Numel() is a method",
	"IsTensor":       "_, ok := v.(*Tensor) tells of a value of type any",
}

// inputHint and passwordHint say how a user is asked.
const (
	inputHint    = `name, err := display.Input("name? ") asks for a line; fmt.Scan(&n) reads numbers and words`
	passwordHint = `pw, err := display.Password("password: ") asks for a text that is not shown`
)

// csvHint says how a table of numbers is read.
const csvHint = `f, err := os.Open("x.csv"); rows, err := csv.NewReader(f).ReadAll() reads a table as texts, strconv.ParseFloat(rows[1][0], 64) a number, New(numbers) makes a tensor`

// packageHints say of names that Python's packages have what to write here.
var packageHints = map[string]string{
	"os.listdir":        "os.ReadDir(\".\"), or files := !ls",
	"os.environ":        "os.Getenv(\"HOME\"), or %env HOME",
	"os.getenv":         "os.Getenv(\"HOME\"), or %env HOME",
	"os.getcwd":         "os.Getwd(), or %pwd",
	"os.chdir":          "os.Chdir(\"dir\"), or %cd dir",
	"os.system":         "!ls runs it in the shell",
	"os.path":           "package filepath: filepath.Join(\"a\", \"b\"), os.Stat(\"name\")",
	"json.dumps":        "json.MarshalIndent(x, \"\", \"  \")",
	"json.dump":         "json.NewEncoder(f).Encode(x)",
	"json.loads":        "json.Unmarshal([]byte(s), &x)",
	"json.load":         "json.NewDecoder(f).Decode(&x)",
	"time.time":         "time.Now(), and time.Since(t)",
	"time.perf_counter": "time.Now(), and time.Since(t); %time and %timeit measure",
	"time.sleep":        "time.Sleep(time.Second)",
	"csv.reader":        csvHint,
	"math.pi":           "math.Pi",
	"math.inf":          "math.Inf(1)",
	"math.nan":          "math.NaN()",
}

// memberHints say of a member that tensors lack what there is instead; X is the tensor.
var memberHints = map[string]string{
	"cuda": `X.To("async") moves to a device of that name; Devices() lists them`,
	"cpu":  "X.To(CPU) moves it; tensors are there already",
	"numpy": "Go has no NumPy: X.Tolist() gives Go's values, Data[float32](X) a slice, SaveNpy(\"x.npy\", X) a " +
		"file for it",
	"Numpy": "Go has no NumPy: X.Tolist() gives Go's values, Data[float32](X) a slice, SaveNpy(\"x.npy\", X) a " +
		"file for it",
	"NumPy": "Go has no NumPy: X.Tolist() gives Go's values, Data[float32](X) a slice, SaveNpy(\"x.npy\", X) a " +
		"file for it",
	"ndim":     "X.Dim() is the number of dimensions",
	"Ndim":     "X.Dim() is the number of dimensions",
	"astype":   "X.To(dtype=Float32) is X in another dtype",
	"copy":     "X.Clone() is a copy",
	"Copy":     "X.Clone() is a copy",
	"len":      "X.Size(0) is the first dimension, X.Numel() the number of elements",
	"Len":      "X.Size(0) is the first dimension, X.Numel() the number of elements",
	"length":   "X.Size(0) is the first dimension, X.Numel() the number of elements",
	"append":   "Cat([X, y], dim=0) is both, one behind the other",
	"device":   "X.Device() tells where it is",
	"Data":     "Data[float32](X) gives the elements as a slice",
	"nelement": "X.Numel() is the number of elements",
	"type":     "X.To(Float32) is X in another dtype, X.Dtype() tells which it has",
	"apply":    elementwise,
	"apply_":   elementwise,
	"map":      elementwise,
	"map_":     elementwise,
	"data_ptr": "X.Storage().ID() tells storages apart, %alias which tensors share one",
	"print":    "fmt.Println(X), or X alone as the last line",
	"values":   "X.Tolist() gives Go's values",
	"dot":      "X.Dot(y) of vectors, X @ y of matrices",
}

const elementwise = "for i, v := range Data[float32](X) { … } goes over the elements of a contiguous tensor"

// otherPackages are packages of Go's library that cells do not have, by name.
var otherPackages = map[string]string{
	"net": "net", "signal": "os/signal", "syscall": "syscall",
	"unsafe": "unsafe",
	"sql":    "database/sql", "embed": "embed", "unique": "unique", "aes": "crypto/aes", "cipher": "crypto/cipher",
	"rsa": "crypto/rsa", "term": "golang.org/x/term",
}

// insteadOf is what does in a session what a package that is not there would be wanted for; a command of the shell is
// behind a bar, for the restricted mode has none.
var insteadOf = map[string]string{
	"net": "net/http is, and fetches what has a URL",

	"golang.org/x/term": passwordHint,
}
