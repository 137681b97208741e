package tool

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Registry holds tools by name. It is safe for concurrent use; what only reads
// it takes no lock.
type Registry struct {
	*shared
	only    map[string]bool // of a view: what it offers
	namings []Naming        // of a view: what tools are called that come in by it
}

// shared is what a registry has in common with its views.
type shared struct {
	settings settings
	mu       sync.Mutex // held while the tools change
	current  atomic.Pointer[stock]
}

// stock is what a registry holds until it changes.
type stock struct {
	tools   map[string]*mounted
	changed chan struct{} // closed when there is another
}

// mounted is a tool in a registry.
type mounted struct {
	Tool
	settings *settings
}

// settings are what the options of a registry set.
type settings struct {
	wire.Limits
	repair     Repair
	middleware []Middleware
	handler    Handler // all middleware around Call.handle; nil if there is none
}

// Option sets up a [Registry].
type Option func(*Registry)

// MaxArguments bounds the arguments of a call, in bytes. The default is 1 MiB,
// the most 2 GiB less one byte.
func MaxArguments(bytes int) Option {
	return func(r *Registry) { r.settings.Arguments = min(bytes, math.MaxInt32) }
}

// MaxDepth bounds how deeply the arguments of a call are nested, which count as one
// level. The default is 64, the most 10000.
func MaxDepth(levels int) Option {
	return func(r *Registry) { r.settings.Depth = min(levels, 10_000) }
}

// MaxOutput bounds results, in bytes of their JSON. The default is 16 MiB.
func MaxOutput(bytes int) Option {
	return func(r *Registry) { r.settings.Output = bytes }
}

// NewRegistry returns a registry without tools.
func NewRegistry(options ...Option) *Registry {
	r := &Registry{shared: &shared{settings: settings{Limits: wire.Limits{Arguments: 1 << 20, Depth: 64, Output: 16 << 20}}}}
	r.current.Store(&stock{map[string]*mounted{}, make(chan struct{})})
	for _, option := range options {
		option(r)
	}
	r.settings.wrap()
	return r
}

// Register adds tools, all or none: a name that is taken is a [*DuplicateError]; a zero
// Tool, or one made by hand without a name or with schemas that are none, a
// [*DefinitionError]. To add many at once is much cheaper than one by one.
func (r *Registry) Register(tools ...Tool) error {
	tools, err := r.renamed(tools)
	if err != nil {
		return err
	}
	return r.change(tools, func(all map[string]*mounted, m *mounted) error {
		if m.isZero() {
			return errZeroTool
		}
		if taken := all[m.definition.Name]; taken != nil {
			return &DuplicateError{Name: m.definition.Name, First: taken.definition.Package, Second: m.definition.Package}
		}
		if err := m.check(); err != nil {
			return err
		}
		all[m.definition.Name] = m
		return nil
	})
}

var errZeroTool = errors.New("the zero Tool cannot be registered: tools come from generated code, tool.NewOf or tool.NewDo")

// Replace adds tools as [Registry.Register] does, but in the place of those of the same
// names. A zero Tool is left out.
func (r *Registry) Replace(tools ...Tool) error {
	tools, _ = r.renamed(tools) // it need not be all that there are
	return r.change(tools, func(all map[string]*mounted, m *mounted) error {
		if m.isZero() {
			return nil
		}
		if err := m.check(); err != nil {
			return err
		}
		all[m.definition.Name] = m
		return nil
	})
}

// Unregister removes tools, as far as there are any. Calls that were matched go on.
func (r *Registry) Unregister(names ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := maps.Clone(r.current.Load().tools)
	for _, name := range names {
		delete(all, name)
	}
	r.restock(all)
}

// change adds each of the tools with add, all of them or none if it fails.
func (r *Registry) change(tools []Tool, add func(all map[string]*mounted, m *mounted) error) error {
	room := make([]mounted, len(tools))
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.current.Load().tools
	all := make(map[string]*mounted, len(old)+len(tools))
	maps.Copy(all, old)
	for i, t := range tools {
		room[i] = mounted{t, &r.settings}
		if err := add(all, &room[i]); err != nil {
			return err
		}
	}
	r.restock(all)
	return nil
}

// restock puts other tools in the place of those that there are, under the lock.
func (r *Registry) restock(all map[string]*mounted) {
	close(r.current.Swap(&stock{all, make(chan struct{})}).changed)
}

