package postgres

import (
	"context"
	"encoding/hex"
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

// listener has one connection for all who listen, while there are any. Who misses
// something, since the connection broke, looks by himself after a while.
type listener struct {
	mu     sync.Mutex
	ears   map[chan struct{}]topic // by who listens
	cancel context.CancelFunc      // nil if nobody does
}

// topic is what somebody listens for: a channel and a run, or none.
type topic struct{ channel, run string }

// listen returns where something comes when there was a notification, and how to leave.
func (db *DB) listen(channel, run string) (news <-chan struct{}, leave func()) {
	l := &db.listener
	ear := make(chan struct{}, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ears == nil {
		l.ears = map[chan struct{}]topic{}
	}
	if l.ears[ear] = (topic{channel, run}); l.cancel == nil {
		ctx, cancel := context.WithCancel(context.Background())
		l.cancel = cancel
		go db.hear(ctx)
	}
	return ear, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if delete(l.ears, ear); len(l.ears) == 0 {
			l.cancel()
			l.cancel = nil
		}
	}
}

// hear hands on notifications until its context is done.
func (db *DB) hear(ctx context.Context) {
	for ctx.Err() == nil {
		_ = db.hearOnce(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(longestPause):
		}
	}
}

func (db *DB) hearOnce(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, db.pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "LISTEN "+dueChannel+"; LISTEN "+stoppedChannel); err != nil {
		return err
	}
	db.listener.tell(func(topic) bool { return true }) // what there was before nobody heard
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		run, _ := hex.DecodeString(n.Payload)
		db.listener.tell(func(t topic) bool { return t == topic{n.Channel, string(run)} })
	}
}

// tell tells those who listen for something.
func (l *listener) tell(about func(topic) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for ear, its := range l.ears {
		if !about(its) {
			continue
		}
		select {
		case ear <- struct{}{}:
		default: // it has not looked yet
		}
	}
}
