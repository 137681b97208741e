package gen

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/overlay"
)

// maxRounds bounds how often files are looked at again once they are mended: one fault
// may hide others.
const maxRounds = 10

// Fix makes the edits that diagnostics carry: those that are certain, and for some codes
// the likeliest guess. They are made in .aion files alone, in rounds until none is left.
// Found are the diagnostics of the files as they are, left those that there will be when
// the result is written. An edit after which a file would have more errors is not made.
func Fix(ctx context.Context, cfg Config, guess ...diag.Code) (result *Result, found, left diag.List) {
	f := fixer{Session: NewSession(cfg), guess: guess, names: map[string]string{}}
	found = f.diagnose(ctx)
	f.read = maps.Clone(f.texts)
	left = found
	for range maxRounds {
		if !f.mend(left) {
			break
		}
		left = f.diagnose(ctx)
	}
	result = &Result{}
	for _, path := range slices.Sorted(maps.Keys(f.texts)) {
		if change := (Change{Name: f.names[path], New: f.texts[path], source: f.read[path], exists: true, dir: f.dir}); !bytes.Equal(change.source, change.New) {
			result.Changes = append(result.Changes, change)
		}
	}
	return result, found, left
}

// A fixer has .aion files, by path: as they were read, and as they are mended.
type fixer struct {
	*Session // which shows the files as they are mended
	guess    []diag.Code
	read     overlay.Files
	names    map[string]string // in diagnostics
	dir      string            // absolute, which these are relative to
}

// diagnose compiles the files as they are mended.
func (f *fixer) diagnose(ctx context.Context) diag.List {
	g, _ := f.compile(ctx, nil)
	f.dir = g.Load.Dir
	for path, text := range g.Texts {
		f.texts[path], f.names[path] = text, g.Shown(path)
	}
	return append(g.Faults, g.Failures...)
}

// mend makes what diagnostics say, and reports whether that changed anything.
func (f *fixer) mend(list diag.List) (changed bool) {
	var fixes []diag.Fix
	for _, d := range list {
		i := slices.IndexFunc(d.Fixes, func(x diag.Fix) bool { return !x.Guess || slices.Contains(f.guess, d.Code) })
		if i >= 0 {
			fixes = append(fixes, d.Fixes[i])
		}
	}
	for path, text := range f.texts {
		mended := aion.Mend(f.names[path], text, fixes)
		changed = changed || !bytes.Equal(mended, text)
		f.texts[path] = mended
	}
	return changed
}
