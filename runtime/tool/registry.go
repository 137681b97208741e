package tool

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Registry holds tools by name. It is safe for concurrent use, and reading takes no lock.
type Registry struct {
	settings *settings
	tools    *toolMap        // shared by all views of the registry
	selected map[string]bool // names of the tools that a view shows; nil for all
	namings  []Naming        // applied in order to tools that are registered with a view
}

// registeredTool is a tool in a registry, with the settings of the registry.
type registeredTool struct {
	Tool
	settings *settings
}

// settings holds the settings of a registry, which its options set.
type settings struct {
	wire.Limits
	repair     Repair
	middleware []Middleware
	handler    Handler // Call.handleCall inside all middleware; nil without middleware
}

// Option configures a [Registry].
type Option func(*Registry)

// MaxArguments limits the size of arguments in bytes. The default is 1 MiB; the limit is always below 2 GiB.
func MaxArguments(bytes int) Option {
	return func(r *Registry) { r.settings.Arguments = min(bytes, math.MaxInt32) }
}

// MaxDepth limits how deeply arguments may be nested. The default is 64, the maximum 10000.
func MaxDepth(levels int) Option { return func(r *Registry) { r.settings.Depth = min(levels, 10_000) } }

// MaxOutput limits the size of results in bytes of JSON. The default is 16 MiB.
func MaxOutput(bytes int) Option { return func(r *Registry) { r.settings.Output = max(bytes, 0) } }

// Handler runs a call and returns its result or its error. A nil result counts as null. If the result is not JSON
// or is too long, the call fails with an [*OutputError]. A handler must not modify the result of another handler,
// and must be safe for concurrent use. It may read Request, Started and Definition of the call and, after it has
// called the next handler, Arguments and Repairs.
type Handler func(ctx context.Context, c *Call) (json.RawMessage, error)

// Middleware wraps a handler. The returned handler may call next, more than once but only on the same goroutine, or
// return a result or an error itself. If the function panics, next returns a [*PanicError]. If there is no such
// tool, next returns an [*UnknownToolError].
type Middleware func(next Handler) Handler

// Use wraps every call in middleware; the first one is the outermost. Middleware runs before the arguments are read
// and checked, and before the hooks of the tool.
func Use(middleware ...Middleware) Option {
	return func(r *Registry) { r.settings.middleware = append(r.settings.middleware, middleware...) }
}

// NewRegistry returns a registry without tools.
func NewRegistry(options ...Option) *Registry {
	r := &Registry{
		settings: &settings{Limits: wire.Limits{Arguments: 1 << 20, Depth: 64, Output: 16 << 20}},
		tools:    newToolMap(),
	}
	for _, option := range options {
		option(r)
	}
	r.settings.wrapMiddleware()
	return r
}

// Register adds all tools or, if one of them is invalid, none. It returns a [*DuplicateError] if a name is taken,
// and a [*DefinitionError] for a handmade tool that has no name or an invalid schema. The zero Tool is an error,
// too. Adding many tools in one call is much cheaper than adding them one by one.
func (r *Registry) Register(tools ...Tool) error {
	tools, err := r.applyNamings(tools)
	if err != nil {
		return err
	}
	return r.changeTools(tools, func(t Tool, existing *registeredTool) error {
		switch {
		case t.isZero():
			return errors.New("the zero Tool cannot be registered: tools come from generated code, tool.NewTypedTool or tool.NewTypedAction")
		case existing != nil:
			return &DuplicateError{Name: t.definition.Name, First: existing.definition.Package, Second: t.definition.Package}
		}
		return nil
	})
}

// Replace adds tools like [Registry.Register], but replaces registered tools of the same names. It skips zero
// Tools.
func (r *Registry) Replace(tools ...Tool) error {
	tools, _ = r.applyNamings(tools) // unlike in Register, tools that the view renames may be missing
	return r.changeTools(slices.DeleteFunc(tools, Tool.isZero), func(Tool, *registeredTool) error { return nil })
}

// changeTools adds all tools or none. It calls refuse with each tool and the registered tool of the same name,
// which may be nil, and fails if refuse returns an error.
func (r *Registry) changeTools(tools []Tool, refuse func(t Tool, existing *registeredTool) error) error {
	registered := make([]registeredTool, len(tools))
	return r.tools.change(len(tools), func(all map[string]*registeredTool) error {
		for i, t := range tools {
			name := t.Definition().Name
			if err := refuse(t, all[name]); err != nil {
				return err
			}
			if check := t.traitsOrZero().check; check != nil {
				if err := check(t.definition); err != nil {
					return &DefinitionError{Tool: name, Err: err}
				}
			}
			registered[i] = registeredTool{t, r.settings}
			all[name] = &registered[i]
		}
		return nil
	})
}

