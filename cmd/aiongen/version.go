package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

const modulePath = "github.com/aiongen/aiongen"

// printVersion prints the version of aiongen, the version of Go that built it, and the commit if it was
// built in a checkout.
func (c *command) printVersion(args []string) int {
	if len(args) > 0 {
		return c.usageError("version takes no arguments")
	}
	fmt.Fprintf(c.stdout, "aiongen %s (%s %s/%s)\n", moduleVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		if commit := describeCommit(info); commit != "" {
			fmt.Fprintf(c.stdout, "commit %s\n", commit)
		}
	}
	return exitOK
}

// moduleVersion returns the version of the module that this binary was built from.
func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	for _, dep := range info.Deps { // aiongen is run as a tool of another module
		if dep.Path == modulePath {
			if dep.Replace != nil {
				return cmp.Or(dep.Replace.Version, "(devel)")
			}
			return dep.Version
		}
	}
	return cmp.Or(info.Main.Version, "(devel)")
}

// describeCommit returns the commit that aiongen was built from, its time, and whether files had been
// modified. It returns "" if aiongen was built as a part of another module, whose commit the build
// information contains.
func describeCommit(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if info.Main.Path != modulePath || commit == "" {
		return ""
	}
	if at := settings["vcs.time"]; at != "" {
		commit += " of " + at
	}
	if settings["vcs.modified"] == "true" {
		commit += ", modified"
	}
	return commit
}
