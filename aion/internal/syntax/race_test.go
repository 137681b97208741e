//go:build race

package syntax

// raceDetector is true if tests run under the race detector, which makes sync.Pool drop
// what it is given: more is allocated then.
const raceDetector = true
