package main

import (
	"os"
	"runtime"
)

// ballastSize is the size in bytes of the memory that delayCollection allocates.
const ballastSize = 32 << 20

// delayCollection makes the garbage collector wait until the heap has 64 MiB. By default, it waits for 4 MiB, and so
// collects many times during a run that ends soon anyway. The collector waits until the heap has twice the size that was
// live at the last collection, and the ballast counts as live. The system provides no memory for the ballast,
// because nothing is written to it. The ballast stays live until the returned function is called.
func delayCollection() (end func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	ballast := make([]byte, ballastSize)
	return func() { runtime.KeepAlive(ballast) }
}
