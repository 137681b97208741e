// Package memory defines stores, which keep JSON values of agents under keys. [Store] is the
// interface. A new [Map] keeps values in memory; package memory/bolt opens a store in a file. Pass
// a store to the options Store and Recall of package orchestrator, or to functions that take one.
// Package memorytest tests custom stores.
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

// Store keeps JSON values under keys. Keys are byte strings of 1 to [MaxKey] bytes, compared and
// ordered as bytes. A store is safe for concurrent use. Each Write and Delete takes effect
// completely or not at all, and is visible to all calls that begin after it returned. A store
// shares no memory with its callers. Every error is an [*Error]. If the context is done, a method
// fails without changing anything.
type Store interface {
	// Write stores a value under a key and replaces an existing one. It encodes the value before it
	// returns; see [Marshal] for the encoding.
	Write(ctx context.Context, key string, value any) error

	// Read returns the value under a key, and whether it exists.
	Read(ctx context.Context, key string) (value json.RawMessage, found bool, err error)

	// Search returns the entries whose keys begin with prefix in the order of their keys. An entry
	// that exists during the whole search is returned once. Entries that are written or deleted in
	// the meantime, even by the loop itself, may be missing. An error ends the sequence and comes
	// without an entry.
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
	Kind string // one of the codes
	Key  string // or prefix; may be empty
	Err  error
}

// Error names the key and the cause.
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

// maxQuoted limits how much of a key an error shows, in bytes.
const maxQuoted = 64

func quoteKey(key string) string { return strconv.Quote(words.Cut(key, maxQuoted)) }

// Check returns an [*Error] if a method with this context and key must fail. Like [Marshal], it
// is for implementations of [Store].
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

// Marshal returns the JSON of a value in the form that a store keeps: without white space, and
// with <, > and & unescaped. It returns an [*Error] if the value must not be stored. The caller
// owns the result.
func Marshal(key string, value any) (json.RawMessage, error) {
	text, err := encodeValue(value)
	if err != nil {
		return nil, &Error{Kind: InvalidValue, Key: key, Err: err}
	}
	return text, nil
}

func encodeValue(value any) (text json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil { // in a MarshalJSON or MarshalText method of the caller
			err = fmt.Errorf("panic while writing a %T as JSON: %v", value, p)
		}
	}()
	if text, err = jsontext.Marshal(value, ""); err != nil {
		return nil, err
	}
	if len(text) > MaxValue {
		return nil, fmt.Errorf("the value has %d bytes as JSON, at most %d are allowed", len(text), MaxValue)
	}
	if !utf8.Valid(text) { // encoding/json does not check json.RawMessage for this
		return nil, errors.New("the value is not valid UTF-8")
	}
	return text, nil
}
