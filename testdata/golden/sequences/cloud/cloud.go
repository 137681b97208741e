// Package cloud imitates clients of cloud services.
package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
)

// ErrDone is returned after the last item.
var ErrDone = errors.New("no more items")

// ErrClosed is returned by a closed iterator.
var ErrClosed = errors.New("iterator is closed")

// A Bucket holds files.
type Bucket struct {
	Name   string `json:"name"`
	Region string `json:"region"`
}

// A BucketIterator iterates over buckets.
type BucketIterator struct {
	Response any
	names    []string
	Closed   *int
}

// NewIterator returns an iterator over buckets, which adds 1 to closed when it is closed.
func NewIterator(names []string, closed *int) *BucketIterator {
	return &BucketIterator{names: names, Closed: closed}
}

// Next returns the next bucket. Its second result is ErrDone if there are no more.
func (it *BucketIterator) Next() (*Bucket, error) {
	if len(it.names) == 0 {
		return nil, ErrDone
	}
	name := it.names[0]
	if it.names = it.names[1:]; name == "" {
		return nil, errors.New("a bucket has no name")
	}
	return &Bucket{Name: name, Region: "eu"}, nil
}

// Stop ends the iteration.
func (it *BucketIterator) Stop() { *it.Closed++ }

// A Cursor iterates over lines.
type Cursor struct{ left int }

// NewCursor returns a cursor over n lines.
func NewCursor(n int) *Cursor { return &Cursor{n} }

// HasNext reports whether there is another line.
func (c *Cursor) HasNext() bool { return c.left > 0 }

// Next returns the next line.
func (c *Cursor) Next(ctx context.Context) (string, error) {
	c.left--
	return "line", ctx.Err()
}

// A Stream is the client's side of a stream that only the server sends to.
type Stream interface {
	Recv() (*Bucket, error)
	CloseSend() error
	Context() context.Context
}

// A Pager fetches pages.
type Pager[T any] struct {
	Pages []T
	Err   error // after the last page
}

// More reports whether there are more pages.
func (p *Pager[T]) More() bool { return len(p.Pages) > 0 || p.Err != nil }

// NextPage fetches the next page.
func (p *Pager[T]) NextPage(ctx context.Context) (T, error) {
	if len(p.Pages) == 0 {
		return *new(T), p.Err
	}
	page := p.Pages[0]
	p.Pages = p.Pages[1:]
	return page, ctx.Err()
}

// UnmarshalJSON reads the current page.
func (p *Pager[T]) UnmarshalJSON([]byte) error { return errors.New("not implemented") }

// ListResult is a page of buckets.
type ListResult struct {
	Value    []*Bucket
	NextLink *string
}

// MarshalJSON implements json.Marshaler.
func (r ListResult) MarshalJSON() ([]byte, error) { return nil, errors.New("not implemented") }

// ListResponse is the response with a page of buckets.
type ListResponse struct{ ListResult }

// Options are options of a request.
type Options struct{ Region string }

// ListQueuesOutput is a page of queues.
type ListQueuesOutput struct {
	QueueUrls []string
	NextToken *string
	Count     int32
}

// A ListQueuesPaginator fetches pages of queues.
type ListQueuesPaginator struct{ pages [][]string }

// NewPaginator returns a paginator of pages.
func NewPaginator(pages ...[]string) *ListQueuesPaginator { return &ListQueuesPaginator{pages} }

// HasMorePages reports whether there are more pages.
func (p *ListQueuesPaginator) HasMorePages() bool { return len(p.pages) > 0 }

// NextPage fetches the next page.
func (p *ListQueuesPaginator) NextPage(ctx context.Context, options ...func(*Options)) (*ListQueuesOutput, error) {
	page := &ListQueuesOutput{QueueUrls: p.pages[0], Count: int32(len(p.pages[0]))}
	p.pages = p.pages[1:]
	return page, ctx.Err()
}

// A Listing is a page with two lists.
type Listing struct {
	Files   []string `json:"files"`
	Folders []string `json:"folders"`
}

// A NameLister sends names on a channel, which it closes.
type NameLister interface {
	Name() <-chan string
	Err() error
}

