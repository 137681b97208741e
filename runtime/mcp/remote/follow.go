package remote

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Follow registers the tools of the server and returns. In the background, it updates the registry
// whenever the server reports changes or the connection has been opened again. While there is no
// connection, the tools stay registered. They are unregistered when ctx is done, when the server is
// closed, or when a connection ends that cannot be opened again. To change the names of the tools,
// use a registry such as registry.With(tool.Prefix("some_")).
//
// If a name is taken or the tools cannot be listed, Follow returns an error and registers
// nothing. Invalid tools are logged and not registered. The same applies to later tools whose names
// are taken: a server never replaces a tool of the program. Tools that the program itself replaces
// or unregisters are not registered again.
func (s *Server) Follow(ctx context.Context, registry *tool.Registry) error {
	f := &follower{Server: s, registry: registry}
	changed := s.nextChange() // before listing, so that no change is missed
	tools, err := f.usableTools(ctx)
	if err != nil {
		return err
	}
	if err := registry.Register(tools...); err != nil {
		return err
	}
	f.tools = tools
	s.following.Go(func() { f.followChanges(ctx, changed) })
	return nil
}

// follower keeps the tools of a server in a registry up to date.
type follower struct {
	*Server
	registry *tool.Registry
	tools    []tool.Tool // registered by the follower
}

// listTimeout limits how long a server may take to list its tools after a change.
const listTimeout = time.Minute

// listDelay is the time between a change and listing the tools. It limits the work that a server can
// cause by reporting changes all the time.
const listDelay = 100 * time.Millisecond

// retryDelay is the time before the tools are listed again after a failure.
const retryDelay = 10 * time.Second

// followChanges updates the registry until ctx is done or the connection has ended for good.
func (f *follower) followChanges(ctx context.Context, changed <-chan struct{}) {
	defer func() { f.unregisterTools(f.tools) }()
	for retry := (<-chan time.Time)(nil); ; {
		select {
		case <-ctx.Done():
			return
		case <-f.ended:
			return
		case <-changed:
		case <-retry:
		}
		select {
		case <-ctx.Done():
			return
		case <-f.ended:
			return
		case <-time.After(listDelay):
		}
		changed, retry = f.nextChange(), nil
		listing, end := context.WithTimeout(ctx, listTimeout)
		tools, err := f.usableTools(listing)
		end()
		if err != nil {
			f.log.Warn("mcp: cannot list the tools of a server; the registered tools stay", "error", err)
			retry = time.After(retryDelay)
			continue
		}
		f.updateRegistry(tools)
	}
}

// usableTools returns the current tools of the server, and logs those that cannot be used.
func (f *follower) usableTools(ctx context.Context) ([]tool.Tool, error) {
	tools, err := f.Tools(ctx)
	var leftOut *tool.DefinitionError
	if !errors.As(err, &leftOut) {
		return tools, err
	}
	f.log.Warn("mcp: left out tools of a server", "server", f.describeServer(), "error", err)
	return tools, nil
}

// updateRegistry registers, replaces and unregisters tools of the server, so that exactly the given
// tools are registered.
func (f *follower) updateRegistry(tools []tool.Tool) {
	before := map[string]tool.Tool{}
	for _, t := range f.tools {
		before[t.Definition().Name] = t
	}
	registered := f.registeredNames()
	f.tools = nil
	for _, t := range tools {
		name := t.Definition().Name
		old, had := before[name]
		delete(before, name)
		var err error
		switch _, ok := registered[schemaAddress(old)]; {
		case had && reflect.DeepEqual(old.Definition(), t.Definition()), had && !ok:
			t = old
		case had:
			err = f.registry.Replace(t)
		default:
			err = f.registry.Register(t)
		}
		if err != nil {
			f.log.Warn("mcp: left out a tool of a server", "error", err)
			continue
		}
		f.tools = append(f.tools, t)
	}
	var removed []tool.Tool
	for _, t := range before {
		removed = append(removed, t)
	}
	f.unregisterTools(removed)
}

// unregisterTools unregisters the given tools, if they are still registered.
func (f *follower) unregisterTools(tools []tool.Tool) {
	registered := f.registeredNames()
	var names []string
	for _, t := range tools {
		if name, ok := registered[schemaAddress(t)]; ok {
			names = append(names, name)
		}
	}
	f.registry.Unregister(names...)
}

// registeredNames returns the names of the tools in the registry, by schemaAddress.
func (f *follower) registeredNames() map[*byte]string {
	names := map[*byte]string{}
	for _, d := range f.registry.All() {
		if len(d.Input) > 0 {
			names[&d.Input[0]] = d.Name
		}
	}
	return names
}

// schemaAddress identifies a tool regardless of its name in a registry: by the address of its
// input schema, which no other tool shares.
func schemaAddress(t tool.Tool) *byte {
	if d := t.Definition(); len(d.Input) > 0 {
		return &d.Input[0]
	}
	return nil
}
