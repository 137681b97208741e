// Package memory keeps what an agent has to remember: JSON values under keys.
// [Store] is the contract, [Map] keeps values in memory, package memory/bolt in
// one file; package memorytest checks a store of your own against the contract.
//
// Its layers, from top to bottom:
//
//	map, prefix, detached  stores: in memory, of a part of another, past the end of a call
//	memory, supplied       what a store is, and how a function is given one
package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Limits of every store, in bytes.
const (
	MaxKey   = 1024
	MaxValue = 16 << 20 // as JSON
)

// Store keeps JSON values under keys. Keys are byte strings of 1 to [MaxKey]
// bytes; they are compared and ordered as bytes. A store is safe for concurrent
// use: each Write and Delete happens completely or not at all, and once it has
// returned, what begins later sees it. Nothing that goes in or comes out is
// shared with the store. Every error is an [*Error]; a context that is done is
// one, and then nothing was changed.
type Store interface {
	// Write puts a value under a key, in the place of one that is there. The
	// value becomes JSON before Write returns; see [Marshal] for what is stored.
	Write(ctx context.Context, key string, value any) error

	// Read returns the value under a key, and whether there is one.
	Read(ctx context.Context, key string) (value json.RawMessage, found bool, err error)

	// Search returns the entries whose keys begin with prefix, all if it is
	// empty, in the order of keys. An entry that is there all the while comes
	// once; one that is written or deleted meanwhile, also by the loop itself,
	// may come or not. An error is the last that comes, with no entry.
	Search(ctx context.Context, prefix string) iter.Seq2[Entry, error]

	// Delete removes what is under a key, if there is anything.
	Delete(ctx context.Context, key string) error
}

// Entry is a value and its key.
type Entry struct {
	Key   string
	Value json.RawMessage
}

// Codes of an [Error].
const (
	InvalidKey   = "invalid_key"   // it is empty or too long
	InvalidValue = "invalid_value" // it cannot be JSON, or is too long
	Closed       = "store_closed"
	Failed       = "store_failed" // the store could not do it, or did not in time
)

// Error says why a store did not do what it was asked to.
type Error struct {
	Kind string // one of the codes
	Key  string // or prefix, if it is about one
	Err  error
}

// Error tells the key and what went wrong with it.
func (e *Error) Error() string {
	if e.Key == "" {
		return "memory: " + e.Err.Error()
	}
	return fmt.Sprintf("memory: key %s: %v", quote(e.Key), e.Err)
}

// Unwrap returns what went wrong.
func (e *Error) Unwrap() error { return e.Err }

// Code returns the kind.
func (e *Error) Code() string { return e.Kind }

// Retryable tells whether the same call may succeed at another time.
func (e *Error) Retryable() bool { return e.Kind == Failed }

// longestQuoted bounds, in bytes, how much of a key an error shows.
const longestQuoted = 64

func quote(key string) string { return strconv.Quote(words.Cut(key, longestQuoted)) }

// Check returns an [*Error] if a call with the given context and key must not be
// carried out. It is for those who make a store, as is [Marshal].
func Check(ctx context.Context, key string) error {
	switch {
	case key == "":
		return &Error{Kind: InvalidKey, Err: errors.New("the key is empty")}
	case len(key) > MaxKey:
		return &Error{Kind: InvalidKey, Key: key, Err: fmt.Errorf("it has %d bytes, at most %d are allowed", len(key), MaxKey)}
	case ctx.Err() != nil:
		return &Error{Kind: Failed, Key: key, Err: ctx.Err()}
	}
	return nil
}

// Marshal returns what a store has to keep of the value under a key, or an
// [*Error] if it must not keep it: the JSON of the value, without white space and
// with the characters <, > and & as they are. Nobody else has the bytes.
func Marshal(key string, value any) (json.RawMessage, error) {
	text, err := marshal(value)
	if err != nil {
		return nil, &Error{Kind: InvalidValue, Key: key, Err: err}
	}
	return text, nil
}

func marshal(value any) (text json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil { // in a MarshalJSON or MarshalText of the user
			err = fmt.Errorf("panic while writing a %T as JSON: %v", value, p)
		}
	}()
	if text, err = jsontext.Marshal(value, ""); err != nil {
		return nil, err
	}
	if len(text) > MaxValue {
		return nil, fmt.Errorf("it has %d bytes as JSON, at most %d are allowed", len(text), MaxValue)
	}
	if !utf8.Valid(text) { // encoding/json does not look into what is JSON already
		return nil, errors.New("it is not UTF-8")
	}
	return text, nil
}
