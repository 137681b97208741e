// Package client is a client whose methods take the context as an option.
package client

import (
	"context"
	"errors"
	"time"
)

// A Request is what options change.
type Request struct {
	ctx   context.Context
	Trace []string
}

// Option changes a request.
type Option func(*Request)

// WithContext returns an option that sets the context of a request.
func WithContext(ctx context.Context) Option {
	return func(r *Request) { r.ctx, r.Trace = ctx, append(r.Trace, "context") }
}

// WithTrace returns an option that adds to the trace.
func WithTrace(text string) Option {
	return func(r *Request) { r.Trace = append(r.Trace, text) }
}

// Issue is an issue.
type Issue struct {
	ID    int      `json:"id"`
	Trace []string `json:"trace"`
}

// Search says which issues to list.
type Search struct {
	Text string `json:"text"`
}

// Client is a client.
type Client struct{ Issues *Issues }

// Issues has the methods for issues.
type Issues struct{ Delay time.Duration }

// Get returns an issue.
func (s *Issues) Get(project string, id int, options ...Option) (*Issue, error) {
	r := Request{ctx: context.Background()}
	for _, option := range options {
		option(&r)
	}
	select {
	case <-r.ctx.Done():
		return nil, r.ctx.Err()
	case <-time.After(s.Delay):
		return &Issue{id, r.Trace}, nil
	}
}

// List returns issues.
func (s *Issues) List(search Search, options ...Option) ([]*Issue, error) {
	issue, err := s.Get(search.Text, 1, options...)
	return []*Issue{issue}, err
}

// Other is another kind of options.
type Other interface{ apply(*Request) }

// Delete deletes an issue.
func (s *Issues) Delete(id int, options ...Other) error {
	if id == 0 {
		return errors.New("there is no such issue")
	}
	return nil
}
