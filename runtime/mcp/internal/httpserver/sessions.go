package httpserver

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
)

// sessionList holds the sessions of protocol versions up to 2025-11-25. Clients are not required to
// close their sessions, so a session also ends when it has been idle for too long, or when a new
// session replaces it.
type sessionList struct {
	idle    time.Duration // maximum time that a session may be unused
	absence time.Duration // time after which the calls of an unused session are canceled

	mu   sync.Mutex
	open map[string]*httpSession // by ID
}

type httpSession struct {
	*sdk.ServerSession
	calls    *sessionCalls // the calls that are answered without the SDK
	lifetime peer.Session
	cancel   context.CancelFunc // cancels lifetime.Ended
	leave    context.CancelFunc // cancels lifetime.Left
	owner    string             // see sessionOwner; only the owner may use the session
	requests int                // number of running requests
	streams  int                // number of open notification streams
	lastUsed time.Time          // when the last request or stream ended
	expiry   *time.Timer        // ends the session; runs while the session is unused
	absence  *time.Timer        // cancels its calls; runs while the session is unused
}

// isUnused reports whether the client has no request and no stream in the session.
func (s *httpSession) isUnused() bool { return s.requests == 0 && s.streams == 0 }

// sessionOwner returns a string that identifies the owner of a session: the verified user, or "" for
// clients that use the static token or no token, whose info is nil.
func sessionOwner(info *auth.TokenInfo) string {
	if info == nil {
		return ""
	}
	return "user " + info.UserID
}

// addSession adds a session of an owner. If the number of sessions has reached the limit, it first
// ends the session that findReplaceable returns.
func (s *sessionList) addSession(sdkSession *sdk.ServerSession, owner string, limit int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= limit {
		if old := s.findReplaceable(owner); old != nil {
			s.endSession(old)
		}
	}
	id := sdkSession.ID()
	session := &httpSession{ServerSession: sdkSession, calls: newSessionCalls(sdkSession), owner: owner, lastUsed: time.Now()}
	session.lifetime.Ended, session.cancel = context.WithCancel(context.Background())
	session.lifetime.Left, session.leave = context.WithCancel(context.Background())
	session.expiry = time.AfterFunc(s.idle, func() { s.expireSession(id) })
	session.absence = time.AfterFunc(s.absence, func() { s.cancelCalls(session) })
	s.open[id] = session
}

// isFull reports whether the number of sessions has reached the limit and the owner cannot replace any
// of them.
func (s *sessionList) isFull(owner string, limit int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open) >= limit && s.findReplaceable(owner) == nil
}

// findReplaceable returns the session that a new session of owner replaces, or nil. A session can be
// replaced if it has no running request, and if it belongs to the same owner or to an owner with more
// sessions. So nobody can displace others by opening many sessions. findReplaceable prefers, in this
// order: sessions of the same owner, sessions of the owner with the most sessions, sessions without
// streams, and the session that has been unused longest.
func (s *sessionList) findReplaceable(owner string) (best *httpSession) {
	counts := map[string]int{}
	for _, session := range s.open {
		counts[session.owner]++
	}
	for _, session := range s.open {
		if session.requests > 0 || session.owner != owner && counts[session.owner] <= counts[owner] {
			continue
		}
		if best == nil || cmp.Or(
			compareBool(session.owner == owner, best.owner == owner),
			cmp.Compare(counts[best.owner], counts[session.owner]),
			compareBool(session.isUnused(), best.isUnused()),
			session.lastUsed.Compare(best.lastUsed),
		) < 0 {
			best = session
		}
	}
	return best
}

// compareBool orders true before false.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// useSession records that owner has a request or a stream in a session, until done is called. The
// returned lifetime has the contexts that are done when the session ends. For an empty session ID, it
// returns [peer.NoSession], which never ends.
func (s *sessionList) useSession(id, owner string, stream bool) (lifetime peer.Session, done func(), refused *refusal) {
	if id == "" {
		return peer.NoSession, func() {}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	session := s.open[id]
	switch {
	case session == nil:
		return peer.Session{}, nil, &refusal{status: http.StatusNotFound, reason: "session not found"}
	case session.owner != owner:
		return peer.Session{}, nil, &refusal{status: http.StatusForbidden, reason: "the session belongs to another user"}
	}
	count := &session.requests
	if stream {
		count = &session.streams
	}
	*count++
	session.expiry.Stop()
	session.absence.Stop()
	return session.lifetime, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		*count--
		session.lastUsed = time.Now()
		if !session.isUnused() {
			return
		}
		session.absence.Reset(s.absence) // even if the session has ended, because its calls may still be running
		if s.open[id] == session {
			session.expiry.Reset(s.idle)
		}
	}, nil
}

// findCalls returns the sessionCalls of a session, or nil if there is no such session.
func (s *sessionList) findCalls(id string) *sessionCalls {
	s.mu.Lock()
	defer s.mu.Unlock()
	if session := s.open[id]; session != nil {
		return session.calls
	}
	return nil
}

// expireSession ends a session if it has been unused for the maximum time.
func (s *sessionList) expireSession(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if session := s.open[id]; session != nil && session.isUnused() && time.Since(session.lastUsed) >= s.idle {
		s.endSession(session)
	}
}

// cancelCalls cancels the running calls of a session if its client has not been connected for the
// duration absence. The session stays open, so the client may return later and make other calls.
func (s *sessionList) cancelCalls(session *httpSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !session.isUnused() || time.Since(session.lastUsed) < s.absence {
		return
	}
	session.leave()
	session.lifetime.Left, session.leave = context.WithCancel(context.Background())
}

// endSession ends a session. Calls that are still running in it can no longer ask the client.
func (s *sessionList) endSession(session *httpSession) {
	session.expiry.Stop()
	session.cancel()
	delete(s.open, session.ID())
	go session.Close() // Close waits for running calls
}

// endSessions ends all sessions.
func (s *sessionList) endSessions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, session := range s.open {
		s.endSession(session)
	}
}

// cancelSession is called when the client deletes a session. Calls that are still running can no
// longer ask the client. The SDK closes the session when they have returned.
func (s *sessionList) cancelSession(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if session := s.open[id]; session != nil {
		session.cancel()
	}
}

// removeEnded removes a session if the SDK no longer has it.
func (s *sessionList) removeEnded(id string, isOpen func(id string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if session := s.open[id]; session != nil && !isOpen(id) {
		s.endSession(session)
	}
}
