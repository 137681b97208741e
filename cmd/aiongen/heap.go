package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastHeap is what the heap may grow to before it is collected, in bytes, however little
// of it lives. The runtime would begin at 4 MiB, and so collect many times what a run is
// over with soon.
const leastHeap = 64 << 20

// collectLate has the garbage collector wait for leastHeap or, as it does by default, for
// twice what lives. What the environment says of it wins.
func collectLate() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	waitFor(leastHeap, 4<<20)
	runtime.SetFinalizer(new(turn), (*turn).ended)
}

// A turn of the collector ends when it finds that nothing refers to this, which is as large
// as what has a block of memory of its own: in one with others it might live with them.
type turn struct{ _ [2]int }

// ended prepares the next turn, which is to find it again.
func (t *turn) ended() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	live := max(sample[0].Value.Uint64(), 1<<20)
	waitFor(max(leastHeap, 2*live), live)
	runtime.SetFinalizer(t, (*turn).ended)
}

// waitFor has the next turn begin with a heap of that size, where so much lives. The
// limit is for the time between a turn that finds more to live and its end being told.
func waitFor(heap, live uint64) {
	debug.SetGCPercent(int(heap*100/live) - 100)
	debug.SetMemoryLimit(int64(heap + leastHeap))
}