// Changed returns a channel that is closed when tools are next registered, replaced or
// unregistered, also such as a view does not offer. Take it before a copy of what there
// is, so that no change is missed.
func (r *Registry) Changed() <-chan struct{} { return r.current.Load().changed }

// Get returns the tool of the given name, if there is one.
func (r *Registry) Get(name string) (Tool, bool) {
	if m := r.find(name); m != nil {
		return m.Tool, true
	}
	return Tool{}, false
}

// find returns the tool of the given name, nil if there is none.
func (r *Registry) find(name string) *mounted {
	if r.only != nil && !r.only[name] {
		return nil
	}
	return r.current.Load().tools[name]
}

// Select returns a view that offers and calls only the named tools, whatever becomes of
// them later; to register with it is to register with the registry. An unknown name is
// an [*UnknownToolError].
func (r *Registry) Select(names ...string) (*Registry, error) {
	only := make(map[string]bool, len(names))
	for _, name := range names {
		if _, ok := r.Get(name); !ok {
			return nil, r.unknown(name)
		}
		only[name] = true
	}
	return &Registry{shared: r.shared, only: only, namings: r.namings}, nil
}

// Names returns the names of all tools, sorted.
func (r *Registry) Names() []string {
	names := slices.Collect(maps.Keys(r.current.Load().tools))
	if r.only != nil {
		names = slices.DeleteFunc(names, func(name string) bool { return !r.only[name] })
	}
	slices.Sort(names)
	return names
}

// Definitions returns the definitions of the named tools, sorted by name, each once:
// none if none is named. An unknown name is an [*UnknownToolError].
func (r *Registry) Definitions(names ...string) ([]Definition, error) {
	sorted := slices.Compact(slices.Sorted(slices.Values(names)))
	definitions := make([]Definition, 0, len(sorted))
	for _, name := range sorted {
		t, ok := r.Get(name)
		if !ok {
			return nil, r.unknown(name)
		}
		definitions = append(definitions, t.Definition())
	}
	return definitions, nil
}

// All returns the definitions of all tools, sorted by name.
func (r *Registry) All() []Definition {
	names := r.Names()
	definitions := make([]Definition, 0, len(names))
	for _, name := range names {
		if t, ok := r.Get(name); ok {
			definitions = append(definitions, t.Definition())
		}
	}
	return definitions
}

// Available returns the definitions of the tools that can be called with a scope, or
// without one if s is nil, sorted by name: it leaves out those that need a scope, a
// variable that it does not have, or a place for their result. With [ReferToValues],
// the schemas let every argument be a reference.
func (r *Registry) Available(s *Scope) []Definition {
	names := r.Names()
	definitions := make([]Definition, 0, len(names))
	for _, name := range names {
		t, ok := r.Get(name)
		if !ok || !t.available(s) {
			continue
		}
		d := t.Definition()
		d.Input = t.input(s)
		definitions = append(definitions, d)
	}
	return definitions
}

// Match returns the call that a request asks for, not yet run. If there is no
// such tool, the error is an [*UnknownToolError].
func (r *Registry) Match(request Request) (*Call, error) {
	m := r.find(request.Name)
	if m == nil {
		return nil, r.unknown(request.Name)
	}
	c := &Call{turn: new(sync.Mutex)}
	c.ask(m, request)
	return c, nil
}

// Call runs what a request asks for, as [Call.Invoke] says. It never returns nil:
// whatever goes wrong is a call that failed, also where there is no such tool.
func (r *Registry) Call(ctx context.Context, request Request) *Call {
	c := new(Call)
	r.call(ctx, request, c)
	return c
}

// call is not a part of Call, so that the compiler makes that one of its callers,
// and leaves the record of a call on the stack of one who looks at it and is done.
func (r *Registry) call(ctx context.Context, request Request, c *Call) {
	r.ask(c, request)
	c.run(ctx)
}

// ask makes c the call that a request asks for, for its maker to run; if there is
// no such tool, one that will fail.
func (r *Registry) ask(c *Call, request Request) {
	m := r.find(request.Name)
	if m == nil {
		m = &mounted{missing(r.unknown(request.Name)), &r.settings}
	}
	c.ask(m, request)
}

// missing returns what is called in the place of a tool that there is not.
func missing(err error) Tool {
	return Tool{invoke: func(_ context.Context, in *Invocation) { in.err = err }}
}

func (r *Registry) unknown(name string) error {
	return &UnknownToolError{Name: name, Nearest: words.Near(name, r.Names())}
}