// Unregister removes tools. It ignores unknown names. Calls that [Registry.Match] has returned before can still be
// invoked.
func (r *Registry) Unregister(names ...string) {
	_ = r.tools.change(0, func(all map[string]*registeredTool) error {
		for _, name := range names {
			delete(all, name)
		}
		return nil
	})
}

// Changed returns a channel that is closed at the next change of the registry, even if a view does not show the
// changed tools. To miss no change, call Changed before reading the tools.
func (r *Registry) Changed() <-chan struct{} { return r.tools.current.Load().changed }

// findTool returns the tool with a name, or nil if there is none.
func (r *Registry) findTool(name string) *registeredTool {
	if r.selected != nil && !r.selected[name] {
		return nil
	}
	return r.tools.current.Load().tools[name]
}

// unknownTool returns the error for a name without a tool.
func (r *Registry) unknownTool(name string) *UnknownToolError {
	return &UnknownToolError{name, words.Near(name, r.Names())}
}

// Get returns the tool with the given name and reports whether there is one.
func (r *Registry) Get(name string) (Tool, bool) {
	if m := r.findTool(name); m != nil {
		return m.Tool, true
	}
	return Tool{}, false
}

// Names returns the names of all tools, sorted.
func (r *Registry) Names() []string {
	tools := r.tools.current.Load().tools
	if r.selected == nil {
		return slices.Sorted(maps.Keys(tools))
	}
	var names []string
	for name := range r.selected {
		if tools[name] != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Definitions returns the definitions of the named tools, sorted by name and without repetitions. It returns an
// [*UnknownToolError] for an unknown name.
func (r *Registry) Definitions(names ...string) ([]Definition, error) {
	selected, err := r.Select(names...)
	if err != nil {
		return nil, err
	}
	return selected.All(), nil
}

// All returns the definitions of all tools, sorted by name.
func (r *Registry) All() []Definition { return r.selectDefinitions(func(Tool) bool { return true }) }

// Available returns the definitions of the tools that can be called with the scope s, or without a scope if s is
// nil, sorted by name. It omits tools that need a scope if s is nil, and tools that need variables that s does not
// have. If the scope was created with [ReferToValues], the schemas allow a reference for every argument.
func (r *Registry) Available(s *Scope) []Definition {
	definitions := r.selectDefinitions(func(t Tool) bool { return t.traitsOrZero().demand.isMet(s) })
	for i, d := range definitions {
		definitions[i].Input = d.inputSchema(s)
	}
	return definitions
}

// selectDefinitions returns the definitions of the tools for which offered is true, sorted by name.
func (r *Registry) selectDefinitions(offered func(Tool) bool) []Definition {
	definitions := []Definition{}
	for _, name := range r.Names() {
		if t, ok := r.Get(name); ok && offered(t) {
			definitions = append(definitions, t.Definition())
		}
	}
	return definitions
}

// Match returns a pending call for a request; run it with [Call.Invoke]. If there is no such tool, Match returns
// an [*UnknownToolError].
func (r *Registry) Match(request Request) (*Call, error) {
	m := r.findTool(request.Name)
	if m == nil {
		return nil, r.unknownTool(request.Name)
	}
	c := &Call{invokeLock: new(sync.Mutex)}
	c.setRequest(m, request)
	return c, nil
}

// Call runs the call for a request; see [Call.Invoke]. It never returns nil: if there is no such tool, it
// returns a failed call.
func (r *Registry) Call(ctx context.Context, request Request) *Call {
	c := new(Call)
	r.runRequest(ctx, request, c)
	return c
}

// runRequest is separate so that the compiler can inline Call, and the call can then stay on the stack of the
// caller.
func (r *Registry) runRequest(ctx context.Context, request Request, c *Call) {
	r.prepareCall(c, request)
	c.runCall(ctx)
}

// prepareCall initializes c as the call for a request. If there is no such tool, the call fails when it runs.
func (r *Registry) prepareCall(c *Call, request Request) {
	m := r.findTool(request.Name)
	if m == nil {
		err := r.unknownTool(request.Name)
		m = &registeredTool{Tool{invoke: func(_ context.Context, in *Invocation) { in.err = err }}, r.settings}
	}
	c.setRequest(m, request)
}
