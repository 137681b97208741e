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

// A server that restarts does not answer for a moment. Retrying for retryTime keeps this from
// interrupting every run.
const (
	retryTime = 5 * time.Second
	minPause  = 20 * time.Millisecond
	maxPause  = 500 * time.Millisecond
)

// retryWhile calls f until it succeeds, fails with an error for which mayRetry returns false, or
// retryTime has passed.
func retryWhile(ctx context.Context, mayRetry func(error) bool, f func() error) error {
	until := time.Now().Add(retryTime)
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		err := f()
		if err == nil || ctx.Err() != nil || !mayRetry(err) || time.Now().After(until) {
			return err
		}
		if waitForNews(ctx, pause, nil); ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
	}
}

// waitForNews waits for a value on news, but no longer than timeout.
func waitForNews(ctx context.Context, timeout time.Duration, news <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-news:
	case <-time.After(timeout):
	}
}

// isTransient reports whether a statement failed because the server could not be reached or because of
// another transaction. It may be repeated unless its effect would then occur twice.
func isTransient(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return isRolledBack(e) || // because of another transaction
			strings.HasPrefix(e.Code, "08") || // connection error
			strings.HasPrefix(e.Code, "57P0") || // the server stops or starts
			e.Code == "53300" // too many connections
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	_, network := errors.AsType[net.Error](err)
	return connecting || network || pgconn.SafeToRetry(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// isRolledBack reports whether the server rolled the statement back for a reason that may not
// recur: a deadlock, statement_timeout or lock_timeout.
func isRolledBack(e *pgconn.PgError) bool {
	return strings.HasPrefix(e.Code, "40") || e.Code == "57014" || e.Code == "55P03"
}

// isUnapplied reports whether the statement certainly had no effect, and may succeed if it is repeated.
func isUnapplied(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && isRolledBack(e) {
		return true
	}
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	return isTransient(err) && (connecting || pgconn.SafeToRetry(err))
}

// isClosed reports whether err is that of a closed DB.
func isClosed(err error) bool { return errors.Is(err, puddle.ErrClosedPool) }
