package transport

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"strconv"
	"strings"
	"time"
)

// events reads server-sent events.
type events struct {
	in    *bufio.Reader
	limit int // of an event, in bytes
}

// event is a server-sent event.
type event struct {
	name, id string
	data     []byte
	retry    time.Duration // until a broken stream is opened again; 0 if the event has none
}

// longestField limits the fields of an event other than its data, in bytes.
const longestField = 4096

func newEvents(r io.Reader, limit int) *events {
	return &events{bufio.NewReaderSize(r, pieceSize), limit}
}

// next reads the next event that has data, an ID or a delay. Its error is an
// [UnreadableError] if the event is longer than the limit.
func (e *events) next() (event, error) {
	var ev event
	var data buffer
	for empty := true; ; {
		field, value, err := e.readField(&data)
		if err != nil && err != io.EOF {
			return event{}, err
		}
		switch field {
		case "data":
			empty = false
		case "event":
			ev.name = value
		case "id":
			ev.id, empty = value, false
		case "retry":
			if ms, err := strconv.ParseInt(value, 10, 64); err == nil {
				ev.retry, empty = time.Duration(min(max(ms, 100), 60_000))*time.Millisecond, false
			}
		}
		switch {
		case err == nil && field != "":
		case empty && err != nil:
			return event{}, err
		case empty:
			ev.name = ""
		default:
			data.trimEnd('\n')
			ev.data = data.bytes()
			return ev, nil
		}
	}
}

// readField reads a line; the field of an empty line is "". The value of the field data
// goes to data, with a line end.
func (e *events) readField(data *buffer) (field, value string, err error) {
	var text []byte
	for size := data.size; ; {
		piece, err := e.in.ReadSlice('\n')
		if size += len(piece); size > e.limit {
			return "", "", tooLong(e.limit)
		}
		switch rest, found := bytes.CutPrefix(piece, []byte("data:")); {
		case field == "data":
			data.write(piece)
		case text == nil && found:
			field = "data"
			data.write(bytes.TrimPrefix(rest, []byte(" ")))
		default:
			text = append(text, piece[:min(len(piece), longestField-len(text))]...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case field == "data":
			data.trimEnd('\n')
			data.trimEnd('\r')
			data.write([]byte{'\n'})
			return field, "", err
		}
		line := strings.TrimRight(string(text), "\r\n")
		name, rest, _ := strings.Cut(line, ":")
		return cmp.Or(name, line), strings.TrimSpace(rest), err
	}
}
