package postgres

import (
	"context"
	"encoding/hex"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Channels of notifications. All schemas of a database share them, so a notification of another schema
// causes a needless check.
const (
	dueChannel     = "aion_due"
	stoppedChannel = "aion_stopped"
)

// listener shares one connection between all subscribers, and keeps it for a while after the last
// has left. Subscribers may miss notifications while the connection is broken, so they also poll.
type listener struct {
	mu          sync.Mutex
	subscribers map[chan struct{}][]topic
	cancel      context.CancelFunc // nil if there is no connection
	closed      bool
	receiving   sync.WaitGroup
}

// topic selects the notifications of a channel about a run, or about all runs if run is empty.
type topic struct{ channel, run string }

// subscribe returns a channel that receives a value after notifications of the topics, and a
// function that ends the subscription.
func (db *DB) subscribe(topics ...topic) (news <-chan struct{}, leave func()) {
	l := &db.listener
	subscriber := make(chan struct{}, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.subscribers == nil {
		l.subscribers = map[chan struct{}][]topic{}
	}
	if l.subscribers[subscriber] = topics; l.cancel == nil && !l.closed {
		ctx, cancel := context.WithCancel(context.Background())
		l.cancel = cancel
		l.receiving.Go(func() { db.receiveNotifications(ctx) })
	}
	return subscriber, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if delete(l.subscribers, subscriber); len(l.subscribers) == 0 {
			time.AfterFunc(idleTime, l.closeIdle)
		}
	}
}

// idleTime is how long a connection without subscribers stays open, because usually another one
// subscribes soon.
const idleTime = 10 * time.Second

// closeIdle closes the connection if there are no subscribers.
func (l *listener) closeIdle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.subscribers) == 0 && l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
}

// close closes the connection permanently.
func (l *listener) close() {
	l.mu.Lock()
	l.closed = true
	if l.cancel != nil {
		l.cancel()
	}
	l.mu.Unlock()
	l.receiving.Wait()
}

// receiveNotifications passes notifications to subscribers until ctx is done. If it cannot listen,
// as on a replica, it retries at increasing intervals.
func (db *DB) receiveNotifications(ctx context.Context) {
	for pause := minPause; ctx.Err() == nil; pause = min(2*pause, idleTime) {
		if db.receiveUntilError(ctx) {
			pause = minPause
		}
		waitForNews(ctx, pause, nil)
	}
}

// receiveUntilError passes on notifications until the connection breaks. It reports whether it could
// connect and listen.
func (db *DB) receiveUntilError(ctx context.Context) (connected bool) {
	conn, err := pgx.ConnectConfig(ctx, db.pool.Config().ConnConfig)
	if err != nil {
		return false
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxPause)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+dueChannel+"; LISTEN "+stoppedChannel); err != nil {
		return false
	}
	db.listener.notify(func(topic) bool { return true }) // there may have been notifications before LISTEN
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return true
		}
		run, _ := hex.DecodeString(n.Payload)
		db.listener.notify(func(t topic) bool { return t.channel == n.Channel && (t.run == "" || t.run == string(run)) })
	}
}

// notify wakes the subscribers of a topic for which matches returns true.
func (l *listener) notify(matches func(topic) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for subscriber, topics := range l.subscribers {
		if !slices.ContainsFunc(topics, matches) {
			continue
		}
		select {
		case subscriber <- struct{}{}:
		default: // it has not received the last value yet
		}
	}
}
