//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime returns the CPU time of this process so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	exitOnError(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
