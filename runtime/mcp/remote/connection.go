package remote

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/link"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/transport"
)

// The pause before a connection is opened again.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = time.Minute
)

// longestConnect is how long opening a connection again may take.
const longestConnect = time.Minute

// setLink sets the link, or why there is none and whether one is opened at once.
func (s *Server) setLink(l *link.Link, away error, soon bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return // the server is closed
	}
	s.link, s.away, s.soon = l, away, soon
	if l != nil {
		s.info = l.Session.InitializeResult()
	}
	close(s.renewed)
	s.renewed = make(chan struct{})
}

// keepConnected opens the connection again each time that it breaks, until Close.
func (s *Server) keepConnected(l *link.Link) {
	defer close(s.ended)
	for failures := 0; ; {
		select {
		case <-l.Stale():
		case <-s.ctx.Done():
		}
		if s.ctx.Err() != nil {
			err := l.Drain(s.ctx)
			s.mu.Lock()
			s.closeErr = err
			s.mu.Unlock()
			return
		}
		old, why := l, l.Reason()
		s.background.Go(func() { _ = old.Drain(s.ctx) }) // it is broken already
		lost := why == nil
		if lost {
			why = transport.ErrSessionLost
		} else if errors.Is(why, io.EOF) {
			why = errors.New("the connection ended")
		}
		if time.Since(l.Opened) > longestPause {
			failures = 0
		}
		soon := lost && l.HasServed() // else each new session might be lost at once
		s.setLink(nil, why, soon)
		if !transport.CanReopen(s.transport) {
			s.log().Warn("mcp: a connection to a server ended for good", "server", s.source(), "error", why)
			return
		}
		s.log().Warn("mcp: a connection to a server broke", "server", s.source(), "error", why)
		if l = nil; soon {
			l = s.tryConnect(0)
			failures++
		}
		for ; l == nil; failures++ {
			if l = s.tryConnect(min(firstPause<<min(failures, 10), longestPause)); l == nil && s.ctx.Err() != nil {
				return
			}
		}
		s.log().Info("mcp: a connection to a server was opened again", "server", s.source())
		s.change()
	}
}

// tryConnect opens the connection after a pause, a quarter more or less of it. It returns nil
// if that fails.
func (s *Server) tryConnect(pause time.Duration) *link.Link {
	select {
	case <-time.After(pause*3/4 + rand.N(pause/2+1)):
	case <-s.ctx.Done():
		return nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, longestConnect)
	defer cancel()
	l, err := s.connect(ctx)
	if err != nil {
		s.setLink(nil, err, false)
		s.log().Warn("mcp: a connection to a server cannot be opened again", "server", s.source(), "error", err)
		return nil
	}
	s.setLink(l, nil, false)
	return l
}

// unavailable returns the error of a request without a connection.
func (s *Server) unavailable(why error) error {
	return &UnavailableError{Server: s.source(), Err: why}
}

// currentLink returns the link.
func (s *Server) currentLink() (*link.Link, error) {
	s.mu.Lock()
	l, away := s.link, s.away
	s.mu.Unlock()
	if l == nil {
		return nil, s.unavailable(away)
	}
	return l, nil
}

// nextLink returns the link that replaces one whose session the server lost. It waits if a new
// session is begun at once.
func (s *Server) nextLink(ctx context.Context, old *link.Link) (*link.Link, error) {
	for {
		s.mu.Lock()
		l, away, soon, renewed := s.link, s.away, s.soon, s.renewed
		s.mu.Unlock()
		switch {
		case l != nil && l != old:
			return l, nil
		case l == nil && !soon:
			return nil, s.unavailable(away)
		}
		select {
		case <-renewed:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.ended:
			return nil, s.unavailable(transport.ErrSessionLost)
		}
	}
}

// request makes a request. If the server no longer knows the session, it makes the request
// once more in a new one.
func (s *Server) request(ctx context.Context, method string, params func(*link.Link) any) (json.RawMessage, error) {
	l, err := s.currentLink()
	if err != nil {
		return nil, err
	}
	result, err := l.Request(ctx, method, params(l))
	if errors.Is(err, transport.ErrSessionLost) {
		if l, err = s.nextLink(ctx, l); err != nil {
			return nil, err
		}
		result, err = l.Request(ctx, method, params(l))
	}
	var unsent *transport.NotSentError
	if errors.As(err, &unsent) {
		return nil, s.unavailable(unsent.Err)
	}
	if errors.Is(err, transport.ErrSessionLost) {
		return nil, s.unavailable(err)
	}
	return result, err
}

// connect opens a connection and begins a session.
func (s *Server) connect(ctx context.Context) (*link.Link, error) {
	l, err := link.Open(ctx, s.transport, link.Config{Log: s.log(), Headers: s.headers.forRequest, Progress: s.calls.progress})
	if err != nil {
		return nil, err
	}
	session, err := s.client.Connect(ctx, l, nil)
	if err != nil {
		_ = l.Close() // the error of the session says why
		return nil, err
	}
	l.Session = session
	return l, nil
}
