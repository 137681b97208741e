//go:build race

package aion

// raceDetector is true if tests run under the race detector, which makes sync.Pool drop
// items, so that more is allocated.
const raceDetector = true
