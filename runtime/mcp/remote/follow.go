package remote

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Follow registers the tools of the server, and updates the registry each time that the server
// reports changes or the connection was opened again: new tools are registered, changed ones
// replaced, and others unregistered. While there is no connection, the tools stay registered.
// When ctx is done, when the server is closed, or when a connection ends that cannot be opened
// again, all are unregistered. The registry decides about their names, as in
// server.Follow(ctx, registry.With(tool.Prefix("some_"))).
//
// If a name is taken, or the tools cannot be listed, Follow returns an error and registers
// nothing. Tools that cannot be used are left out and logged, as are later ones whose names are
// taken: no server replaces a tool of the program. What the program itself replaces or
// unregisters stays so.
func (s *Server) Follow(ctx context.Context, registry *tool.Registry) error {
	f := &follower{Server: s, registry: registry}
	changed := s.changes() // before the list, so that none is missed
	tools, err := f.current(ctx)
	if err != nil {
		return err
	}
	if err := registry.Register(tools...); err != nil {
		return err
	}
	f.tools = tools
	s.following.Go(func() { f.run(ctx, changed) })
	return nil
}

// follower updates a registry.
type follower struct {
	*Server
	registry *tool.Registry
	tools    []tool.Tool // of the server
}

// longestListing is how long a server may take to list its tools after a change.
const longestListing = time.Minute

// rest is the time between a change and the list, so that a server that reports changes without
// end does not keep the program busy.
const rest = 100 * time.Millisecond

// listAgain is the time after which tools that could not be listed are listed again.
const listAgain = 10 * time.Second

// run updates the registry until there is nothing to follow.
func (f *follower) run(ctx context.Context, changed <-chan struct{}) {
	defer func() { f.unregister(f.tools) }()
	for again := (<-chan time.Time)(nil); ; {
		select {
		case <-ctx.Done():
			return
		case <-f.ended:
			return
		case <-changed:
		case <-again:
		}
		select {
		case <-ctx.Done():
			return
		case <-f.ended:
			return
		case <-time.After(rest):
		}
		changed, again = f.changes(), nil
		listing, end := context.WithTimeout(ctx, longestListing)
		tools, err := f.current(listing)
		end()
		if err != nil {
			f.log().Warn("mcp: the tools of a server cannot be listed; those known before stay", "error", err)
			again = time.After(listAgain)
			continue
		}
		f.update(tools)
	}
}

// current returns the tools that the server has now, and logs which are left out.
func (f *follower) current(ctx context.Context) ([]tool.Tool, error) {
	tools, err := f.Tools(ctx)
	var leftOut *tool.DefinitionError
	if !errors.As(err, &leftOut) {
		return tools, err
	}
	f.log().Warn("mcp: left out tools of a server", "server", f.source(), "error", err)
	return tools, nil
}

// update registers, replaces and unregisters tools until the registry has those of the server.
func (f *follower) update(tools []tool.Tool) {
	before := map[string]tool.Tool{}
	for _, t := range f.tools {
		before[t.Definition().Name] = t
	}
	there := f.registered()
	f.tools = nil
	for _, t := range tools {
		name := t.Definition().Name
		old, had := before[name]
		delete(before, name)
		var err error
		switch _, still := there[place(old)]; {
		case had && reflect.DeepEqual(old.Definition(), t.Definition()), had && !still:
			t = old
		case had:
			err = f.registry.Replace(t)
		default:
			err = f.registry.Register(t)
		}
		if err != nil {
			f.log().Warn("mcp: left out a tool of a server", "error", err)
			continue
		}
		f.tools = append(f.tools, t)
	}
	var gone []tool.Tool
	for _, t := range before {
		gone = append(gone, t)
	}
	f.unregister(gone)
}

// unregister unregisters those of the tools that are still registered.
func (f *follower) unregister(tools []tool.Tool) {
	there := f.registered()
	var names []string
	for _, t := range tools {
		if name, ok := there[place(t)]; ok {
			names = append(names, name)
		}
	}
	f.registry.Unregister(names...)
}

// registered returns the names of the tools in the registry, by their places.
func (f *follower) registered() map[*byte]string {
	there := map[*byte]string{}
	for _, d := range f.registry.All() {
		if len(d.Input) > 0 {
			there[&d.Input[0]] = d.Name
		}
	}
	return there
}

// place identifies a tool under whatever name a registry has it: by the place of its input
// schema in memory, which no other tool shares.
func place(t tool.Tool) *byte {
	if d := t.Definition(); len(d.Input) > 0 {
		return &d.Input[0]
	}
	return nil
}
