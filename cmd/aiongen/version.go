package main

import (
	"fmt"
)

// The exit statuses.
const (
	exitOK       = 0
	exitFindings = 1
	exitUsage    = 2
	exitInternal = 3
)

func (c *command) version(args []string) int {
	if len(args) > 0 {
		return c.misuse("version takes no arguments")
	}
	fmt.Fprintf(c.stdout, "aiongen %s\n", version())
	return exitOK
}
