package tool

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/aiongen/aiongen/runtime/tool/internal/sound"
	"github.com/aiongen/aiongen/runtime/tool/internal/stock"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Registry holds tools by name. It is safe for concurrent use; what only reads
// it takes no lock.
type Registry struct {
	settings *settings
	tools    stock.View[*mounted]
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

// MaxArguments bounds arguments, in bytes: by default 1 MiB, below 2 GiB.
func MaxArguments(bytes int) Option {
	return func(r *Registry) { r.settings.Arguments = min(bytes, math.MaxInt32) }
}

// MaxDepth bounds the levels of arguments: by default 64, at most 10000.
func MaxDepth(levels int) Option { return func(r *Registry) { r.settings.Depth = min(levels, 10_000) } }

// MaxOutput bounds results, in bytes of their JSON. The default is 16 MiB.
func MaxOutput(bytes int) Option { return func(r *Registry) { r.settings.Output = max(bytes, 0) } }

// Handler runs a call and returns its result or its error. A result that is nil counts
// as null; one that is no JSON or too long becomes an [*OutputError]; that of another
// handler must not be modified. A Handler must be safe for concurrent use, and may read
// of the call Request, Started and Definition and, when next has returned, Arguments
// and Repairs.
type Handler func(ctx context.Context, c *Call) (json.RawMessage, error)

// Middleware puts something around a handler. It may leave the call to next, on
// the same goroutine and more than once, or answer it itself. A panic of the
// function reaches it as a [*PanicError], an unknown tool as the error of next.
type Middleware func(next Handler) Handler

// Use puts middleware around every call, the first outermost. Reading and
// checking of the arguments is within, and so are the hooks of the tool.
func Use(middleware ...Middleware) Option {
	return func(r *Registry) { r.settings.middleware = append(r.settings.middleware, middleware...) }
}

// NewRegistry returns a registry without tools.
func NewRegistry(options ...Option) *Registry {
	r := &Registry{
		settings: &settings{Limits: wire.Limits{Arguments: 1 << 20, Depth: 64, Output: 16 << 20}},
		tools:    stock.View[*mounted]{Stock: stock.New[*mounted]()},
	}
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
	return r.change(tools, func(t Tool, taken *mounted) error {
		switch {
		case t.isZero():
			return errors.New("the zero Tool cannot be registered: tools come from generated code, tool.NewOf or tool.NewDo")
		case taken != nil:
			return &DuplicateError{Name: t.definition.Name, First: taken.definition.Package, Second: t.definition.Package}
		}
		return nil
	})
}

// Replace is [Registry.Register], in the place of what there is. It skips zero Tools.
func (r *Registry) Replace(tools ...Tool) error {
	tools, _ = r.renamed(tools) // it need not be all that there are
	return r.change(slices.DeleteFunc(slices.Clone(tools), Tool.isZero), func(Tool, *mounted) error { return nil })
}

// change adds the tools, all or none. What refuses one is handed that which has its
// name.
func (r *Registry) change(tools []Tool, refuse func(t Tool, taken *mounted) error) error {
	room := make([]mounted, len(tools))
	return r.tools.Change(len(tools), func(all map[string]*mounted) error {
		for i, t := range tools {
			name := t.Definition().Name
			if err := refuse(t, all[name]); err != nil {
				return err
			}
			if check := t.peculiar().check; check != nil {
				if err := check(t.definition); err != nil {
					return &DefinitionError{Tool: name, Err: err}
				}
			}
			room[i] = mounted{t, r.settings}
			all[name] = &room[i]
		}
		return nil
	})
}

// Unregister removes tools, if they are there. Calls that were matched go on.
func (r *Registry) Unregister(names ...string) {
	_ = r.tools.Change(0, func(all map[string]*mounted) error {
		for _, name := range names {
			delete(all, name)
		}
		return nil
	})
}

// Changed returns a channel that is closed when tools are next registered, replaced or
// unregistered, also such as a view does not offer. Take it before a copy of what there
// is, so that no change is missed.
func (r *Registry) Changed() <-chan struct{} { return r.tools.Changed() }

// Get returns the tool of the given name, if there is one.
func (r *Registry) Get(name string) (Tool, bool) {
	if m := r.tools.Find(name); m != nil {
		return m.Tool, true
	}
	return Tool{}, false
}

// Select returns a view that offers and calls only the named tools, whatever becomes of
// them later; to register with it is to register with the registry. An unknown name is
// an [*UnknownToolError].
func (r *Registry) Select(names ...string) (*Registry, error) {
	selected, unknown := r.tools.Select(names)
	if unknown != nil {
		return nil, (*UnknownToolError)(unknown)
	}
	return &Registry{r.settings, selected}, nil
}

// Names returns the names of all tools, sorted.
func (r *Registry) Names() []string { return r.tools.Names() }

// Definitions returns the definitions of the named tools, sorted by name, each once:
// none if none is named. An unknown name is an [*UnknownToolError].
func (r *Registry) Definitions(names ...string) ([]Definition, error) {
	selected, err := r.Select(names...)
	if err != nil {
		return nil, err
	}
	return selected.All(), nil
}

// All returns the definitions of all tools, sorted by name.
func (r *Registry) All() []Definition { return r.define(func(Tool) bool { return true }) }

// Available returns the definitions of the tools that can be called with a scope, or
// without one if s is nil, sorted by name: it leaves out those that need a scope, a
// variable that it does not have, or a place for their result. With [ReferToValues],
// the schemas let every argument be a reference.
func (r *Registry) Available(s *Scope) []Definition {
	definitions := r.define(func(t Tool) bool { return t.peculiar().demand.Met(s.store()) })
	for i, d := range definitions {
		definitions[i].Input = d.input(s)
	}
	return definitions
}

// define returns the definitions of some of the tools, sorted by name.
func (r *Registry) define(offered func(Tool) bool) []Definition {
	definitions := []Definition{}
	for _, name := range r.Names() {
		if t, ok := r.Get(name); ok && offered(t) {
			definitions = append(definitions, t.Definition())
		}
	}
	return definitions
}

// Match returns the call that a request asks for, not yet run. If there is no
// such tool, the error is an [*UnknownToolError].
func (r *Registry) Match(request Request) (*Call, error) {
	m := r.tools.Find(request.Name)
	if m == nil {
		return nil, (*UnknownToolError)(r.tools.Unknown(request.Name))
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
	m := r.tools.Find(request.Name)
	if m == nil {
		err := (*UnknownToolError)(r.tools.Unknown(request.Name))
		m = &mounted{Tool{invoke: func(_ context.Context, in *Invocation) { in.err = err }}, r.settings}
	}
	c.ask(m, request)
}

// Naming gives tools other names; see [Registry.With].
type Naming struct{ of stock.Naming }

// Prefix puts text in front of the names of all tools.
func Prefix(text string) Naming { return Naming{stock.Naming{Prefix: text}} }

// Rename gives tools that are keys of the map its values as names.
func Rename(names map[string]string) Naming { return Naming{stock.Naming{Names: maps.Clone(names)}} }

// With returns a view that gives the tools which it registers other names, first naming
// first: github.Register(r.With(tool.Prefix("github_"))). All else goes by these. To
// rename what is not registered with it is an [*UnknownToolError].
func (r *Registry) With(namings ...Naming) *Registry {
	tools := r.tools
	for _, n := range slices.Backward(namings) {
		tools = tools.With(n.of)
	}
	return &Registry{r.settings, tools}
}

// renamed returns the tools under the names that the view gives them, and the error
// that one is to be renamed that is not there.
func (r *Registry) renamed(tools []Tool) ([]Tool, error) {
	renamed, unknown := stock.Rename(r.tools, tools, func(t Tool) string { return t.Definition().Name }, Tool.called)
	if unknown != nil {
		return renamed, (*UnknownToolError)(unknown)
	}
	return renamed, nil
}

// called returns the tool under a name, which a registry is to check if it is another.
func (t Tool) called(name string) Tool {
	if t.definition == nil || name == t.definition.Name {
		return t
	}
	d := *t.definition
	d.Name, t.definition = name, &d
	if t.peculiar().check == nil {
		t = t.with(func(x *traits) { x.check = func(d *Definition) error { return sound.Name(d.Name) } })
	}
	return t
}