// A KeyLister sends keys on a channel until there are no more, or until it is stopped.
type KeyLister interface {
	Keys() <-chan string
	Stop() error
}

// A List is a NameLister and a KeyLister.
type List struct {
	ctx    context.Context
	names  []string
	err    error
	closed *int
}

// NewList returns a list of names that ends with an error, if err is not nil, or with the error of the
// context. It adds 1 to closed when it is stopped.
func NewList(ctx context.Context, names []string, err error, closed *int) *List {
	return &List{ctx, names, err, closed}
}

// Name returns the channel.
func (l *List) Name() <-chan string {
	names := make(chan string)
	go func() {
		defer close(names)
		for _, name := range l.names {
			select {
			case names <- name:
			case <-l.ctx.Done():
				l.err = l.ctx.Err()
				return
			}
		}
	}()
	return names
}

// Keys returns the channel.
func (l *List) Keys() <-chan string { return l.Name() }

// Err returns the error that ended the list.
func (l *List) Err() error { return l.err }

// Stop ends the list.
func (l *List) Stop() error {
	*l.closed++
	return nil
}

// Rows are the rows of a table, by key.
type Rows struct {
	rows map[string]Bucket
	err  error
}

// NewRows returns rows that end with an error, if err is not nil.
func NewRows(rows map[string]Bucket, err error) Rows { return Rows{rows, err} }

// All yields the rows.
func (r Rows) All() iter.Seq2[string, Bucket] { return maps.All(r.rows) }

// Error returns the error that ended the rows.
func (r Rows) Error() error { return r.err }

// A Scanner advances from item to item.
type Scanner[T any] struct {
	items  []T
	at     int
	err    error
	closed *int
}

// NewScanner returns a scanner that ends with an error, if err is not nil. It adds 1 to closed when it is closed.
func NewScanner[T any](items []T, err error, closed *int) *Scanner[T] {
	return &Scanner[T]{items, -1, err, closed}
}

// Next advances to the next item.
func (s *Scanner[T]) Next() bool {
	s.at++
	return s.at < len(s.items)
}

// Current returns the current item.
func (s *Scanner[T]) Current() T { return s.items[s.at] }

// Err returns the error that ended the scanner.
func (s *Scanner[T]) Err() error { return s.err }

// Close ends the scanner.
func (s *Scanner[T]) Close() error {
	*s.closed++
	return nil
}

// A DocumentCursor reads documents, as that of MongoDB does.
type DocumentCursor struct {
	Current []byte
	Scanner *Scanner[string]
}

// Next advances to the next document.
func (c *DocumentCursor) Next(ctx context.Context) bool { return ctx.Err() == nil && c.Scanner.Next() }

// Decode decodes the current document.
func (c *DocumentCursor) Decode(into any) error {
	return json.Unmarshal([]byte(c.Scanner.Current()), into)
}

// All decodes all documents.
func (c *DocumentCursor) All(ctx context.Context, into any) error {
	return errors.New("not implemented")
}

// Err returns the error that ended the cursor.
func (c *DocumentCursor) Err() error { return c.Scanner.err }

// Close ends the cursor, unless the context is canceled.
func (c *DocumentCursor) Close(ctx context.Context) error {
	if ctx.Err() == nil {
		*c.Scanner.closed++
	}
	return ctx.Err()
}

// A Document is a single document.
type Document struct{ text string }

// NewDocument returns a document, or an error as its content.
func NewDocument(text string) *Document { return &Document{text} }

// Decode decodes the document.
func (d *Document) Decode(into any) error { return json.Unmarshal([]byte(d.text), into) }

// Err returns the error that Decode would return for any value.
func (d *Document) Err() error { return nil }

// Raw returns the text.
func (d *Document) Raw() string { return d.text }

// Changes are documents without an end, so they have no method All.
type Changes interface {
	Next(ctx context.Context) bool
	Decode(into any) error
	Err() error
	Close(ctx context.Context) error
}

// Entries are pairs.
type Entries interface {
	Next() bool
	Key() string
	Value() string
	Err() error
}
