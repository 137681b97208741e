package file

import (
	"bytes"
	"fmt"

	"github.com/aiongen/aiongen/runtime/journal"
)

// find returns the place of the last entry that is there in full, with all that were
// appended with it; what comes after it was never acknowledged. The run is not
// looked at if it is empty. If there is no entry, the error is a [*journal.Gone],
// and the place that before all entries.
func find(f *content, run string) (place, error) {
	if f.isBuried() {
		return place{}, &journal.Gone{Run: run, Deleted: true}
	}
	for end := f.size; end > 0; {
		p, found, err := before(f, end)
		if err != nil {
			return place{}, err
		}
		if found && isWhole(f, p) {
			if run != "" && p.head.Run != run {
				return place{}, &journal.Error{Kind: journal.Corrupt, Run: run, Err: fmt.Errorf("%s is the file of the run %q", f.Name(), p.head.Run)}
			}
			return p, nil
		}
		if end, err = lineStart(f, end); err != nil {
			return place{}, err
		}
	}
	return place{}, &journal.Gone{Run: run}
}

// isWhole tells whether an entry is the last of those that were appended at once, all
// of which are as they were written.
func isWhole(f *content, p place) bool {
	if p.head.Part != p.head.Of-1 {
		return false
	}
	for part := p.head.Part; ; part-- {
		if !p.check(f) {
			return false
		}
		if part == 0 {
			return true
		}
		previous, found, err := before(f, p.begin)
		if err != nil || !found || previous.head.Part != part-1 || previous.head.N != p.head.N-1 {
			return false
		}
		p = previous
	}
}

// since returns the places of entries down from the last to the number from.
func since(f *content, last place, from int) ([]place, error) {
	var places []place
	for p := last; p.entries() > max(from, 0); {
		places = append(places, p)
		if p.begin == 0 && p.head.N == 0 {
			break
		}
		previous, found, err := before(f, p.begin)
		if err != nil {
			return nil, err
		}
		if !found || previous.head.N != p.head.N-1 {
			return nil, damaged(f, p)
		}
		p = previous
	}
	return places, nil
}

// lineStart returns where the line begins that the byte before end is in.
func lineStart(f *content, end int64) (int64, error) {
	block := make([]byte, 64<<10)
	for end--; end > 0; {
		part := block[:min(end, int64(len(block)))]
		if _, err := f.ReadAt(part, end-int64(len(part))); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return end - int64(len(part)) + int64(i) + 1, nil
		}
		end -= int64(len(part))
	}
	return 0, nil
}
