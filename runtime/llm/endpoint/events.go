package endpoint

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Events reads server-sent events. Unlike the readers of vendors, it accepts data of several lines,
// events without a blank line after them, and data without the prefix "data:".
type Events struct {
	lines *bufio.Reader
	Count int  // number of events read so far
	Done  bool // whether the end mark [DONE] was read
	ended bool // whether the body has ended
}

// NewEvents returns a reader of the events in a body.
func NewEvents(body io.Reader) *Events { return &Events{lines: bufio.NewReader(body)} }

var endMark = []byte("[DONE]")

// Next returns the data of the next event. It returns io.EOF after the last event. The data of an
// event ends at a blank line or after the line that closes all brackets.
func (e *Events) Next() ([]byte, error) {
	var data []byte
	var open Nesting
	for !e.Done {
		line, err := e.lines.ReadBytes('\n')
		if e.ended = errors.Is(err, io.EOF); err != nil && !e.ended {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		value, isData := bytes.CutPrefix(line, []byte("data:"))
		if isData || bytes.HasPrefix(line, []byte("{")) || bytes.Equal(line, endMark) {
			if value = bytes.TrimSpace(value); len(value) > 0 {
				data = append(append(data, value...), '\n')
				open.Add(string(value))
			}
		}
		all := bytes.TrimSpace(data)
		if e.Done = bytes.Equal(all, endMark); e.Done {
			break
		}
		if len(all) > 0 && (open.IsClosed() || len(line) == 0 || e.ended) {
			e.Count++
			return all, nil
		}
		if e.ended {
			return nil, err
		}
	}
	return nil, io.EOF
}

// Events returns the events of a streamed answer, each of which must be a JSON object. Any other event
// ends the sequence with an error.
func (a *Answer) Events() iter.Seq2[Members, error] {
	return func(yield func(Members, error) bool) {
		events := NewEvents(a.Response.Body)
		for {
			data, err := events.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			var event Members
			if err == nil {
				event, err = a.parseDocument(bytes.ToValidUTF8(data, []byte("\uFFFD")))
				if err != nil && events.ended {
					err = a.CutOff()
				}
			}
			if !yield(event, err) || err != nil {
				return
			}
		}
	}
}

// Nesting tracks the brackets of a JSON text that arrives in pieces.
type Nesting struct {
	brackets jsontext.Nesting
	begun    bool
}

// Add processes the next piece.
func (n *Nesting) Add(text string) {
	for i := range len(text) {
		before := n.brackets.Depth
		n.brackets.Add(text[i])
		n.begun = n.begun || n.brackets.Depth > before
	}
}

// IsClosed reports whether the text contains an object or list, and all brackets are closed.
func (n *Nesting) IsClosed() bool { return n.begun && n.brackets.Depth <= 0 && !n.brackets.InString }
