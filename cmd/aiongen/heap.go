package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// minHeap is the size in bytes below which the heap is not collected. The runtime would start at
// 4 MiB and collect many times during a run that ends soon anyway.
const minHeap = 64 << 20

// delayCollection makes the garbage collector wait until the heap reaches the larger of minHeap and
// twice the live bytes; by default, it waits only for the latter. The environment variables GOGC and
// GOMEMLIMIT take precedence.
func delayCollection() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	setHeapTarget(minHeap, 4<<20)
	runtime.SetFinalizer(new(gcCycle), (*gcCycle).scheduleNext)
}

// A gcCycle is an unreachable object whose finalizer runs at the end of each collection. It has 16 bytes,
// because Go allocates smaller objects in shared blocks, in which another object could keep it alive.
type gcCycle struct{ _ [2]int }

// scheduleNext sets the heap size for the next collection and attaches the finalizer again.
func (t *gcCycle) scheduleNext() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	live := max(sample[0].Value.Uint64(), 1<<20)
	setHeapTarget(max(minHeap, 2*live), live)
	runtime.SetFinalizer(t, (*gcCycle).scheduleNext)
}

// setHeapTarget makes the next collection start when the heap has the given size. live is the expected
// number of bytes that the collection cannot free. If a collection finds that more bytes are live, its
// finalizer sets another target; until then, the memory limit keeps the heap small.
func setHeapTarget(heap, live uint64) {
	debug.SetGCPercent(int(heap*100/live) - 100)
	debug.SetMemoryLimit(int64(heap + minHeap))
}
