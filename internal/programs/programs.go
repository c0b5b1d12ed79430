// Package programs has the programs that measure how fast cells are interpreted: in Go, as cells, and in Python. The
// benchmarks of package interp run them beside yaegi, and command internal/bench beside Python as well.
package programs

// Program is a computation in two languages.
type Program struct {
	Name    string
	Declare string // Go: a cell that is run once
	Run     string // Go: the cell that is timed; its last line is the result
	Want    string // the result
	Setup   string // Python: run once
	Python  string // Python: what is timed
}

// All are the programs.
var All = []Program{
	{
		Name: "fib",
		Declare: `func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}`,
		Run: "fib(25)", Want: "75025",
		Setup: `
def fib(n):
 if n < 2:
  return n
 return fib(n-1) + fib(n-2)`,
		Python: "fib(25)",
	},
	{
		Name: "sieve",
		Declare: `func sieve(n int) int {
	composite := make([]bool, n+1)
	count := 0
	for i := 2; i <= n; i++ {
		if composite[i] {
			continue
		}
		count++
		for j := i * i; j <= n; j += i {
			composite[j] = true
		}
	}
	return count
}`,
		Run: "sieve(300000)", Want: "25997",
		Setup: `
def sieve(n):
 composite = [False] * (n+1)
 count = 0
 for i in range(2, n+1):
  if composite[i]:
   continue
  count += 1
  for j in range(i*i, n+1, i):
   composite[j] = True
 return count`,
		Python: "sieve(300000)",
	},
	{
		Name:    "nested loops",
		Declare: "total := 0",
		Run: `total = 0
for i := 0; i < 1000; i++ {
	for j := 0; j < 1000; j++ {
		if (i+j)%3 == 0 {
			total += j
		}
	}
}
total`,
		Want: "166500333",
		Python: `total = 0
for i in range(1000):
 for j in range(1000):
  if (i+j)%3 == 0:
   total += j`,
	},
	{
		Name:    "loop",
		Declare: "s, f := 0, 0.0",
		Run: `s, f = 0, 0.0
for i := 0; i < 1000000; i++ {
	s += i
	f += float64(i) * 0.5
}
s`,
		Want: "499999500000",
		Python: `s, f = 0, 0.0
for i in range(1000000):
 s += i
 f += float(i) * 0.5`,
	},
	{
		Name:    "map loop",
		Declare: "counts := map[int]int{}",
		Run: `counts = map[int]int{}
for i := 0; i < 300000; i++ {
	counts[i%1000]++
}
len(counts)`,
		Want: "1000",
		Python: `counts = {}
for i in range(300000):
 counts[i%1000] = counts.get(i%1000, 0) + 1`,
	},
	{
		Name:    "append",
		Declare: "xs, at := []int{}, map[int]int{}",
		Run: `xs, at = nil, map[int]int{}
for i := 0; i < 300000; i++ {
	xs = append(xs, i*i%1009)
}
for i, x := range xs {
	at[x] = i
}
len(at)`,
		Want: "505",
		Python: `xs, at = [], {}
for i in range(300000):
 xs.append(i*i%1009)
for i, x in enumerate(xs):
 at[x] = i`,
	},
	{
		Name:    "sort with a closure",
		Declare: "import \"sort\"\nys := make([]int, 100000)",
		Run: `for i := range ys {
	ys[i] = i * 7919 % 100003
}
sort.Slice(ys, func(i, j int) bool { return ys[i] < ys[j] })
ys[1]`,
		Want:  "1",
		Setup: "import functools",
		Python: `ys = [i * 7919 % 100003 for i in range(100000)]
ys.sort(key=functools.cmp_to_key(lambda a, b: a - b))`,
	},
	{ // calls from one cell of a function of another
		Name:    "calls of a cell's function",
		Declare: "func inc(x int) int { return x + 1 }\nvar n int",
		Run: `n = 0
for i := 0; i < 100000; i++ {
	n = inc(n)
}
n`,
		Want: "100000",
		Setup: `
def inc(x):
 return x + 1`,
		Python: `n = 0
for i in range(100000):
 n = inc(n)`,
	},
}
