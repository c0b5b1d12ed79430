package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gotorch/jupyter"
)

// place is where a kernelspec is installed.
type place struct {
	User      bool   `help:"For this user (the default)." xor:"place"`
	Prefix    string `help:"Under DIR/share/jupyter." placeholder:"DIR" xor:"place"`
	SysPrefix bool   `help:"Under the prefix of the Python environment in use." xor:"place"`
	Name      string `help:"The kernel's name: that of its folder, and what jupyter --kernel takes." default:"gotorch"`
}

func (p place) options() jupyter.InstallOptions {
	return jupyter.InstallOptions{Name: p.Name, Prefix: p.Prefix, SysPrefix: p.SysPrefix}
}

type installCommand struct {
	place       `embed:""`
	DisplayName string   `help:"What notebooks call it." default:"Go (gotorch)" placeholder:"TEXT"`
	Env         []string `help:"An environment variable of the kernel; may be given again." placeholder:"K=V" sep:"none"`
	Remove      bool     `help:"Remove what was installed." hidden:""`
}

// Run writes the kernelspec. The kernel that it starts is restricted by --safe and --memory as this command is.
func (i installCommand) Run() error {
	if i.Remove {
		return uninstallCommand{i.place}.Run()
	}
	o := i.options()
	o.DisplayName = i.DisplayName
	for _, e := range i.Env {
		k, v, ok := strings.Cut(e, "=")
		if !ok || k == "" {
			return fmt.Errorf("--env %s: a variable is NAME=VALUE", e)
		}
		if o.Env == nil {
			o.Env = map[string]string{}
		}
		o.Env[k] = v
	}
	if cli.Safe {
		o.Command = append(o.Command, "--safe")
	}
	for _, dir := range cli.Read {
		full, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		o.Command = append(o.Command, "--read="+full)
	}
	if cli.Memory > 0 {
		o.Command = append(o.Command, "--memory="+cli.Memory.String())
	}
	o.Command = append(o.Command, "kernel")
	dir, err := jupyter.Install(o)
	if err != nil {
		return allowed(err)
	}
	fmt.Println("installed in", dir)
	if data := filepath.Dir(filepath.Dir(dir)); !slices.Contains(jupyter.DataDirs(), data) {
		fmt.Printf("Jupyter does not look there; it does with JUPYTER_PATH=%s\n", data)
	}
	return nil
}

type uninstallCommand struct {
	place `embed:""`
}

// Run removes the kernelspec.
func (u uninstallCommand) Run() error {
	dir, err := jupyter.Uninstall(u.options())
	if err == nil {
		fmt.Println("removed", dir)
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return allowed(err)
	}
	where := "here"
	var path *fs.PathError
	if errors.As(err, &path) {
		where = filepath.Dir(filepath.Dir(path.Path))
	}
	text := fmt.Sprintf("there is no kernel %s in %s", u.Name, where)
	for _, f := range jupyter.Specs(jupyter.DataDirs()) {
		if f.Ours() {
			text += "\nthere is one in " + f.Dir + ": " + removal(f)
		}
	}
	return errors.New(text)
}

// removal is the command that removes a kernelspec.
func removal(f jupyter.Found) string {
	c := "gotorch-repl uninstall"
	if user, err := jupyter.UserDataDir(); err != nil || filepath.Join(user, "kernels") != filepath.Dir(f.Dir) {
		prefix := strings.TrimSuffix(filepath.ToSlash(f.Dir), "/share/jupyter/kernels/"+f.Name)
		if prefix == filepath.ToSlash(f.Dir) {
			return "rm -r " + f.Dir
		}
		c += " --prefix " + cmp.Or(prefix, "/")
	}
	if f.Name != "gotorch" {
		c += " --name " + f.Name
	}
	return c
}

// allowed says what to do about a folder that may not be written.
func allowed(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; --user needs no rights, other places may want root", err)
	}
	if errors.Is(err, os.ErrInvalid) {
		return fmt.Errorf("%w: not a folder", err)
	}
	return err
}
