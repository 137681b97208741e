package main

import (
	"os"
	"syscall"
	"time"
)

// A cost is what a process and its children used.
type cost struct {
	wall, cpu time.Duration
	peak      int64 // bytes, of the largest of them
}

func peakMemory(state *os.ProcessState) int64 {
	return int64(state.SysUsage().(*syscall.Rusage).Maxrss) << 10 // Linux reports KiB
}
