package file

import (
	"bytes"
	"fmt"
	"hash/crc32"

	"github.com/aiongen/aiongen/runtime/journal"
)

// place is the position of an entry in a file. At start lies the header of its append, if it is
// the first entry of one; at begin its data. Its head ends at end. The zero place is before all
// entries.
type place struct {
	head              head
	start, begin, end int64
}

// entryCount returns the number of entries up to this one.
func (p place) entryCount() int {
	if p.end == 0 {
		return 0
	}
	return p.head.N + 1
}

// readEntry returns the entry.
func (p place) readEntry(f *content) (journal.Entry, error) {
	e := p.head.Entry
	if p.head.Bytes > 0 {
		e.Data = make([]byte, p.head.Bytes)
		if _, err := f.ReadAt(e.Data, p.begin); err != nil {
			return e, err
		}
	}
	if checksum(e.Data) != p.head.Sum {
		return e, newDamage(f, p.head.Run, p.begin, "the data does not match its checksum")
	}
	return e, nil
}

// matchesContent reports whether the data matches its checksum.
func (p place) matchesContent(f *content) bool {
	check, block := uint32(0), make([]byte, min(p.head.Bytes, 64<<10))
	for at, end := p.begin, p.begin+p.head.Bytes; at < end; at += int64(len(block)) {
		block = block[:min(end-at, int64(len(block)))]
		if _, err := f.ReadAt(block, at); err != nil {
			return false
		}
		check = crc32.Update(check, castagnoli, block)
	}
	return check == p.head.Sum
}

// newDamage returns the error for a damaged file, or a NotFoundError if its run was deleted in
// the meantime.
func newDamage(f *content, run string, at int64, what string) error {
	if now, err := newContent(f.File); err == nil && now.isBuried() {
		return &journal.NotFoundError{Run: run, Deleted: true}
	}
	return &journal.Error{Kind: journal.Corrupt, Run: run, Err: fmt.Errorf("%s is damaged at byte %d: %s", f.Name(), at, what)}
}

// placeBefore returns the place of the entry that ends at end. It reports false if no valid head
// ends there, or if the first entry of an append has no header.
func placeBefore(f *content, end int64) (p place, found bool, err error) {
	line := make([]byte, min(end, 1<<10))
	for {
		if _, err := f.ReadAt(line, end-int64(len(line))); err != nil || len(line) == 0 {
			return p, false, err
		}
		body := line[:len(line)-1]
		if i := bytes.LastIndexByte(body, '\n'); i >= 0 {
			line = line[i+1:]
			break
		}
		if int64(len(line)) == end || len(line) > longestHead {
			return p, false, nil // the data is missing, or too long for a head
		}
		line = make([]byte, min(end, 4*int64(len(line))))
	}
	h, found, err := parseHead(line)
	begin := end - int64(len(line)) - 1 - h.Bytes
	p = place{head: h, start: begin, begin: begin, end: end}
	if found && h.Part == 0 && h.version > 1 {
		p.start -= headerBytes
		_, found, err = f.readHeader(p.start)
	}
	return p, found && p.start >= 0, err
}

// readHeader returns the length of the append after a header. It reports false if there is no
// valid header.
func (c *content) readHeader(at int64) (n int64, ok bool, err error) {
	if at < 0 {
		return 0, false, nil
	}
	line := make([]byte, headerBytes)
	if _, err := c.ReadAt(line, at); err != nil {
		return 0, false, err
	}
	n, ok = parseHeader(line)
	return n, ok, nil
}
