package gen

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/output"
	"github.com/aiongen/aiongen/internal/regularfile"
)

// Watch compiles the packages, and compiles them again whenever a file changes that affects the
// outcome, until ctx is done or watching files fails. It passes each outcome to fn, which may
// write it. It does not use the cache in Config.Memory. The error is never nil.
func (s *Session) Watch(ctx context.Context, fn func(*Result, diag.List)) error {
	w, err := output.NewWatcher()
	if err != nil {
		return err
	}
	defer w.Close()
	s.cfg.Memory = "" // a cached outcome does not say which files a run reads
	failed := false   // after errors, a file that becomes readable may fix them
	for first := true; ; first = false {
		places := s.watchedPlaces()
		isNew, err := w.SetDirs(places.Dirs())
		if err == nil && !first && !isNew {
			err = w.Wait(ctx, func(path string, opened bool) bool {
				return (failed || !opened) && places.Contains(path) && !s.isOwnOutput(path)
			})
		}
		if err != nil {
			return err
		}
		result, faults := s.Generate(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = faults.Err() != nil
		fn(result, faults)
	}
}

// watchedPlaces returns the files and directories whose changes can affect the next run. It
// derives them from the last run.
func (s *Session) watchedPlaces() output.Places {
	var read []string
	if s.last != nil {
		for _, source := range s.last.sources {
			dirs, _ := source.Package.ImportedDirs()
			read = append(append(read, source.Package.Dir), dirs...)
		}
		for path := range s.last.generated {
			read = append(read, filepath.Dir(path))
		}
	}
	slices.Sort(read)
	return output.NewPlaces(s.cfg.runConfig(), slices.Compact(read))
}

// isOwnOutput reports whether the content of a file is what the last run generated for it.
func (s *Session) isOwnOutput(path string) bool {
	wanted, ok := s.last.generated[path]
	if !ok {
		return false
	}
	same, err := regularfile.HasContent(path, wanted)
	return err == nil && same
}
