package gen

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// maxRounds limits how often edited files are compiled again. Fixing one error can reveal
// others.
const maxRounds = 20

// Fix applies the fixes of diagnostics to .aion files. For each diagnostic, it applies the first certain
// fix. If guess contains the code of the diagnostic, it applies the first fix, even if that is a guess. It
// compiles the edited files again until nothing is left to fix. It skips fixes that would cause more
// errors, and files that have too many errors or warnings.
//
// Fix returns the diagnostics before the edits as found, and those after them as left. The
// result contains the changed files; nothing is written until [Result.Write].
func Fix(ctx context.Context, cfg Config, guess ...diag.Code) (result *Result, found, left diag.List) {
	f := fixer{Session: NewSession(cfg), guess: guess, names: map[string]string{}, skipped: map[string]bool{}}
	found = f.compileEdited(ctx)
	f.original = maps.Clone(f.texts)
	left = found
	for round := 0; f.applyFixes(left, round < maxRounds); round++ {
		left = f.compileEdited(ctx)
	}
	result = &Result{}
	for _, path := range slices.Sorted(maps.Keys(f.texts)) {
		name := f.names[path]
		if f.skipped[path] {
			left.Errorf("too-many-faults", diag.Span{File: name}, "the file has too many errors or warnings to be fixed and was not changed").
				WithHelp("fix the first ones by hand; a file with so many errors may be in another format")
		}
		if change := (Change{Name: name, New: f.texts[path], source: f.original[path], exists: true, dir: f.dir}); !bytes.Equal(change.source, change.New) {
			result.Changes = append(result.Changes, change)
		}
	}
	return result, found.Short(), left.Short()
}

// A fixer applies edits to .aion files. The keys of its maps are absolute paths.
type fixer struct {
	*Session // which shows the edited files
	guess    []diag.Code
	original load.Overlay      // texts before the first edit
	names    map[string]string // names in diagnostics
	skipped  map[string]bool   // files that are left unchanged
	dir      string            // absolute path to which the names in diagnostics are relative
}

// compileEdited compiles the edited files and returns their diagnostics.
func (f *fixer) compileEdited(ctx context.Context) diag.List {
	g, _ := f.compileAll(ctx, nil)
	f.dir = g.Load.Dir
	for path, text := range g.Texts {
		f.texts[path], f.names[path] = text, g.shownPath(path)
	}
	return append(g.Faults, g.Failures...)
}

// applyFixes applies the edits of diagnostics and reports whether a file changed. In the last
// round, more is false: if there are still edits for a file then, applyFixes restores its
// original text.
func (f *fixer) applyFixes(list diag.List, more bool) (changed bool) {
	fixes, tooMany := f.collectFixes(list)
	for path, text := range f.texts {
		name := f.names[path]
		if f.skipped[path] || len(fixes[name]) == 0 && !tooMany[name] {
			continue
		}
		edited, complete := text, false
		if !tooMany[name] {
			edited, complete = aion.ApplyFixes(name, text, fixes[name])
		}
		if complete && !more {
			complete = bytes.Equal(edited, text)
		}
		if !complete {
			f.skipped[path], edited = true, f.original[path]
		}
		changed = changed || !bytes.Equal(edited, text)
		f.texts[path] = edited
	}
	return changed
}

// collectFixes returns the fixes for each file, by name, and the files that have too many
// errors to be checked completely.
func (f *fixer) collectFixes(list diag.List) (fixes map[string][]diag.Fix, tooMany map[string]bool) {
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
