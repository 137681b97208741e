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

// maxRounds limits how often files are compiled again after edits: one fault may hide
// others.
const maxRounds = 20

// Fix applies the edits that diagnostics carry to .aion files: those that are certain, and
// for the codes in guess the likeliest guess. It compiles the edited files again until
// there is nothing more to edit. It skips edits after which a file would have more errors,
// and leaves a file as it is if that has too many errors or warnings to be fixed.
//
// Found are the diagnostics of the files before the edits, left those after them.
func Fix(ctx context.Context, cfg Config, guess ...diag.Code) (result *Result, found, left diag.List) {
	f := fixer{Session: NewSession(cfg), guess: guess, names: map[string]string{}, skipped: map[string]bool{}}
	found = f.diagnose(ctx)
	f.read = maps.Clone(f.texts)
	left = found
	for round := 0; f.mend(left, round < maxRounds); round++ {
		left = f.diagnose(ctx)
	}
	result = &Result{}
	for _, path := range slices.Sorted(maps.Keys(f.texts)) {
		name := f.names[path]
		if f.skipped[path] {
			left.Errorf("too-many-faults", diag.Span{File: name}, "the file has too many errors or warnings to be fixed, and stays as it is").
				WithHelp("fix the first ones by hand; a file with so many errors may be in another format")
		}
		if change := (Change{Name: name, New: f.texts[path], source: f.read[path], exists: true, dir: f.dir}); !bytes.Equal(change.source, change.New) {
			result.Changes = append(result.Changes, change)
		}
	}
	return result, found.Short(), left.Short()
}

// A fixer applies edits to .aion files. Its maps have the path of a file as the key.
type fixer struct {
	*Session // which shows the edited files
	guess    []diag.Code
	read     overlay.Files // as they are on disk
	names    map[string]string
	skipped  map[string]bool // files that stay as they are
	dir      string          // absolute; names in diagnostics are relative to it
}

// diagnose compiles the edited files.
func (f *fixer) diagnose(ctx context.Context) diag.List {
	g, _ := f.compile(ctx, nil)
	f.dir = g.Load.Dir
	for path, text := range g.Texts {
		f.texts[path], f.names[path] = text, g.Shown(path)
	}
	return append(g.Faults, g.Failures...)
}

// mend applies the edits of diagnostics and reports whether that changed a file. If more
// is false, it undoes all edits of the files that could still be edited.
func (f *fixer) mend(list diag.List, more bool) (changed bool) {
	fixes, tooMany := f.fixes(list)
	for path, text := range f.texts {
		name := f.names[path]
		if f.skipped[path] || len(fixes[name]) == 0 && !tooMany[name] {
			continue
		}
		mended, complete := text, false
		if !tooMany[name] {
			mended, complete = aion.Mend(name, text, fixes[name])
		}
		if complete && !more {
			complete = bytes.Equal(mended, text)
		}
		if !complete {
			f.skipped[path], mended = true, f.read[path]
		}
		changed = changed || !bytes.Equal(mended, text)
		f.texts[path] = mended
	}
	return changed
}

// fixes returns the fixes to apply to each file, by name, and the files that were not
// checked to their end.
func (f *fixer) fixes(list diag.List) (fixes map[string][]diag.Fix, tooMany map[string]bool) {
	fixes, tooMany = map[string][]diag.Fix{}, map[string]bool{}
	for _, d := range list {
		if d.Code == "too-many-faults" {
			tooMany[d.Span.File] = true
		}
		i := slices.IndexFunc(d.Fixes, func(x diag.Fix) bool { return !x.Guess || slices.Contains(f.guess, d.Code) })
		if i >= 0 {
			name := d.Fixes[i].Edits[0].Span.File
			fixes[name] = append(fixes[name], d.Fixes[i])
		}
	}
	return fixes, tooMany
}
