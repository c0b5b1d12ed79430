package shell

import (
	"context"
	"gotorch/interp/result"
	"gotorch/interp/split"
	"os"
	"sort"
	"strings"
)

func (s *Shell) envMagic(_ context.Context, arg string) ([]Value, *Error) {
	arg = strings.TrimSpace(arg)
	name, value, set := strings.Cut(arg, "=")
	// %env NAME VALUE
	if first, rest := split.CutWord(arg); !strings.Contains(first, "=") && rest != "" &&
		!strings.HasPrefix(strings.TrimSpace(rest), "=") {
		name, value, set = first, strings.TrimSpace(rest), true
	}
	name = strings.TrimSpace(name)
	switch {
	case set && name == "":
		return nil, usage("%%env NAME=VALUE")
	case set:
		if err := s.Restricted("%env NAME=VALUE"); err != nil {
			return nil, err
		}
		if err := os.Setenv(name, unquoted(value)); err != nil {
			return nil, usage("%s: %v", name, err)
		}
		return nil, nil
	case name != "":
		v, ok := os.LookupEnv(name)
		if !ok {
			return nil, usage("there is no environment variable %s", name)
		}
		return result.Text(v), nil
	}
	all := os.Environ()
	sort.Strings(all)
	return result.Text(strings.Join(all, "\n")), nil
}

func (s *Shell) cdMagic(_ context.Context, arg string) ([]Value, *Error) {
	if err := s.Restricted("%cd"); err != nil {
		return nil, err
	}
	dir := unquoted(arg)
	switch {
	case dir == "":
		dir = unquoted("~")
	case dir == "-" && s.before == "":
		return nil, usage("%%cd - goes back, and there was no other directory before")
	case dir == "-":
		dir = s.before
	}
	from, _ := os.Getwd()
	if err := os.Chdir(dir); err != nil {
		return nil, fileError(err)
	}
	s.before = from
	return s.pwdMagic(context.Background(), "")
}

func (s *Shell) pwdMagic(context.Context, string) ([]Value, *Error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fileError(err)
	}
	return result.Text(dir), nil
}
