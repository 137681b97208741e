package tool

import (
	"sync/atomic"
	"time"
)

// lastWallTime is the last reading of the wall clock.
var lastWallTime atomic.Pointer[time.Time]

const wallTimeValidity = 10 * time.Millisecond

// currentTime is a faster [time.Now] for calls in quick succession: it reads the wall clock at most once per
// wallTimeValidity, and in between only the faster monotonic clock.
func currentTime() time.Time {
	if w := lastWallTime.Load(); w != nil {
		if d := time.Since(*w); 0 <= d && d < wallTimeValidity {
			return w.Add(d)
		}
	}
	t := time.Now()
	lastWallTime.Store(&t)
	return t
}
