package postgres

import (
	"context"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Channels of notifications. They are of the whole database: one that is about
// another schema makes somebody look for nothing.
const (
	dueChannel     = "aion_due"
	stoppedChannel = "aion_stopped"
)

// listener has one connection for all who listen, and for a while after they have left.
// Who misses something, since the connection broke, looks by himself after a while.
type listener struct {
	mu      sync.Mutex
	ears    map[chan struct{}][]topic // by who listens
	cancel  context.CancelFunc        // nil if there is no connection
	closed  bool
	hearing sync.WaitGroup
}

// topic is what somebody listens for: a channel, and a run or all.
type topic struct{ channel, run string }

// listen returns where something comes when there was a notification, and how to leave.
func (db *DB) listen(topics ...topic) (news <-chan struct{}, leave func()) {
	l := &db.listener
	ear := make(chan struct{}, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ears == nil {
		l.ears = map[chan struct{}][]topic{}
	}
	if l.ears[ear] = topics; l.cancel == nil && !l.closed {
		ctx, cancel := context.WithCancel(context.Background())
		l.cancel = cancel
		l.hearing.Go(func() { db.hear(ctx) })
	}
	return ear, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if delete(l.ears, ear); len(l.ears) == 0 {
			time.AfterFunc(linger, l.hangUp)
		}
	}
}

// linger is how long there is a connection that nobody listens to: the next one comes
// soon.
const linger = 10 * time.Second

// hangUp closes the connection if nobody listens.
func (l *listener) hangUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ears) == 0 && l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
}

// close closes the connection for good.
func (l *listener) close() {
	l.mu.Lock()
	l.closed = true
	if l.cancel != nil {
		l.cancel()
	}
	l.mu.Unlock()
	l.hearing.Wait()
}

// hear hands on notifications until its context is done. Where it cannot listen, as on a
// server that only follows another, it tries less and less often.
func (db *DB) hear(ctx context.Context) {
	for pause := firstPause; ctx.Err() == nil; pause = min(2*pause, linger) {
		if db.hearOnce(ctx) {
			pause = firstPause
		}
		rest(ctx, pause, nil)
	}
}

// hearOnce does so until the connection breaks. It tells whether there was one.
func (db *DB) hearOnce(ctx context.Context) (heard bool) {
	conn, err := pgx.ConnectConfig(ctx, db.pool.Config().ConnConfig)
	if err != nil {
		return false
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestPause)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+dueChannel+"; LISTEN "+stoppedChannel); err != nil {
		return false
	}
	db.listener.tell(func(topic) bool { return true }) // what there was before nobody heard
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return true
		}
		run, _ := hex.DecodeString(n.Payload)
		db.listener.tell(func(t topic) bool { return t.channel == n.Channel && (t.run == "" || t.run == string(run)) })
	}
}

// tell tells those who listen for something.
func (l *listener) tell(about func(topic) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for ear, its := range l.ears {
		if !slices.ContainsFunc(its, about) {
			continue
		}
		select {
		case ear <- struct{}{}:
		default: // it has not looked yet
		}
	}
}
