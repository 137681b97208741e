package remote

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Follow registers the tools of the server, and keeps the registry as the server says
// that it is: tools that come are registered, those that change replaced, and those that
// go unregistered. When ctx is done or the session ends, all are. What names they get
// says the registry, as in server.Follow(ctx, registry.With(tool.Prefix("some_"))).
//
// If a name is taken, or the tools cannot be listed, the error says so, and nothing is
// registered. Tools that cannot be held are left out, as are later those whose names are
// taken: no server gets between a program and its own tools. The Logger of the options,
// by default [slog.Default], is told of them. What the program itself replaces or
// unregisters stays as it is.
func (s *Server) Follow(ctx context.Context, registry *tool.Registry) error {
	f := &follower{Server: s, registry: registry, log: s.caller.log()}
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

// follower keeps a registry as a server is.
type follower struct {
	*Server
	registry *tool.Registry
	log      *slog.Logger
	tools    []tool.Tool // of the server
}

// longestList is how long a server may take to list its tools, once it said that they are
// others.
const longestList = time.Minute

// rest is before such a list: a server that says it without end is not asked without end.
const rest = 100 * time.Millisecond

// run follows until there is nothing to follow.
func (f *follower) run(ctx context.Context, changed <-chan struct{}) {
	defer func() { f.unregister(f.tools) }()
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.ended:
			return
		case <-changed:
		}
		select {
		case <-ctx.Done():
			return
		case <-f.ended:
			return
		case <-time.After(rest):
		}
		changed = f.changes()
		listing, end := context.WithTimeout(ctx, longestList)
		tools, err := f.current(listing)
		end()
		if err != nil {
			f.log.Warn("mcp: the tools of a server are as they were", "error", err)
			continue
		}
		f.update(tools)
	}
}

// current returns the tools that the server has now, and tells of those left out.
func (f *follower) current(ctx context.Context) ([]tool.Tool, error) {
	tools, err := f.caller.tools(ctx)
	var leftOut *tool.DefinitionError
	if !errors.As(err, &leftOut) {
		return tools, err
	}
	f.log.Warn("mcp: tools of a server are left out", "error", err)
	return tools, nil
}

// update makes the registry have the tools that the server has now.
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
			f.log.Warn("mcp: a tool of a server is left out", "error", err)
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

// unregister takes tools out of the registry, as far as they are there.
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

// registered returns what tools are called in the registry, by their places.
func (f *follower) registered() map[*byte]string {
	there := map[*byte]string{}
	for _, d := range f.registry.All() {
		if len(d.Input) > 0 {
			there[&d.Input[0]] = d.Name
		}
	}
	return there
}

// place is by what a tool is known, whatever a registry calls it: where its input schema
// is in memory, which it has for itself.
func place(t tool.Tool) *byte {
	if d := t.Definition(); len(d.Input) > 0 {
		return &d.Input[0]
	}
	return nil
}
