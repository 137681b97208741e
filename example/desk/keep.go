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
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// keeping is where runs and tickets are kept.
type keeping struct {
	journal journal.Journal
	store   memory.Store // nil keeps tickets as long as the process
	enter   tools.Enter  // in place of the store, where others work at the desk, too
	engine  func(llm.Model, *tool.Registry, ...func(context.Context, record.Event)) (Engine, error)
	close   func() error
}

// keep returns where runs are kept, and tickets, if anything is to happen to them: without
// an engine, one process at a time works at the desk, while others look on and decide.
func (s settings) keep(ctx context.Context, desk bool) (k keeping, err error) {
	k.close = func() error { return nil }
	switch {
	case s.remote():
		return s.open(ctx)
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

// open opens the places that flags name: the last one has the runs, and tickets are where
// there is room for them.
func (s settings) open(ctx context.Context) (k keeping, err error) {
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

// desk returns the desk.
func (k keeping) desk(ctx context.Context, now func() time.Time) (*tools.Desk, error) {
	switch {
	case k.enter != nil:
		return tools.ShareDesk(now, k.enter), nil
	case k.store == nil:
		return tools.NewDesk(now), nil
	}
	return tools.OpenDesk(ctx, now, k.store)
}
