// Package memory defines the interface [Store], by which agents store JSON values under keys. A
// [Map] is a store in memory; package memory/bolt implements a store in a file. Pass a store to
// the options Store and Recall of package orchestrator, or to functions that take a store. Package
// memorytest tests custom stores.
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
	MaxValue = 16 << 20 // limit for the JSON of a value
)

// Store stores JSON values under keys. Keys are byte strings of 1 to [MaxKey] bytes, which are
// compared and sorted byte by byte. A store is safe for concurrent use. Write and Delete take
// effect completely or not at all, and calls that begin after they have returned see the change. A
// store shares no memory with its callers. Every error is an [*Error]. If the context is done, a
// method fails without changing anything.
type Store interface {
	// Write stores a value under a key. It replaces an existing value. It encodes the value with
	// [Marshal] before it returns.
	Write(ctx context.Context, key string, value any) error

	// Read returns the value under a key, and reports whether it exists.
	Read(ctx context.Context, key string) (value json.RawMessage, found bool, err error)

	// Search returns the entries whose keys begin with prefix, sorted by key. It returns each
	// entry that exists during the whole search exactly once. It may or may not return entries that are
	// written or deleted during the search, for example by the loop over the results. An error ends the
	// sequence, with a zero Entry.
	Search(ctx context.Context, prefix string) iter.Seq2[Entry, error]

	// Delete removes the value under a key, if there is one.
	Delete(ctx context.Context, key string) error
}

// Entry is a value with its key.
type Entry struct {
	Key   string
	Value json.RawMessage
}

// Codes of an [Error].
const (
	InvalidKey   = "invalid_key"   // the key is empty or too long
	InvalidValue = "invalid_value" // the value cannot be encoded as JSON, or is too long
	Closed       = "store_closed"
	Failed       = "store_failed" // the store failed, or the context was done
)

// Error reports a failure of a store.
type Error struct {
	Kind string // one of the codes above
	Key  string // key or prefix; may be empty
	Err  error
}

// Error returns the key and the cause as text.
func (e *Error) Error() string {
	if e.Key == "" {
		return "memory: " + e.Err.Error()
	}
	return fmt.Sprintf("memory: key %s: %v", quoteKey(e.Key), e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Code returns the kind.
func (e *Error) Code() string { return e.Kind }

// Retryable reports whether the same call may succeed later.
func (e *Error) Retryable() bool { return e.Kind == Failed }

// maxQuoted limits the part of a key that an error shows, in bytes.
const maxQuoted = 64

func quoteKey(key string) string { return strconv.Quote(words.Cut(key, maxQuoted)) }

// Check returns an [*Error] if the methods of a store must fail for this context and key. Like
// [Marshal], it is for implementations of [Store].
func Check(ctx context.Context, key string) error {
	switch {
	case key == "":
		return &Error{Kind: InvalidKey, Err: errors.New("the key is empty")}
	case len(key) > MaxKey:
		return &Error{Kind: InvalidKey, Key: key, Err: fmt.Errorf("the key has %d bytes, at most %d are allowed", len(key), MaxKey)}
	case ctx.Err() != nil:
		return &Error{Kind: Failed, Key: key, Err: ctx.Err()}
	}
	return nil
}

// Marshal returns the JSON of a value as stores store it: without white space, and with <, > and &
// not escaped. It returns an [*Error] if the value cannot be encoded or is too long. The caller owns
// the result.
func Marshal(key string, value any) (json.RawMessage, error) {
	text, err := encodeValue(value)
	if err != nil {
		return nil, &Error{Kind: InvalidValue, Key: key, Err: err}
	}
	return text, nil
}

func encodeValue(value any) (text json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil { // the panic of a method MarshalJSON or MarshalText of the value
			err = fmt.Errorf("panic while writing a %T as JSON: %v", value, p)
		}
	}()
	if text, err = jsontext.Marshal(value, ""); err != nil {
		return nil, err
	}
	if len(text) > MaxValue {
		return nil, fmt.Errorf("the value has %d bytes as JSON, at most %d are allowed", len(text), MaxValue)
	}
	if !utf8.Valid(text) { // encoding/json copies invalid UTF-8 in a json.RawMessage
		return nil, errors.New("the value is not valid UTF-8")
	}
	return text, nil
}
