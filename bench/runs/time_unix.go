//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime is what the process took of the processors so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
