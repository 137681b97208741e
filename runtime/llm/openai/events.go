package openai

import (
	"bufio"
	"bytes"
	"io"
)

// events are the data of a stream of server-sent events. The client's own reader
// knows neither data over several lines nor whether the end was marked.
type events struct {
	lines *bufio.Reader
	count int
	done  bool // the end was marked
}

var endMark = []byte("[DONE]")

// next returns the data of the next event; io.EOF behind the last one.
//
// Data may be in several lines, up to a blank one. Some endpoints leave the blank
// lines out, so that data ends where its brackets do; and some send an error, or all
// that they send, as it is, not as data.
func (e *events) next() ([]byte, error) {
	var data []byte
	var open nesting
	for !e.done {
		line, err := e.lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		value, isData := bytes.CutPrefix(line, []byte("data:"))
		if isData || bytes.HasPrefix(line, []byte("{")) || bytes.Equal(line, endMark) {
			value = bytes.TrimSpace(value)
			data = append(append(data, value...), '\n')
			open.add(string(value))
		}
		all := bytes.TrimSpace(data)
		if e.done = bytes.Equal(all, endMark); e.done {
			break
		}
		if len(all) > 0 && (open.closed() || len(line) == 0 || err == io.EOF) {
			e.count++
			return all, nil
		}
		if err == io.EOF {
			return nil, err
		}
	}
	return nil, io.EOF
}

// nesting follows the brackets of a JSON text that comes in pieces.
type nesting struct {
	depth           int
	begun           bool
	inText, escaped bool
}

// add goes on with the next piece.
func (n *nesting) add(text string) {
	for i := range len(text) {
		switch c := text[i]; {
		case n.escaped:
			n.escaped = false
		case n.inText:
			n.escaped, n.inText = c == '\\', c != '"'
		case c == '"':
			n.inText = true
		case c == '{' || c == '[':
			n.depth, n.begun = n.depth+1, true
		case c == '}' || c == ']':
			n.depth--
		}
	}
}

// closed tells whether an object or a list began, and is whole.
func (n *nesting) closed() bool { return n.begun && n.depth <= 0 && !n.inText }
