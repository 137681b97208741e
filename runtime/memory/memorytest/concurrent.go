package memorytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/runtime/memory"
)

const (
	workers = 100
	rounds  = 5
)

// runConcurrently runs the given number of workers and other functions concurrently.
func runConcurrently(workers int, worker func(id int) error, others ...func() error) error {
	errs := make([]error, workers+len(others))
	var wg sync.WaitGroup
	for id := range workers {
		wg.Go(func() { errs[id] = worker(id) })
	}
	for i, other := range others {
		wg.Go(func() { errs[workers+i] = other() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// checkConcurrentWrites checks that every write is visible immediately after it has returned, and that
// no write is lost.
func checkConcurrentWrites(ctx context.Context, s memory.Store) error {
	err := runConcurrently(workers, func(id int) error {
		for round := range rounds {
			key := fmt.Sprintf("w%03d/%d", id, round)
			if err := s.Write(ctx, key, id); err != nil {
				return err
			}
			if err := expectValue(ctx, s, key, fmt.Sprint(id)); err != nil {
				return err
			}
		}
		return s.Delete(ctx, fmt.Sprintf("w%03d/0", id))
	})
	var want []string
	for id := range workers {
		for round := 1; round < rounds; round++ {
			want = append(want, fmt.Sprintf("w%03d/%d", id, round))
		}
	}
	return errors.Join(err, expectKeys(ctx, s, "", want...))
}

// checkConcurrentOverwrites overwrites one key concurrently. Readers must see complete values, and must
// not see a value after a newer value of the same writer.
func checkConcurrentOverwrites(ctx context.Context, s memory.Store) error {
	type value struct {
		Writer, Round int
		Filler        string
	}
	filler := func(v value) string { return strings.Repeat(string(rune('a'+v.Writer)), 1000*(1+v.Round)) }
	if err := s.Write(ctx, "k", value{Filler: filler(value{})}); err != nil {
		return err
	}
	const writers = 8
	written := make(chan struct{})
	read := func(int) error {
		seen := [writers]int{}
		for last := false; !last; {
			last = isClosed(written)
			raw, _, err := s.Read(ctx, "k")
			if err != nil {
				return err
			}
			var v value
			if err := json.Unmarshal(raw, &v); err != nil || v.Filler != filler(v) {
				return fmt.Errorf("a read returns a torn value of %d bytes: %v", len(raw), err)
			}
			if v.Round < seen[v.Writer] {
				return fmt.Errorf("a read returns round %d of a writer after round %d", v.Round, seen[v.Writer])
			}
			seen[v.Writer] = v.Round
		}
		return nil
	}
	return runConcurrently(2, read, func() error {
		defer close(written)
		return runConcurrently(writers, func(id int) error {
			for round := range 2 * rounds {
				v := value{Writer: id, Round: round}
				v.Filler = filler(v)
				if err := s.Write(ctx, "k", v); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// checkConcurrentUse calls all methods concurrently. Each search must find the entries that do not
// change exactly once.
func checkConcurrentUse(ctx context.Context, s memory.Store) error {
	if err := writeKeys(ctx, s, "a", "m", "z"); err != nil {
		return err
	}
	return runConcurrently(workers/4, func(id int) error {
		key := fmt.Sprintf("n%d", id%5)
		for range rounds {
			if err := s.Write(ctx, key, id); err != nil {
				return err
			}
			entries, err := searchAll(ctx, s, "")
			if err != nil {
				return err
			}
			found := map[string]int{}
			for _, e := range entries {
				found[e.Key]++
			}
			if found["a"] != 1 || found["m"] != 1 || found["z"] != 1 || len(found) != len(entries) {
				return fmt.Errorf("a search during writes finds the keys %v", found)
			}
			if err := s.Delete(ctx, key); err != nil {
				return err
			}
		}
		return nil
	})
}
