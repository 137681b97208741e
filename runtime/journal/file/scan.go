package file

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/aiongen/aiongen/runtime/journal"
)

// errUnfinished reports an append that was not written completely.
var errUnfinished = errors.New("the append is unfinished")

// scanFile reads a file from its beginning and returns the last entry of the last complete append.
// Use it if a file does not end with a complete append. The bytes after that append may be the
// beginning of another append, or of a tombstone, that was not written completely and therefore not
// acknowledged. Anything else is damage.
func scanFile(f *content, run string) (last place, err error) {
	size, err := f.writtenSize()
	if err != nil {
		return last, err
	}
	s := &scanner{f: f, run: run, size: size, r: bufio.NewReaderSize(io.NewSectionReader(f, 0, size), 64<<10)}
	for s.at < s.size {
		next, err := s.scanAppend(last)
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

// newDamage returns the error for damage at a byte.
func (s *scanner) newDamage(at int64, what string) error { return newDamage(s.f, s.run, at, what) }

// scanAppend reads the append after an entry and returns the last entry of that append. The error is
// errUnfinished if the file ends in the middle of an append that is not damaged.
func (s *scanner) scanAppend(previous place) (place, error) {
	begin := s.at
	end, format, err := s.beginAppend(previous)
	if err != nil {
		return place{}, err
	}
	for part, start := 0, begin; ; part, start = part+1, s.at {
		p, err := s.readEntry(start, end, format)
		if err != nil {
			return place{}, err
		}
		switch h := p.head; {
		case h.N != previous.entryCount(), h.Part != part, part > 0 && h.Of != previous.head.Of, previous.end > 0 && h.Run != previous.head.Run:
			return place{}, s.newDamage(p.begin, "the entry does not follow the one before it")
		case part == h.Of-1 && format > 1 && s.at != end:
			return place{}, s.newDamage(begin, "the append is shorter than its header says")
		case part == h.Of-1:
			return p, nil
		}
		previous = p
	}
}

// beginAppend reads the header of the append after an entry, and returns the end of the append and
// its format. An append of format 1 has no header, so beginAppend returns the end of the file.
func (s *scanner) beginAppend(previous place) (end int64, format int, err error) {
	sign, err := s.r.Peek(1)
	switch {
	case err != nil:
		return 0, 0, err
	case sign[0] == headerSign:
		n, err := s.readHeader()
		return s.at + n, version, err
	case sign[0] == tombstone[0]:
		rest, _ := s.r.Peek(len(tombstone))
		if s.at+int64(len(rest)) == s.size && bytes.HasPrefix([]byte(tombstone), rest) {
			return 0, 0, errUnfinished
		}
		return 0, 0, s.newDamage(s.at, "an append was expected")
	case previous.head.version > 1:
		return 0, 0, s.newDamage(s.at, "the header of an append was expected")
	}
	return s.size, 1, nil
}

// readHeader reads the header of an append.
func (s *scanner) readHeader() (n int64, err error) {
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
	return 0, s.newDamage(at, "the header of the append does not match its checksum")
}

// readEntry reads an entry. The argument start is the offset of the header before the entry, or of
// the entry; end is the end of its append.
func (s *scanner) readEntry(start, end int64, format int) (p place, err error) {
	p.start, p.begin = start, s.at
	data, complete, err := s.readLine(end, journal.MaxEntry+1)
	if err != nil {
		return p, err
	}
	if !complete {
		return p, s.checkUnfinished(p.begin, end, format, beginsJSON(data))
	}
	at := s.at
	line, complete, err := s.readLine(end, longestHead)
	if err != nil {
		return p, err
	}
	data = bytes.TrimSuffix(data, []byte("\n"))
	if !complete {
		room := format == 1 || end-at >= shortestHead
		return p, s.checkUnfinished(at, end, format, room && beginsHead(line) && (len(data) == 0 || json.Valid(data)))
	}
	h, ok, err := parseHead(line)
	if err != nil {
		return p, err
	}
	if !ok || h.version != format {
		return p, s.newDamage(at, "the head of the entry does not match its checksum")
	}
	if h.Bytes != int64(len(data)) || h.Sum != checksum(data) {
		return p, s.newDamage(p.begin, "the data does not match its checksum")
	}
	p.head, p.end = h, s.at
	return p, nil
}

// checkUnfinished returns the error for an incomplete line. It is errUnfinished if the line ends
// the file before the end of its append, and may be the beginning of a valid line. Otherwise the
// line is damaged.
func (s *scanner) checkUnfinished(at, end int64, format int, plausible bool) error {
	short := s.at == s.size && (format == 1 || s.size < end)
	if short && plausible {
		return errUnfinished
	}
	return s.newDamage(at, "the line has no end")
}

// readLine reads a line of limited length that must not exceed its append. It reports whether the
// line is complete.
func (s *scanner) readLine(end int64, longest int) (line []byte, complete bool, err error) {
	room := min(end, s.size) - s.at
	for int64(len(line)) < room && len(line) <= longest {
		chunk, err := s.r.ReadSlice('\n')
		if int64(len(line)+len(chunk)) > room {
			return line, false, s.newDamage(s.at, "the line extends beyond the end of its append")
		}
		line = append(line, chunk...)
		s.at += int64(len(chunk))
		switch {
		case err == nil:
			return line, true, nil
		case errors.Is(err, io.EOF):
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
			return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		}
	}
}

// beginsHead reports whether a line may be the beginning of a head. It returns false for a
// complete head whose last byte is damaged.
func beginsHead(line []byte) bool {
	if len(line) == 0 {
		return true
	}
	_, complete, err := parseHead(append(bytes.Clone(line[:len(line)-1]), '\n'))
	return line[0] == headSign && !complete && err == nil
}
