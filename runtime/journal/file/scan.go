package file

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/aiongen/aiongen/runtime/journal"
)

// errUnfinished reports an append that was not written to its end.
var errUnfinished = errors.New("the append is unfinished")

// scan reads a file from its beginning and returns the place of the last entry of the last
// complete append. It is for files whose end is not a complete append. What follows that
// append must be the beginning of one more, or of a tombstone: neither was acknowledged.
func scan(f *content, run string) (last place, err error) {
	size, err := f.written()
	if err != nil {
		return last, err
	}
	s := &scanner{f: f, run: run, size: size, r: bufio.NewReaderSize(io.NewSectionReader(f, 0, size), 64<<10)}
	for s.at < s.size {
		next, err := s.append(last)
		if errors.Is(err, errUnfinished) {
			break
		}
		if err != nil {
			return place{}, err
		}
		last = next
	}
	return last, nil
}

// scanner reads appends, one after the other.
type scanner struct {
	f    *content
	run  string
	r    *bufio.Reader
	at   int64 // of the next byte
	size int64
}

// damaged returns the error for damage at a byte.
func (s *scanner) damaged(at int64, what string) error { return damaged(s.f, s.run, at, what) }

// append reads an append that follows an entry, and returns the place of its last entry.
// The error is errUnfinished if the file ends before the append does and what there is of
// it is as it was written.
func (s *scanner) append(previous place) (place, error) {
	begin, end, format := s.at, s.size, 1
	switch sign, err := s.r.Peek(1); {
	case err != nil:
		return place{}, err
	case sign[0] == headerSign:
		n, err := s.header()
		if err != nil {
			return place{}, err
		}
		end, format = s.at+n, version
	case sign[0] == tombstone[0]:
		rest, _ := s.r.Peek(len(tombstone))
		if begin+int64(len(rest)) == s.size && bytes.HasPrefix([]byte(tombstone), rest) {
			return place{}, errUnfinished
		}
		return place{}, s.damaged(begin, "an append was expected")
	case previous.head.version > 1:
		return place{}, s.damaged(begin, "the header of an append was expected")
	}
	for part, start := 0, begin; ; part, start = part+1, s.at {
		p, err := s.entry(start, end, format)
		if err != nil {
			return place{}, err
		}
		switch h := p.head; {
		case h.N != previous.entries(), h.Part != part, part > 0 && h.Of != previous.head.Of, previous.end > 0 && h.Run != previous.head.Run:
			return place{}, s.damaged(p.begin, "the entry does not follow the one before it")
		case part == h.Of-1 && format > 1 && s.at != end:
			return place{}, s.damaged(begin, "the append is shorter than its header says")
		case part == h.Of-1:
			return p, nil
		}
		previous = p
	}
}

// header reads the header of an append.
func (s *scanner) header() (n int64, err error) {
	at := s.at
	line := make([]byte, min(headerBytes, s.size-s.at))
	if _, err := io.ReadFull(s.r, line); err != nil {
		return 0, err
	}
	s.at += int64(len(line))
	n, ok := parseHeader(line)
	switch {
	case ok:
		return n, nil
	case int64(len(line)) < headerBytes && beginsHeader(line):
		return 0, errUnfinished
	}
	return 0, s.damaged(at, "the header of the append does not match its checksum")
}

// entry reads an entry of an append that begins at start, with its header, and is to end
// at end.
func (s *scanner) entry(start, end int64, format int) (p place, err error) {
	p.start, p.begin = start, s.at
	data, complete, err := s.line(end, journal.MaxEntry+1)
	if err != nil {
		return p, err
	}
	if !complete {
		return p, s.unfinished(p.begin, end, format, beginsJSON(data))
	}
	at := s.at
	line, complete, err := s.line(end, longestHead)
	if err != nil {
		return p, err
	}
	data = bytes.TrimSuffix(data, []byte("\n"))
	if !complete {
		room := format == 1 || end-at >= shortestHead
		return p, s.unfinished(at, end, format, room && beginsHead(line) && (len(data) == 0 || json.Valid(data)))
	}
	h, ok, err := parseHead(line)
	if err != nil {
		return p, err
	}
	if !ok || h.version != format {
		return p, s.damaged(at, "the head of the entry does not match its checksum")
	}
	if h.Bytes != int64(len(data)) || h.Sum != sum(data) {
		return p, s.damaged(p.begin, "the data does not match its checksum")
	}
	p.head, p.end = h, s.at
	return p, nil
}

// unfinished returns the error for a line at a byte that does not end: errUnfinished if
// the file ends with it, before the append does, and if it may be the beginning of what
// was written.
func (s *scanner) unfinished(at, end int64, format int, plausible bool) error {
	short := s.at == s.size && (format == 1 || s.size < end)
	if short && plausible {
		return errUnfinished
	}
	return s.damaged(at, "the line has no end")
}

// line reads a line of at most the given length, up to the end of the append at most. It
// reports whether the line is complete.
func (s *scanner) line(end int64, longest int) (line []byte, complete bool, err error) {
	most := min(end, s.size) - s.at
	for int64(len(line)) < most && len(line) <= longest {
		piece, err := s.r.ReadSlice('\n')
		if over := int64(len(line)+len(piece)) - most; over > 0 {
			return line, false, s.damaged(s.at, "the line goes on after the end of its append")
		}
		line = append(line, piece...)
		s.at += int64(len(piece))
		switch {
		case err == nil:
			return line, true, nil
		case err == io.EOF:
			return line, false, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
	return line, false, nil
}

// beginsJSON reports whether data may be the beginning of a JSON value.
func beginsJSON(data []byte) bool {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for {
		if _, err := d.Token(); err != nil {
			return err == io.EOF || err == io.ErrUnexpectedEOF
		}
	}
}

// beginsHead reports whether a line may be the beginning of a head. A line that is a head
// but for its last byte is not: that byte is damaged.
func beginsHead(line []byte) bool {
	if len(line) == 0 {
		return true
	}
	_, whole, err := parseHead(append(bytes.Clone(line[:len(line)-1]), '\n'))
	return line[0] == headSign && !whole && err == nil
}
