package guard

import (
	"sync"
	"time"
)

const (
	attemptWindow = time.Minute
	maxAttempts   = 10   // wrong tokens from one peer in a window
	maxPeers      = 4096 // peers with their own count; all others share one count, and may make this many attempts in a window
)

// attempts counts attempts to log in. The zero value is ready to use.
type attempts struct {
	lock   sync.Mutex
	since  time.Time // when the window began
	counts map[string]int
}

// begin counts an attempt of a peer. If the peer has used up its attempts, begin returns the time until the next
// window, and 0 otherwise.
func (a *attempts) begin(peer string, now time.Time) (wait time.Duration) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if now.Sub(a.since) >= attemptWindow {
		a.since, a.counts = now, map[string]int{}
	}
	limit := maxAttempts
	if _, ok := a.counts[peer]; !ok && len(a.counts) >= maxPeers {
		peer, limit = "", maxPeers
	}
	if a.counts[peer] >= limit {
		return attemptWindow - now.Sub(a.since)
	}
	a.counts[peer]++
	return 0
}

// forget forgets the attempts of a peer that has logged in.
func (a *attempts) forget(peer string) {
	a.lock.Lock()
	defer a.lock.Unlock()
	delete(a.counts, peer)
}
