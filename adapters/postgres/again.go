package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"
)

// A server that is restarted is away for a moment, which is no reason to interrupt
// every run.
const (
	patience     = 5 * time.Second
	firstPause   = 20 * time.Millisecond
	longestPause = 500 * time.Millisecond
)

// again calls f until it succeeds, or fails for a reason that does not pass, or the
// time is up.
func again(ctx context.Context, passes func(error) bool, f func() error) error {
	until := time.Now().Add(patience)
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := f()
		if err == nil || ctx.Err() != nil || !passes(err) || time.Now().After(until) {
			return err
		}
		if rest(ctx, pause, nil); ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
	}
}

// rest waits until there is news, or it was long enough.
func rest(ctx context.Context, long time.Duration, news <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-news:
	case <-time.After(long):
	}
}

// passing tells whether an error is that of a server that is away, or of a conflict
// with others, so that what can be done twice may be done again.
func passing(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch {
		case undone(e): // others were quicker
		case strings.HasPrefix(e.Code, "08"): // the connection
		case strings.HasPrefix(e.Code, "57P0"): // it stops or starts
		case e.Code == "53300": // too many connections
		default:
			return false
		}
		return true
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	_, network := errors.AsType[net.Error](err)
	return connecting || network || pgconn.SafeToRetry(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// undone tells whether a server gave up what it was to do, and will not always do so: for a
// deadlock, or since it took longer than statement_timeout or lock_timeout allow.
func undone(e *pgconn.PgError) bool {
	return strings.HasPrefix(e.Code, "40") || e.Code == "57014" || e.Code == "55P03"
}

// untouched tells whether nothing can have been done, so that anything may be done
// again.
func untouched(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && undone(e) {
		return true
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	return passing(err) && (connecting || pgconn.SafeToRetry(err))
}

// closed tells whether an error is that of a database that was closed.
func closed(err error) bool { return errors.Is(err, puddle.ErrClosedPool) }
