package gen

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/unchanged"
	"github.com/aiongen/aiongen/gen/internal/watch"
	"github.com/aiongen/aiongen/internal/regular"
)

// Watch compiles, and again whenever a file changed that the outcome depends on, until
// the context ends, and gives each outcome to a function, which may write it. No run ends
// by Config.Memory. The error is that of the system, or of the context.
func (s *Session) Watch(ctx context.Context, each func(*Result, diag.List)) error {
	w, err := watch.New()
	if err != nil {
		return err
	}
	defer w.Close()
	s.cfg.Memory = "" // which says nothing of what a run reads
	failed := false   // and a file that may be read by now may be what was missing
	for first := true; ; first = false {
		places := s.places()
		unseen, err := w.Only(places.Dirs())
		if err == nil && !first && !unseen {
			err = w.Wait(ctx, func(path string, opened bool) bool {
				return (failed || !opened) && places.Concern(path) && !s.left(path)
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
		each(result, faults)
	}
}

// places are where a change may change what the next run finds, as far as the last one
// tells.
func (s *Session) places() unchanged.Places {
	var read []string
	if s.last != nil {
		for _, source := range s.last.sources {
			dirs, _ := source.Package.Sources()
			read = append(append(read, source.Package.Dir), dirs...)
		}
		for path := range s.last.generated {
			read = append(read, filepath.Dir(path))
		}
	}
	slices.Sort(read)
	return unchanged.PlacesOf(s.cfg.unchanged(), slices.Compact(read))
}

// left reports whether a file holds what the last run generated.
func (s *Session) left(path string) bool {
	wanted, ours := s.last.generated[path]
	if !ours {
		return false
	}
	text, err := regular.ReadFile(path)
	return err == nil && bytes.Equal(text, wanted)
}
