package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"
	"unicode/utf8"
)

// Check returns an [*Error] if a method with this context and run must fail. It is for
// implementations of [Journal].
func Check(ctx context.Context, run string) error {
	switch {
	case run == "":
		return &Error{Kind: Invalid, Err: errors.New("the ID of the run is empty")}
	case len(run) > MaxRun:
		return &Error{Kind: Invalid, Run: run, Err: fmt.Errorf("its ID has %d bytes, at most %d are allowed", len(run), MaxRun)}
	case !utf8.ValidString(run):
		return &Error{Kind: Invalid, Run: run, Err: errors.New("its ID is not UTF-8")}
	case ctx.Err() != nil:
		return &Error{Kind: Failed, Run: run, Err: ctx.Err()}
	}
	return nil
}

// Prepare returns entries in the form that a journal stores, numbered from n, or an [*Error] if
// an entry is invalid. The result may share data with the given entries.
func Prepare(run string, n int, entries []Entry) ([]Entry, error) {
	prepared := make([]Entry, len(entries))
	for i, e := range entries {
		e.N = n + i
		var err error
		if prepared[i], err = prepareEntry(e); err != nil {
			return nil, &Error{Kind: Invalid, Run: run, Err: fmt.Errorf("entry %d: %w", e.N, err)}
		}
	}
	switch {
	case n < 0:
		return nil, &Error{Kind: Invalid, Run: run, Err: fmt.Errorf("invalid entry number %d: numbers start at 0", n)}
	case len(entries) == 0 || len(entries) > MaxBatch:
		return nil, &Error{Kind: Invalid, Run: run, Err: fmt.Errorf("cannot append %d entries at once, only 1 to %d", len(entries), MaxBatch)}
	}
	return prepared, nil
}

func prepareEntry(e Entry) (Entry, error) {
	for _, text := range []struct{ name, text string }{
		{"kind", e.Kind}, {"writer", e.By}, {"status", e.Status}, {"waits for", e.WaitsFor}, {"effect", e.Effect},
	} {
		if len(text.text) > MaxText || !utf8.ValidString(text.text) {
			return e, fmt.Errorf("%s: at most %d bytes of UTF-8 are allowed, these are %d", text.name, MaxText, len(text.text))
		}
	}
	if e.By == "" {
		return e, errors.New("the writer is missing")
	}
	if e.Time = e.Time.UTC().Round(0); e.Time.Year() < 0 || e.Time.Year() > 9999 {
		return e, fmt.Errorf("the year %d cannot be stored", e.Time.Year())
	}
	var err error
	e.Data, err = compactData(e.Data)
	return e, err
}

// compactData returns data as JSON without line breaks.
func compactData(data json.RawMessage) (json.RawMessage, error) {
	switch {
	case len(data) > MaxEntry:
		return nil, fmt.Errorf("its data has %d bytes, at most %d are allowed", len(data), MaxEntry)
	case len(data) == 0:
		return nil, nil
	case !utf8.Valid(data) || !json.Valid(data):
		return nil, errors.New("its data is not valid JSON")
	case bytes.IndexByte(data, '\n') < 0:
		return data, nil
	}
	var b bytes.Buffer
	if err := json.Compact(&b, data); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Same reports whether two entries are identical, so that an Append of one of them may be a repeated
// Append of the other.
func (e Entry) Same(other Entry) bool {
	same := bytes.Equal(e.Data, other.Data) && e.Time.Equal(other.Time)
	e.Data, other.Data = nil, nil
	e.Time, other.Time = time.Time{}, time.Time{}
	return same && reflect.DeepEqual(e, other)
}
