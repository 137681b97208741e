package transport

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
)

// eventReader reads server-sent events.
type eventReader struct {
	in    *bufio.Reader
	limit int // maximum size of an event, in bytes
}

// event is a server-sent event.
type event struct {
	name, id string
	data     []byte
	retry    time.Duration // delay before a broken stream is opened again; 0 if not set
}

// maxFieldBytes limits the fields of an event other than its data, in bytes.
const maxFieldBytes = 4096

func newEventReader(r io.Reader, limit int) *eventReader {
	return &eventReader{bufio.NewReaderSize(r, pieceSize), limit}
}

// readEvent reads the next event that has data, an ID or a delay. It returns an [UnreadableError] if
// the event is longer than the limit.
func (e *eventReader) readEvent() (event, error) {
	var ev event
	var data buffer
	for empty := true; ; {
		field, value, err := e.readField(&data)
		if err != nil && !errors.Is(err, io.EOF) {
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
			ev.data = data.takeBytes()
			return ev, nil
		}
	}
}

// readField reads a line. For an empty line, it returns the field "". The value of the field "data"
// may be long, so it is not returned but appended to data, followed by a line break.
func (e *eventReader) readField(data *buffer) (field, value string, err error) {
	var text []byte
	for size := data.size; ; {
		piece, err := e.in.ReadSlice('\n')
		if size += len(piece); size > e.limit {
			return "", "", tooLongError(e.limit)
		}
		switch rest, found := bytes.CutPrefix(piece, []byte("data:")); {
		case field == "data":
			data.append(piece)
		case text == nil && found:
			field = "data"
			data.append(bytes.TrimPrefix(rest, []byte(" ")))
		default:
			text = append(text, piece[:min(len(piece), maxFieldBytes-len(text))]...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case field == "data":
			data.trimEnd('\n')
			data.trimEnd('\r')
			data.append([]byte{'\n'})
			return field, "", err
		}
		line := strings.TrimRight(string(text), "\r\n")
		name, rest, _ := strings.Cut(line, ":")
		return cmp.Or(name, line), strings.TrimSpace(rest), err
	}
}
