package file

import (
	"bytes"
	"fmt"
	"hash/crc32"

	"github.com/aiongen/aiongen/runtime/journal"
)

// place is where an entry lies in a file: data from begin on, then the head, up to
// end. The zero place is that before all entries.
type place struct {
	head       head
	begin, end int64
}

// entries returns how many there are up to here.
func (p place) entries() int {
	if p.end == 0 {
		return 0
	}
	return p.head.N + 1
}

// read returns the entry.
func (p place) read(f *content) (journal.Entry, error) {
	e := p.head.Entry
	if p.head.Bytes > 0 {
		e.Data = make([]byte, p.head.Bytes)
		if _, err := f.ReadAt(e.Data, p.begin); err != nil {
			return e, err
		}
	}
	if sum(e.Data) != p.head.Sum {
		return e, damaged(f, p)
	}
	return e, nil
}

// check tells whether the data is what was written.
func (p place) check(f *content) bool {
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

// damaged says that a file is not what was written somewhere before the end of a
// place. It may be that its run was deleted just now.
func damaged(f *content, p place) error {
	if now, err := look(f.File); err == nil && now.isBuried() {
		return &journal.Gone{Run: p.head.Run, Deleted: true}
	}
	return &journal.Error{Kind: journal.Corrupt, Run: p.head.Run, Err: fmt.Errorf("%s is damaged before byte %d", f.Name(), p.end)}
}

// before returns the place of the entry that ends where it is said, if one does.
func before(f *content, end int64) (p place, found bool, err error) {
	line := make([]byte, min(end, 1<<10))
	for {
		if _, err := f.ReadAt(line, end-int64(len(line))); err != nil {
			return p, false, err
		}
		body := line[:len(line)-1]
		if i := bytes.LastIndexByte(body, '\n'); i >= 0 {
			line = line[i+1:]
			break
		}
		if int64(len(line)) == end || len(line) > longestHead {
			return p, false, nil // there is no data before it, or it is no head
		}
		line = make([]byte, min(end, 4*int64(len(line))))
	}
	h, found, err := parseHead(line)
	begin := end - int64(len(line)) - 1 - h.Bytes
	return place{head: h, begin: begin, end: end}, found && begin >= 0, err
}
