package file

import (
	"context"
	"os"
	"time"
)

// lock waits until nobody else has the file locked, in this process or another one,
// or until ctx is done. Closing the file unlocks it.
func lock(ctx context.Context, f *os.File) error {
	for wait := 100 * time.Microsecond; ; wait = min(2*wait, 20*time.Millisecond) {
		locked, err := tryLock(f)
		if locked || err != nil {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}
