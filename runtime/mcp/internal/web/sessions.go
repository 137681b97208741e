package web

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions are those of the protocol up to 2025-11-25, by their IDs. Who opened one
// need not say when he is gone, so one that nobody uses ends after a time, or when
// another one needs its place.
type sessions struct {
	idle time.Duration // how long one may be unused

	mu   sync.Mutex
	open map[string]*session
}

type session struct {
	*sdk.ServerSession
	life     context.Context // until it ends
	over     context.CancelFunc
	user     string      // who opened it, if that was verified: nobody else may end it
	requests int         // under way
	streams  int         // by which its client listens
	used     time.Time   // when the last of them ended
	expiry   *time.Timer // runs while there is none
}

func (s *session) unused() bool { return s.requests == 0 && s.streams == 0 }

// add notes a session that was opened. If there are max already, the one that makes
// room is closed.
func (s *sessions) add(opened *sdk.ServerSession, max int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.idlest(); len(s.open) >= max && old != nil {
		s.end(old)
	}
	id := opened.ID()
	life, over := context.WithCancel(context.Background())
	s.open[id] = &session{ServerSession: opened, life: life, over: over, used: time.Now(), expiry: time.AfterFunc(s.idle, func() { s.expire(id) })}
}

// full reports whether there are max sessions, and none that could make room.
func (s *sessions) full(max int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open) >= max && s.idlest() == nil
}

// idlest returns the session without a request under way that was not used for
// longest, or nil. One whose client listens is there for somebody, and comes last.
func (s *sessions) idlest() (idlest *session) {
	for _, one := range s.open {
		switch {
		case one.requests > 0:
		case idlest == nil, one.unused() && !idlest.unused():
			idlest = one
		case one.unused() == idlest.unused() && one.used.Before(idlest.used):
			idlest = one
		}
	}
	return idlest
}

// use notes a request in a session, if there is that, until it is done, and returns the
// life of the session. A stream is a request by which a client listens.
func (s *sessions) use(id string, stream bool) (life context.Context, done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.open[id]
	if one == nil {
		return context.Background(), func() {}
	}
	count := &one.requests
	if stream {
		count = &one.streams
	}
	*count++
	one.expiry.Stop()
	return one.life, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		*count--
		one.used = time.Now()
		if one.unused() && s.open[id] == one {
			one.expiry.Reset(s.idle)
		}
	}
}

// expire ends a session if it was not used for long enough.
func (s *sessions) expire(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.open[id]; one != nil && one.unused() && time.Since(one.used) >= s.idle {
		s.end(one)
	}
}

// end ends a session. A call whose client is gone may still run in it, but has nobody
// left to ask.
func (s *sessions) end(one *session) {
	one.expiry.Stop()
	one.over()
	delete(s.open, one.ID())
	go one.Close() // waits for calls
}

// endAll ends all sessions.
func (s *sessions) endAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.open {
		s.end(one)
	}
}

// opened notes who opened a session.
func (s *sessions) opened(id, user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.open[id]; one != nil {
		one.user = user
	}
}

// leave notes that a user wants to end a session, if that is his: the SDK ends it when
// its calls have ended, and so nobody is asked in it any more.
func (s *sessions) leave(id, user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.open[id]; one != nil && (one.user == "" || one.user == user) {
		one.over()
	}
}

// ended notes that a session is there no more, if that is so.
func (s *sessions) ended(id string, there func(id string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.open[id]; one != nil && !there(id) {
		s.end(one)
	}
}
