package main

import (
	"os"
	"syscall"
	"time"
)

// A cost is what a process and those that it started took.
type cost struct {
	wall, cpu time.Duration
	peak      int64 // bytes, of the largest of them
}

func peak(state *os.ProcessState) int64 {
	return int64(state.SysUsage().(*syscall.Rusage).Maxrss) << 10 // Linux counts in KiB
}
