// Command gen writes the assembly of package simd with avo.
//
// Each kind of kernel is a family: a file here registers it under the name of the file that it writes. Without
// arguments, gen writes NAME_amd64.s and NAME_stubs_gen.go in the folder above for every family; with names, for those
// only.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"

	"github.com/mmcloughlin/avo/build"
)

// families has the function that emits each family, by name. Files of this package add theirs in init.
var families = map[string]func(){}

func main() {
	// avo keeps one file under construction for each process, so that every family is written by a process of its own.
	if name := os.Getenv("SIMD_FAMILY"); name != "" {
		build.ConstraintExpr("amd64")
		families[name]()
		writeTable(name)
		build.Generate()
		return
	}
	flag.Parse()
	names := flag.Args()
	if len(names) == 0 {
		for name := range families {
			names = append(names, name)
		}
		slices.Sort(names)
	}
	self, err := os.Executable()
	check(err)
	for _, name := range names {
		if families[name] == nil {
			check(fmt.Errorf("gen: no family %q", name))
		}
		cmd := exec.Command(self, "-out", "../"+name+"_amd64.s", "-stubs", "../"+name+"_stubs_gen.go", "-pkg", "simd")
		cmd.Env = append(os.Environ(), "SIMD_FAMILY="+name)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		check(cmd.Run())
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
