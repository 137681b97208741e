// Package sequences has functions that return sequences.
package sequences

import (
	"context"
	"errors"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/aiongen/aiongen/testdata/golden/sequences/cloud"
)

// A User is a person.
type User struct {
	ID     int    `json:"id"`
	Name   string `json:"name"`
	Secret string `json:"secret"`
}

// Users counts up to the number of users.
func Users(n int) iter.Seq[User] {
	if n < 0 {
		return nil
	}
	return func(yield func(User) bool) {
		for i := range n {
			if !yield(User{ID: i + 1, Name: "Ada", Secret: "s"}) {
				return
			}
		}
	}
}

// Names is a named sequence.
type Names iter.Seq[string]

// ListNames lists names, sorted.
func ListNames() Names { return Names(slices.Values([]string{"Ada", "Bob"})) }

// Read yields numbers and then fails, if it is to.
func Read(ctx context.Context, n int, fail bool) (iter.Seq2[int, error], error) {
	if n < 0 {
		return nil, errors.New("n is negative")
	}
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, ctx.Err()) {
				return
			}
		}
		if fail {
			yield(0, errors.New("the disk is broken"))
		}
	}, nil
}

// Ages returns ages by name.
func Ages() iter.Seq2[string, int] { return maps.All(map[string]int{"Ada": 36}) }

// Panic yields a number and then panics.
func Panic() iter.Seq[int] {
	return func(yield func(int) bool) {
		if yield(1) {
			panic("no more numbers")
		}
	}
}

// Ended receives a value when a goroutine of Watch ends.
var Ended = make(chan bool, 1)

// Watch sends numbers on a channel, until there are n, or for ever if n is 0. The channel is nil if n
// is negative.
func Watch(ctx context.Context, n int) (<-chan int, error) {
	if n < 0 {
		return nil, nil
	}
	numbers := make(chan int)
	go func() {
		defer func() { Ended <- true }()
		defer close(numbers)
		for i := 0; n == 0 || i < n; i++ {
			select {
			case numbers <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	return numbers, nil
}

// Client is a client of a store.
type Client struct {
	Names  []string
	Closed int
	Pages  []cloud.ListResponse
	Err    error
	Cancel context.CancelFunc // the client calls it while a call runs
}

// List lists the buckets.
func (c *Client) List(context.Context) *cloud.BucketIterator {
	if c.Names == nil {
		return nil
	}
	return cloud.NewIterator(c.Names, &c.Closed)
}

// All returns all names.
func (c *Client) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, name := range c.Names {
			if !yield(name) {
				return
			}
			if c.Cancel != nil {
				c.Cancel()
			}
		}
	}
}

// Subscribe returns a channel of names, on which nothing arrives.
func (c *Client) Subscribe() <-chan string {
	go c.Cancel()
	return make(chan string)
}

// ListPages lists the buckets page by page.
func (c *Client) ListPages() *cloud.Pager[cloud.ListResponse] {
	return &cloud.Pager[cloud.ListResponse]{Pages: c.Pages, Err: c.Err}
}

// Queues lists queues.
func Queues() *cloud.ListQueuesPaginator {
	return cloud.NewPaginator([]string{"a", "b"}, nil, []string{"c"})
}

// Listings lists folders.
func Listings() *cloud.Pager[cloud.Listing] {
	return &cloud.Pager[cloud.Listing]{Pages: []cloud.Listing{{Files: []string{"a"}}, {Folders: []string{"b"}}}}
}

// Batches lists numbers.
func Batches() *cloud.Pager[[]int] {
	return &cloud.Pager[[]int]{Pages: [][]int{{1, 2}, {3}}}
}

// Lines returns the lines of a file.
func Lines() (*cloud.Cursor, error) { return cloud.NewCursor(2), nil }

type stream struct {
	cloud.Stream
	left int
}

func (s *stream) Recv() (*cloud.Bucket, error) {
	if s.left--; s.left < 0 {
		return nil, io.EOF
	}
	return &cloud.Bucket{Name: "stream"}, nil
}

// Stream streams buckets.
func Stream(context.Context) (cloud.Stream, error) { return &stream{left: 3}, nil }

// Find returns the users that it has found, with their number.
func Find(query string) (total int, users iter.Seq[*User], err error) {
	return 2, func(yield func(*User) bool) {
		if yield(nil) {
			yield(&User{ID: 7, Name: query})
		}
	}, nil
}

// Open returns an iterator that other tools use.
func Open(names []string) *cloud.BucketIterator { return cloud.NewIterator(names, new(int)) }

// Take returns the next bucket of an iterator.
func Take(it *cloud.BucketIterator) (*cloud.Bucket, error) { return it.Next() }

// Updates is a named channel.
type Updates <-chan User

// Poll receives updates, without the client.
func Poll() Updates {
	updates := make(chan User, 1)
	updates <- User{ID: 1}
	close(updates)
	return updates
}

// Each is a function over which range iterates.
func Each() func(yield func(string, User) bool) {
	return func(yield func(string, User) bool) { yield("a", User{ID: 1, Secret: "s"}) }
}

// Handlers returns functions by name.
func Handlers() iter.Seq2[string, func()] {
	return func(yield func(string, func()) bool) { yield("a", nil) }
}

// Bytes returns single bytes.
func Bytes() iter.Seq[byte] { return slices.Values([]byte("ab")) }

// ListNames lists the names.
func (c *Client) ListNames(ctx context.Context) (cloud.NameLister, error) {
	if c.Names == nil {
		return nil, nil
	}
	return cloud.NewList(ctx, c.Names, c.Err, &c.Closed), nil
}

// ListKeys lists the keys.
func (c *Client) ListKeys(ctx context.Context) cloud.KeyLister {
	return cloud.NewList(ctx, c.Names, c.Err, &c.Closed)
}

// ListRows lists the rows, with their number.
func (c *Client) ListRows() (n int, rows cloud.Rows) {
	return 1, cloud.NewRows(map[string]cloud.Bucket{"a": {Name: "x"}}, c.Err)
}

// Scan scans names. It fails in the end if the last one is empty.
func (c *Client) Scan() *cloud.Scanner[string] {
	if c.Names == nil {
		return nil
	}
	return cloud.NewScanner(c.Names, c.Err, &c.Closed)
}

// Query returns documents.
func (c *Client) Query(ctx context.Context, filter any) (*cloud.DocumentCursor, error) {
	if c.Cancel != nil {
		c.Cancel()
	}
	return &cloud.DocumentCursor{Scanner: cloud.NewScanner(c.Names, c.Err, &c.Closed)}, nil
}

// QueryOne returns a document.
func (c *Client) QueryOne(filter string) *cloud.Document { return cloud.NewDocument(filter) }

// QueryTwo returns a number and a document.
func QueryTwo() (n int, document *cloud.Document, err error) { return 2, cloud.NewDocument("[1]"), nil }

// WatchAll returns changes, which never end.
func WatchAll() cloud.Changes { return nil }

// Entries returns pairs, whose keys would be lost.
func Entries() cloud.Entries { return nil }
