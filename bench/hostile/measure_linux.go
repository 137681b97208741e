package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
	"time"
)

// measure returns the CPU time that a function takes and the most memory that the process
// has while it runs.
func measure(f func() error) (s sample) {
	debug.FreeOSMemory()
	// 5 resets the high-water mark of the resident set (proc(5)).
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		s.Failure = err.Error()
	}
	start := cpuTime()
	if err := f(); err != nil {
		s.Failure = err.Error()
	}
	s.CPU = cpuTime() - start
	s.Peak = peakMemory()
	return s
}

// cpuTime is the CPU time that the process has taken so far.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// peakMemory is the high-water mark of the resident set, in bytes.
func peakMemory() (bytesResident int64) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	if _, err := fmt.Sscanf(string(rest), "%d", &bytesResident); err != nil {
		return 0
	}
	return bytesResident << 10
}
