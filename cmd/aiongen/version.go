package main

import (
	"cmp"
	"fmt"
	"runtime/debug"
)

func (c *command) version(args []string) int {
	if len(args) > 0 {
		return c.misuse("version takes no arguments")
	}
	fmt.Fprintf(c.stdout, "aiongen %s\n", version())
	return exitOK
}

// version is that of the module that this binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	for _, dep := range info.Deps { // as a tool of another module
		if dep.Path == "github.com/aiongen/aiongen" {
			return dep.Version
		}
	}
	return cmp.Or(info.Main.Version, "(devel)")
}
