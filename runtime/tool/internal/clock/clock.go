// Package clock tells the time to those who ask often.
package clock

import (
	"sync/atomic"
	"time"
)

// wall is when the clock on the wall was last looked at.
var wall atomic.Pointer[time.Time]

const wallFor = 10 * time.Millisecond

// Now is what [time.Now] is, for calls in quick succession at half its price: it
// reads the monotonic clock alone, and the one on the wall anew after a while.
func Now() time.Time {
	if w := wall.Load(); w != nil {
		if d := time.Since(*w); 0 <= d && d < wallFor {
			return w.Add(d)
		}
	}
	t := time.Now()
	wall.Store(&t)
	return t
}
