package file

import (
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/journal"
)

// findLast returns the last entry. It ignores an incomplete append at the end. If run is not empty,
// findLast checks that the file is the file of this run. The error is a [*journal.NotFoundError] if
// the run was deleted, and a [*journal.Error] with the code [journal.Corrupt] if the file is damaged
// or has no entries.
func findLast(f *content, run string) (place, error) {
	if f.isDeleted() {
		return place{}, &journal.NotFoundError{Run: run, Deleted: true}
	}
	last, complete, err := lastAppend(f)
	if err == nil && !complete {
		last, err = scanFile(f, run)
	}
	newer, isNewer := errors.AsType[newerFormatError](err)
	switch {
	case isNewer:
		err = fmt.Errorf("%s: %w", f.Name(), newer)
	case err != nil:
		return place{}, err
	case last.end == 0:
		return place{}, newDamage(f, run, 0, "it has no complete entry")
	case run != "" && last.head.Run != run:
		err = fmt.Errorf("%s is the file of the run %q", f.Name(), last.head.Run)
	}
	if err != nil {
		return place{}, &journal.Error{Kind: journal.Corrupt, Run: run, Err: err}
	}
	return last, nil
}

// lastAppend returns the last entry of an append that ends with the file. It reports false if
// there is no such append, or if it is damaged.
func lastAppend(f *content) (last place, complete bool, err error) {
	last, found, err := placeBefore(f, f.size)
	if err != nil || !found || last.head.Part != last.head.Of-1 {
		return last, false, err
	}
	for p := last; ; {
		if !p.matchesContent(f) {
			return last, false, nil
		}
		if p.head.Part == 0 {
			if p.head.version == 1 {
				return last, true, nil
			}
			n, ok, err := f.readHeader(p.start)
			return last, ok && p.begin+n == last.end, err
		}
		previous, found, err := placeBefore(f, p.start)
		if err != nil || !found || previous.head.Part != p.head.Part-1 || previous.head.N != p.head.N-1 || previous.head.version != p.head.version {
			return last, false, err
		}
		p = previous
	}
}

// placesSince returns the places of the entries whose number is at least from, the last one first.
func placesSince(f *content, last place, from int) ([]place, error) {
	var places []place
	for p := last; p.entryCount() > max(from, 0); {
		places = append(places, p)
		if p.start == 0 && p.head.N == 0 {
			break
		}
		previous, found, err := placeBefore(f, p.start)
		if err != nil {
			return nil, err
		}
		if !found || previous.head.N != p.head.N-1 || previous.head.Run != p.head.Run {
			return nil, locateDamage(f, p)
		}
		p = previous
	}
	return places, nil
}

// locateDamage returns the error for a file that is damaged somewhere before p. It scans the file
// from its beginning to find the byte.
func locateDamage(f *content, p place) error {
	_, err := scanFile(f, p.head.Run)
	if e, ok := errors.AsType[*journal.Error](err); ok && e.Kind == journal.Corrupt {
		return err
	}
	return newDamage(f, p.head.Run, p.start, "the entry before it is missing")
}
