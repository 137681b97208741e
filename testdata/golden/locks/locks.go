// Package locks has types that hold locks, and whose fields others change under
// these while tools read the rest.
package locks

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
)

//go:generate go tool aiongen

// Server has a lock, and what it guards.
type Server struct {
	Name   string  `json:"name"`
	Limit  Limit   `json:"limit"`
	Peers  []Peer  `json:"peers,omitempty"`
	Pair   [2]Peer `json:"pair"`
	Next   *Server `json:"next,omitempty"`
	Labels *Labels `json:"labels,omitempty"`

	mu   sync.Mutex
	hits int
}

// Limit is within it.
type Limit struct {
	Most int `json:"most"`
	used atomic.Int64
}

// Peer is one of many.
type Peer struct {
	Host string `json:"host"`
	mu   sync.Mutex
	down bool
}

// Labels write themselves, and have a lock.
type Labels struct {
	mu   sync.Mutex
	text string
}

// MarshalText returns them under the lock.
func (l *Labels) MarshalText() ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return []byte(l.text), nil
}

// UnmarshalText sets them.
func (l *Labels) UnmarshalText(text []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = string(text)
	return nil
}

// The is the server that all use.
var The = &Server{Name: "one", Peers: make([]Peer, 2), Labels: &Labels{text: "a,b"}}

// Hit changes all that is guarded.
func Hit() {
	The.mu.Lock()
	The.hits++
	The.mu.Unlock()
	The.Limit.used.Add(1)
	for i := range The.Peers {
		The.Peers[i].mu.Lock()
		The.Peers[i].down = !The.Peers[i].down
		The.Peers[i].mu.Unlock()
	}
	The.Labels.UnmarshalText([]byte("c"))
}

// Get returns the server.
func Get() *Server { return The }

// All returns it in a list of pointers, and its peers in one of values.
func All() ([]*Server, []Peer) { return []*Server{The}, The.Peers }

// ByName returns it in a map.
func ByName() map[string]*Server { return map[string]*Server{"one": The} }

// Put takes a server as its arguments.
func Put(s *Server) (string, error) { return s.Name + s.Peers[1].Host + s.Next.Name, nil }

// Serve does so with a context, and is a tool as it is.
func Serve(ctx context.Context, s *Server) (*Server, error) { return s, nil }

// Add takes locks in every place.
func Add(s *Server, peers []Peer, list []*Peer, byName map[string]*Peer, labels *Labels, n sql.Null[string]) int {
	return len(s.Name) + len(peers) + len(list) + len(byName) + len(labels.text) + len(n.V)
}

// Drop takes a server, and returns nothing.
func Drop(s *Server) error { return nil }

// Pool is a server of methods.
type Pool struct{ mu sync.Mutex }

// Find takes a server, and returns it.
func (p *Pool) Find(s *Server) (*Server, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return s, 1
}
