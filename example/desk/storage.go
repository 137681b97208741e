package desk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/memory/bolt"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// storage is where runs and tickets are stored.
type storage struct {
	journal journal.Journal
	store   memory.Store // nil if tickets are only in memory
	enter   tools.Enter  // used instead of store if other processes share the tickets
	engine  func(llm.Model, *tool.Registry, ...func(context.Context, run.Event)) (Engine, error)
	close   func() error
}

// openStorage opens the storage of runs and, if desk is set, of tickets. Without an engine, only one process at a time can
// open the tickets. Other processes can open the runs, to list them and to decide about calls.
func (s settings) openStorage(ctx context.Context, desk bool) (k storage, err error) {
	k.close = func() error { return nil }
	switch {
	case s.isRemote():
		return s.openPlaces(ctx)
	case s.memory == "":
		k.journal = new(journal.Map)
		return k, nil
	}
	if !desk {
		if _, err := os.Stat(s.memory); err != nil {
			return k, err
		}
	}
	if k.journal, err = file.Open(s.memory); err != nil || !desk {
		return k, err
	}
	store, err := bolt.Open(filepath.Join(s.memory, "desk.db"))
	if err != nil {
		return k, err
	}
	k.store, k.close = memory.Detached(store), store.Close
	return k, nil
}

// openPlaces opens the places that flags name. The last one stores the runs. The last one that can store tickets stores
// the tickets; if there is none, the folder of -memory does.
func (s settings) openPlaces(ctx context.Context) (k storage, err error) {
	var closes []func()
	k.close = func() error {
		for _, f := range slices.Backward(closes) {
			f()
		}
		return nil
	}
	if s.memory != "" {
		if err := os.MkdirAll(s.memory, 0o700); err != nil {
			return k, err
		}
		k.enter = folderTickets(s.memory)
	}
	for _, p := range s.places {
		if p.at == "" {
			continue
		}
		opened, err := p.Open(ctx, p.at)
		if err != nil {
			return k, errors.Join(err, k.close())
		}
		closes = append(closes, opened.Close)
		if k.journal, k.engine = opened.Journal, opened.Engine; opened.Tickets != nil {
			k.enter = opened.Tickets
		}
	}
	return k, nil
}

// openDesk returns the desk with the stored tickets.
func (k storage) openDesk(ctx context.Context, now func() time.Time) (*tools.Desk, error) {
	switch {
	case k.enter != nil:
		return tools.ShareDesk(now, k.enter), nil
	case k.store == nil:
		return tools.NewDesk(now), nil
	}
	return tools.OpenDesk(ctx, now, k.store)
}
