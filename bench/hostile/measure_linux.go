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
func measure(f func() error) sample {
	debug.FreeOSMemory()
	// 5 resets the high-water mark of the resident set (proc(5)).
	reset := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	s := measureCPU(f)
	s.Peak = peakMemory()
	if reset != nil {
		s.Failure = reset.Error()
	}
	return s
}

// measureCPU returns the CPU time that a function takes. It does not collect garbage
// before.
func measureCPU(f func() error) (s sample) {
	start := cpuTime()
	if err := f(); err != nil {
		s.Failure = err.Error()
	}
	s.CPU = cpuTime() - start
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
