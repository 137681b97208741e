// Package mistakes has functions whose notes on sequences are wrong, and functions whose results
// look like sequences.
package mistakes

import (
	"archive/tar"
	"context"
	"iter"
)

// Count counts to n.
func Count(n int) iter.Seq[int] { return nil }

// List lists numbers.
func List() []int { return nil }

// Two returns two sequences.
func Two() (iter.Seq[int], <-chan string) { return nil, nil }

// Watch reports errors. A channel of errors is not a list.
func Watch() (<-chan string, <-chan error) { return nil, nil }

// Both returns a channel on which others may send.
func Both() (chan int, error) { return nil, nil }

// Archive returns a reader, which is more than its headers.
func Archive() (*tar.Reader, error) { return nil, nil }

// A Node is an element of a list.
type Node struct{ next *Node }

// Next returns the next node.
func (n *Node) Next() (*Node, error) { return n.next, nil }

// First returns the first node.
func First() (*Node, error) { return nil, nil }

// A Page is a part of a list.
type Page struct {
	Items []string `json:"items"`
}

// Next returns the next page, or io.EOF.
func (p *Page) Next() (*Page, error) { return nil, nil }

// Start returns the first page.
func Start() (*Page, error) { return nil, nil }

// A Chunk is a part of a list, with the next part.
type Chunk struct {
	Items []string
	next  *Chunk
}

// More reports whether there is another part.
func (c *Chunk) More() bool { return c.next != nil }

// NextPage returns the next part.
func (c *Chunk) NextPage(context.Context) (*Chunk, error) { return c.next, nil }

// Begin returns the first part.
func Begin() (*Chunk, error) { return nil, nil }

// Yield is not the type of a loop body.
type Yield func(int) bool

// Loop returns a function whose parameter has a type of its own.
func Loop() func(Yield) { return nil }

// Endless yields values without end.
func Endless(yield func(int) bool) iter.Seq[func()] { return nil }

// A Subscription sends events until it is stopped.
type Subscription interface {
	Events() <-chan string
	Stop() error
}

// Subscribe returns events that have no end.
func Subscribe() (Subscription, error) { return nil, nil }

// A Queue holds jobs, and runs them.
type Queue interface {
	Jobs() iter.Seq[string]
	Run()
	Err() error
}

// Open returns a queue, which is more than its jobs.
func Open() (Queue, error) { return nil, nil }

// A Signal says when something has ended.
type Signal interface {
	Done() <-chan struct{}
	Err() error
}

// Wait returns a signal, which is not a list of items.
func Wait() (Signal, error) { return nil, nil }

// An Answer has fields, which are its JSON.
type Answer struct{ Total, Rest int }

// Items yields the items.
func (Answer) Items() iter.Seq[string] { return nil }

// Err returns nil.
func (Answer) Err() error { return nil }

// Exact returns an answer.
func Exact() (Answer, error) { return Answer{}, nil }

// A Result decodes a single value.
type Result interface {
	Decode(into any) error
	Err() error
}

// FindOne returns a single value.
func FindOne() Result { return nil }

// A Decoder decodes values, but has no method for an error.
type Decoder interface{ Decode(into any) error }

// NewDecoder returns a decoder.
func NewDecoder() Decoder { return nil }

// A Bits advances without items.
type Bits interface {
	Next() bool
	Value() struct{}
	Err() error
}

// NewBits returns bits.
func NewBits() Bits { return nil }
