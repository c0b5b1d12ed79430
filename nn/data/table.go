package data

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gotorch/tensor"
)

// Table is columns of numbers. A column of strings holds their indices in Classes, which is sorted; what is missing is
// NaN.
type Table struct {
	Names   []string
	Columns [][]float64
	Classes map[string][]string
}

// Len is the number of rows.
func (t *Table) Len() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return len(t.Columns[0])
}

// Column is a column as float32, (rows).
func (t *Table) Column(name string) *tensor.Tensor {
	return tensor.FromSlice(slices.Clone(t.Columns[t.find("data.Table", name)])).To(tensor.Float32)
}

func (t *Table) find(op, name string) int {
	i := slices.Index(t.Names, name)
	if i < 0 {
		panic(tensor.Errorf(op, "there is no column %s; there are %s", name, strings.Join(t.Names, ", ")))
	}
	return i
}

// Dataset makes a data set: X is the columns but for the target as float32, Y the target, int64 if it is a class and
// float32 otherwise. Without a target there is no Y.
func (t *Table) Dataset(target string) Dataset {
	const op = "data.Table"
	at := -1
	if target != "" {
		at = t.find(op, target)
	}
	var xs []*tensor.Tensor
	for i, name := range t.Names {
		if i != at {
			xs = append(xs, t.Column(name))
		}
	}
	if len(xs) == 0 {
		panic(tensor.Errorf(op, "there is no column beside the target"))
	}
	x := tensor.Stack(xs, tensor.NewOption("dim", 1))
	if at < 0 {
		return Tensors(x)
	}
	y := t.Column(target)
	if t.Classes[target] != nil {
		y = y.To(tensor.Int64)
	}
	return Tensors(x, y)
}

// CSV reads a file of comma-separated values, packed if its name ends with .gz. opt.Header (true) tells whether the
// first line has the names of the columns; without, they are called 0, 1 and so on. A column that is not of numbers is
// one of classes.
func CSV(path string, opts ...tensor.Option) *Table {
	const op = "data.CSV"
	header := true
	if v, ok := tensor.Keywords(op, opts, "header")["header"].(bool); ok {
		header = v
	}
	f, done := open(op, path)
	defer done()
	r := csv.NewReader(f)
	r.TrimLeadingSpace = true
	var names []string
	var columns [][]string
	for n := 0; ; n++ {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(tensor.Errorf(op, "%s: %v", path, err))
		}
		if n == 0 {
			columns = make([][]string, len(row))
			if header {
				names = row
				continue
			}
		}
		for i, v := range row {
			columns[i] = append(columns[i], v)
		}
	}
	if names == nil {
		for i := range columns {
			names = append(names, strconv.Itoa(i))
		}
	}
	t := &Table{Names: names, Classes: map[string][]string{}}
	for i, c := range columns {
		t.add(names[i], c)
	}
	return t
}

// add reads a column: numbers, or classes where one is no number.
func (t *Table) add(name string, texts []string) {
	out := make([]float64, len(texts))
	for i, s := range texts {
		if s == "" {
			out[i] = math.NaN()
			continue
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.addClasses(name, texts)
			return
		}
		out[i] = v
	}
	t.Columns = append(t.Columns, out)
}

func (t *Table) addClasses(name string, texts []string) {
	classes := slices.Clone(texts)
	slices.Sort(classes)
	classes = slices.Compact(classes)
	out := make([]float64, len(texts))
	for i, s := range texts {
		n, _ := slices.BinarySearch(classes, s)
		out[i] = float64(n)
	}
	t.Columns, t.Classes[name] = append(t.Columns, out), classes
}

// JSONLines reads a file with a JSON object in each line, packed if its name ends with .gz. The columns are the keys
// of the first; their values must be numbers, strings, true or false, and null is missing.
func JSONLines(path string) *Table {
	const op = "data.JSONLines"
	f, done := open(op, path)
	defer done()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 64<<20)
	var names []string
	var columns map[string][]string
	for n := 1; s.Scan(); n++ {
		line := bytes.TrimSpace(s.Bytes())
		if len(line) == 0 {
			continue
		}
		var row map[string]any
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&row); err != nil || row == nil {
			panic(tensor.Errorf(op, "%s: line %d is no JSON object: %v", path, n, err))
		}
		if columns == nil {
			columns = map[string][]string{}
			for k := range row {
				names = append(names, k)
			}
			slices.Sort(names)
		}
		for _, k := range names {
			columns[k] = append(columns[k], cellText(op, path, n, k, row[k]))
		}
	}
	if err := s.Err(); err != nil {
		panic(tensor.Errorf(op, "%s: %v", path, err))
	}
	t := &Table{Names: names, Classes: map[string][]string{}}
	for _, k := range names {
		t.add(k, columns[k])
	}
	return t
}

func cellText(op, path string, line int, key string, v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case json.Number:
		return v.String()
	case string:
		return v
	case bool:
		if v {
			return "1"
		}
		return "0"
	}
	panic(tensor.Errorf(op, "%s: line %d: %s is a list or an object, not a number or a text", path, line, key))
}
