package file

import (
	"bytes"
	"fmt"
	"hash/crc32"

	"github.com/aiongen/aiongen/runtime/journal"
)

// place is the head of an entry with the offsets of the entry in its file. The zero place is before
// all entries.
type place struct {
	head  head
	start int64 // of the header before the entry; equal to begin if there is none
	begin int64 // of the data
	end   int64 // after the head
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
	var err error
	switch n := p.head.Bytes; {
	case n > blockBytes:
		e.Data = make([]byte, n)
		_, err = f.ReadAt(e.Data, p.begin)
	case n > 0:
		e.Data, err = f.view(p.begin, n)
		e.Data = bytes.Clone(e.Data)
	}
	if err != nil {
		return e, err
	}
	if checksum(e.Data) != p.head.Sum {
		return e, newDamage(f, p.head.Run, p.begin, "the data does not match its checksum")
	}
	return e, nil
}

// matchesContent reports whether the data matches its checksum.
func (p place) matchesContent(f *content) bool {
	sum := uint32(0)
	for at, end := p.begin, p.begin+p.head.Bytes; at < end; {
		block, err := f.view(at, min(end-at, blockBytes-at%blockBytes))
		if err != nil {
			return false
		}
		sum = crc32.Update(sum, castagnoli, block)
		at += int64(len(block))
	}
	return sum == p.head.Sum
}

// newDamage returns the error for a damaged file, or a NotFoundError if its run was deleted in
// the meantime.
func newDamage(f *content, run string, at int64, what string) error {
	if now, err := newContent(f.File); err == nil && now.isDeleted() {
		return &journal.NotFoundError{Run: run, Deleted: true}
	}
	return &journal.Error{Kind: journal.Corrupt, Run: run, Err: fmt.Errorf("%s is damaged at byte %d: %s", f.Name(), at, what)}
}

// placeBefore returns the place of the entry that ends at end. It reports false if no valid head
// ends there, or if the first entry of an append has no header.
func placeBefore(f *content, end int64) (p place, found bool, err error) {
	var line []byte
	for n := min(end, 1<<10); ; n = min(end, 4*n) {
		if line, err = f.view(end-n, n); err != nil || n == 0 {
			return p, false, err
		}
		body := line[:n-1]
		if i := bytes.LastIndexByte(body, '\n'); i >= 0 {
			line = line[i+1:]
			break
		}
		if n == end || n > longestHead {
			return p, false, nil // there is no line before the head, or the last line is too long for a head
		}
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

// readHeader reads the header at an offset and returns the length of the append after it. It reports
// false if there is no valid header.
func (c *content) readHeader(at int64) (n int64, ok bool, err error) {
	if at < 0 {
		return 0, false, nil
	}
	line, err := c.view(at, headerBytes)
	if err != nil {
		return 0, false, err
	}
	n, ok = parseHeader(line)
	return n, ok, nil
}
