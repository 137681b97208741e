package guard

import (
	"crypto/rand"
	"crypto/sha256"
	"sync"
	"time"
)

const (
	sessionTime = 12 * time.Hour // until a session ends
	maxSessions = 256
)

// sessions are the open sessions. The zero sessions are empty.
type sessions struct {
	lock sync.Mutex
	ends map[[sha256.Size]byte]time.Time // by the digest of the secret in the cookie
}

// open opens a session and returns its secret. It replaces the oldest session if there are too many.
func (s *sessions) open(now time.Time) (secret string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.ends == nil {
		s.ends = map[[sha256.Size]byte]time.Time{}
	}
	for len(s.ends) >= maxSessions {
		s.removeOldest()
	}
	secret = rand.Text()
	s.ends[sha256.Sum256([]byte(secret))] = now.Add(sessionTime)
	return secret
}

func (s *sessions) removeOldest() {
	var oldest [sha256.Size]byte
	var first time.Time
	for key, end := range s.ends {
		if first.IsZero() || end.Before(first) {
			oldest, first = key, end
		}
	}
	delete(s.ends, oldest)
}

// isOpen reports whether a session with a secret is open.
func (s *sessions) isOpen(secret string, now time.Time) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	key := sha256.Sum256([]byte(secret))
	end, ok := s.ends[key]
	if ok && !now.Before(end) {
		delete(s.ends, key)
		return false
	}
	return ok
}

func (s *sessions) close(secret string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	delete(s.ends, sha256.Sum256([]byte(secret)))
}
