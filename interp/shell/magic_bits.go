package shell

import (
	"strconv"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/tensor"
)

// numeral is a number as text: it goes to the view as it was typed, since a Go constant would be rounded on the way.
var numeral = lazyre.New(
	`^[+-]?(?i:inf|infinity|nan|0x[0-9a-f_.]+(p[+-]?[0-9]+)?|0[bo][0-9_]+|[0-9_]*\.?[0-9_]+(e[+-]?[0-9]+)?|[0-9_]+\.)$`)

// bitsArguments reads the arguments of %bits: a numeral or an expression, and names of dtypes behind it.
func bitsArguments(arg string) string {
	list := strings.Fields(arg)
	var dtypes []string
	for len(list) > 1 {
		d, ok := tensor.ParseDtype(strings.Trim(list[len(list)-1], ","))
		if !ok {
			break
		}
		name := "tensor."
		for _, part := range strings.Split(d.String(), "_") { // float8_e5m2 is Float8E5m2
			name += strings.ToUpper(part[:1]) + part[1:]
		}
		dtypes = append([]string{name}, dtypes...)
		list = list[:len(list)-1]
	}
	what := strings.TrimSuffix(strings.Join(list, " "), ",")
	if numeral.MatchString(what) {
		what = strconv.Quote(what)
	}
	return strings.Join(append([]string{what}, dtypes...), ", ")
}
