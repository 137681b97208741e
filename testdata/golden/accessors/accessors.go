// Package accessors has functions that return interfaces whose methods are the accessors of their values.
package accessors

import (
	"fmt"
	"time"
)

// An Entry is what a key stands for.
type Entry interface {
	fmt.Stringer

	Key() string
	Value() []byte
	// Created is when it was stored.
	Created() time.Time
	GetRevision() uint64
	TTL() time.Duration
	IsCompressed() bool
	Config() Config
	Place() *[2]int
	Tags() map[string][]string
	Operation() Operation
}

// An Operation is what was done last. Its text is its name.
type Operation uint8

// MarshalText returns the name.
func (o Operation) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "op-%d", o), nil }

// Config says how entries are stored.
type Config struct {
	Bucket string `json:"bucket"`
	Secret string `json:"secret,omitempty"`
}

// Stored is an entry.
type Stored struct {
	Name string
	At   time.Time
}

func (s Stored) String() string            { return "entry " + s.Name }
func (s Stored) Key() string               { return s.Name }
func (s Stored) Value() []byte             { return []byte(s.Name) }
func (s Stored) Created() time.Time        { return s.At }
func (s Stored) GetRevision() uint64       { return 7 }
func (s Stored) TTL() time.Duration        { return time.Minute }
func (s Stored) IsCompressed() bool        { return true }
func (s Stored) Config() Config            { return Config{"b", "s"} }
func (s Stored) Place() *[2]int            { return &[2]int{1, 2} }
func (s Stored) Tags() map[string][]string { return map[string][]string{"t": nil} }
func (s Stored) Operation() Operation      { return 3 }

// Get returns an entry, nil if there is none with the key.
func Get(key string) (Entry, error) {
	if key == "" {
		return nil, nil
	}
	return Stored{key, time.Unix(0, 0).UTC()}, nil
}

// History returns entries.
func History() []Entry { return []Entry{Stored{Name: "a"}, nil} }

// A Page has entries.
type Page struct {
	First Entry           `json:"first"`
	ByKey map[string]Size `json:"by_key"`
}

// A Size has two accessors.
type Size interface {
	Width() int
	Height() int
}

// A Square is a size.
type Square int

// Width returns the width.
func (s Square) Width() int { return int(s) }

// Height returns the height.
func (s Square) Height() int { return int(s) }

// Pages returns a page.
func Pages() Page { return Page{ByKey: map[string]Size{"a": Square(2)}} }

// Sizes sends sizes.
func Sizes() <-chan Size {
	sizes := make(chan Size, 1)
	sizes <- Square(3)
	close(sizes)
	return sizes
}

// Measure returns a size by value, and one by reference.
func Measure() (size, other Size) { return Square(4), Square(5) }

// Area takes a size.
func Area(s Size) int { return s.Width() * s.Height() }

// A Handle does something.
type Handle interface {
	Name() string
	ID() string
	Close() error
}

// A Node has a parent, which may have it as a child.
type Node interface {
	Name() string
	Parent() Node
}

// A Tree has children.
type Tree interface {
	Name() string
	Children() []Tree
}

// A Cursor advances.
type Cursor interface {
	Next() string
	Position() int
}

// A Closer tries to close something.
type Closer interface {
	Name() string
	TryClose() bool
}

// A Namer has one accessor.
type Namer interface{ Name() string }

// A Query has an argument.
type Query interface {
	Name() string
	Column(i int) string
}

// A Loader loads values of any type.
type Loader interface {
	Name() string
	Any() any
}

// Twice has two accessors for one name.
type Twice interface {
	Name() string
	GetName() string
	Other() int
}

// Failing has an error.
type Failing interface {
	Name() string
	Problem() *Problem
	Other() int
}

// A Problem is an error.
type Problem struct {
	Text string `json:"text"`
}

// Error returns the text.
func (p *Problem) Error() string { return p.Text }

// An Account has an accessor for a secret.
type Account interface {
	Name() string
	APIToken() string
}

// A Counter has a method that changes it.
type Counter interface {
	Name() string
	Bump() int
}

// A Remote has no implementation in this package.
type Remote interface {
	Host() string
	Port() int
}

// Everything implements all interfaces that are passed by reference, with methods that only return values, except for
// Counter and Remote.
type Everything struct{ text string }

func (e Everything) Name() string      { return e.text }
func (e Everything) ID() string        { return e.text }
func (e Everything) Close() error      { return nil }
func (e Everything) Parent() Node      { return nil }
func (e Everything) Children() []Tree  { return nil }
func (e Everything) Next() string      { return e.text }
func (e Everything) Position() int     { return 1 }
func (e Everything) TryClose() bool    { return true }
func (e Everything) Column(int) string { return e.text }
func (e Everything) Any() any          { return e.text }
func (e Everything) GetName() string   { return e.text }
func (e Everything) Other() int        { return 2 }
func (e Everything) Problem() *Problem { return nil }
func (e Everything) APIToken() string  { return e.text }

// Bumped counts.
type Bumped struct{ n int }

// Name returns a name.
func (b *Bumped) Name() string { return "n" }

// Bump counts.
func (b *Bumped) Bump() int {
	b.n++
	return b.n
}

// Handles returns values that are passed by reference.
func Handles() (Handle, Node, Tree, Cursor, Closer, Namer, Query, Loader, Twice, Failing) {
	return nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
}

// Unsafe returns values whose methods are not called.
func Unsafe() (Account, Counter, Remote) { return Everything{}, &Bumped{}, nil }
