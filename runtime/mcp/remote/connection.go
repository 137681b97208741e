package remote

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/transport"
)

// Limits of the pause before a connection is opened again.
const (
	minPause = 500 * time.Millisecond
	maxPause = time.Minute
)

// connectTimeout limits how long reopening a connection may take.
const connectTimeout = time.Minute

// setLink sets the link. If l is nil, reason says why there is no link, and reconnecting says whether a
// new link is being opened without a pause. setLink does nothing after the program has closed the server.
func (s *Server) setLink(l *transport.Link, reason error, reconnecting bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if errors.Is(s.unavailableReason, errClosedByProgram) {
		return
	}
	s.link, s.unavailableReason, s.reconnecting = l, reason, reconnecting
	if l != nil {
		s.info = l.Session.InitializeResult()
	}
	close(s.linkChanged)
	s.linkChanged = make(chan struct{})
}

// keepConnected opens the connection again whenever it breaks, until the program calls Close.
func (s *Server) keepConnected(l *transport.Link) {
	defer close(s.ended)
	for failures := 0; ; {
		select {
		case <-l.Stale():
		case <-s.ctx.Done():
		}
		if s.ctx.Err() != nil {
			s.closeErr = l.Drain(s.ctx)
			return
		}
		old, reason := l, l.Reason()
		s.background.Go(func() { _ = old.Drain(s.ctx) }) // the connection is already broken
		lost := reason == nil
		if lost {
			reason = transport.ErrSessionLost
		} else if errors.Is(reason, io.EOF) {
			reason = errors.New("the connection ended")
		}
		if time.Since(l.Opened) > maxPause {
			failures = 0
		}
		reconnect := lost && l.HasServed() // a server that loses each new session at once must not cause a loop
		s.setLink(nil, reason, reconnect)
		if !transport.CanReopen(s.transport) {
			s.log.Warn("mcp: a connection to a server ended and cannot be opened again", "server", s.describeServer(), "error", reason)
			return
		}
		s.log.Warn("mcp: a connection to a server broke", "server", s.describeServer(), "error", reason)
		if l = nil; reconnect {
			l = s.tryConnect(0)
			failures++
		}
		for ; l == nil; failures++ {
			if l = s.tryConnect(min(minPause<<min(failures, 10), maxPause)); l == nil && s.ctx.Err() != nil {
				return
			}
		}
		s.log.Info("mcp: a connection to a server was opened again", "server", s.describeServer())
		s.notifyChange()
	}
}

// tryConnect opens the connection after a pause, which it lengthens or shortens at random by up to a
// quarter. It returns nil if the connection cannot be opened.
func (s *Server) tryConnect(pause time.Duration) *transport.Link {
	select {
	case <-time.After(pause*3/4 + rand.N(pause/2+1)):
	case <-s.ctx.Done():
		return nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, connectTimeout)
	defer cancel()
	l, err := s.openLink(ctx)
	if err != nil {
		s.setLink(nil, err, false)
		s.log.Warn("mcp: a connection to a server cannot be opened again", "server", s.describeServer(), "error", err)
		return nil
	}
	s.setLink(l, nil, false)
	return l
}

// unavailableError returns the error for a request without a connection.
func (s *Server) unavailableError(reason error) error {
	err := &UnavailableError{Server: s.describeServer(), Err: reason, final: errors.Is(reason, errClosedByProgram)}
	select {
	case <-s.ended:
		err.final = true
	default:
	}
	return err
}

// currentLink returns the link, or an [UnavailableError].
func (s *Server) currentLink() (*transport.Link, error) {
	s.mu.Lock()
	l, reason := s.link, s.unavailableReason
	s.mu.Unlock()
	if l == nil {
		return nil, s.unavailableError(reason)
	}
	return l, nil
}

// nextLink returns the link that replaces old, whose session the server has lost. It waits while the
// new session is being opened.
func (s *Server) nextLink(ctx context.Context, old *transport.Link) (*transport.Link, error) {
	for {
		s.mu.Lock()
		l, reason, reconnecting, changed := s.link, s.unavailableReason, s.reconnecting, s.linkChanged
		s.mu.Unlock()
		switch {
		case l != nil && l != old:
			return l, nil
		case l == nil && !reconnecting:
			return nil, s.unavailableError(reason)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.ended:
			return nil, s.unavailableError(transport.ErrSessionLost)
		}
	}
}

// sendRequest sets the ID of a request, sends it, and returns the result. If the server no longer knows
// the session, sendRequest sends the request once more in a new session.
func (s *Server) sendRequest(ctx context.Context, r *observe.Request, params func(*transport.Link) any) (json.RawMessage, error) {
	l, err := s.currentLink()
	if err != nil {
		return nil, err
	}
	result, err := l.Request(ctx, r, params(l))
	if errors.Is(err, transport.ErrSessionLost) {
		if l, err = s.nextLink(ctx, l); err != nil {
			return nil, err
		}
		result, err = l.Request(ctx, r, params(l))
	}
	var unsent *transport.NotSentError
	if errors.As(err, &unsent) {
		return nil, s.unavailableError(unsent.Err)
	}
	if errors.Is(err, transport.ErrSessionLost) {
		return nil, s.unavailableError(err)
	}
	return result, err
}

// openLink opens a connection and a session.
func (s *Server) openLink(ctx context.Context) (*transport.Link, error) {
	l, err := transport.OpenLink(ctx, s.transport, transport.LinkConfig{Log: s.log, Headers: s.headers.requestHeaders, Progress: s.calls.takeProgress})
	if err != nil {
		return nil, err
	}
	unlink := context.AfterFunc(ctx, func() { _ = l.Close() }) // Connect waits, even after ctx is done, until its answers to the server are written
	session, err := s.client.Connect(ctx, l, nil)
	if !unlink() { // the link is closed, which explains any other error
		err = ctx.Err()
	}
	if err != nil {
		_ = l.Close() // the error of Connect is more useful
		return nil, err
	}
	l.Session = session
	s.observeSession(l)
	return l, nil
}
