package file

import (
	"context"
	"os"
	"time"
)

// lockFile waits until the file is not locked by this or another process, and locks it. It fails
// if ctx is done. Closing the file unlocks it.
func lockFile(ctx context.Context, f *os.File) error {
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
