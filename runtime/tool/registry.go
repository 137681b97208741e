package tool

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Registry holds tools by name. It is safe for concurrent use; what only reads
// it takes no lock.
type Registry struct {
	limits limits
	mu     sync.Mutex // held while the tools change
	tools  atomic.Pointer[map[string]Tool]
}

// limits bound what a call may cost.
type limits struct {
	arguments int // bytes
	depth     int // of arguments
	output    int // bytes
}

// Option sets up a [Registry].
type Option func(*Registry)

// MaxArguments bounds the arguments of a call, in bytes. The default is 1 MiB,
// the most 2 GiB less one byte.
func MaxArguments(bytes int) Option {
	return func(r *Registry) { r.limits.arguments = min(bytes, math.MaxInt32) }
}

// MaxDepth bounds how deeply objects and arrays in the arguments of a call are
// nested; the arguments themselves count as one. The default is 64, the most
// 10000.
func MaxDepth(levels int) Option {
	return func(r *Registry) { r.limits.depth = min(levels, 10_000) }
}

// MaxOutput bounds the result of a call, in bytes of its JSON. The default is
// 16 MiB.
func MaxOutput(bytes int) Option {
	return func(r *Registry) { r.limits.output = bytes }
}

// NewRegistry returns a registry without tools.
func NewRegistry(options ...Option) *Registry {
	r := &Registry{limits: limits{arguments: 1 << 20, depth: 64, output: 16 << 20}}
	r.tools.Store(&map[string]Tool{})
	for _, option := range options {
		option(r)
	}
	return r
}

// Register adds tools: all of them, or none if the name of one is taken, which
// is a [*DuplicateError]. To add many at once is much cheaper than one by one.
func (r *Registry) Register(tools ...Tool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := maps.Clone(*r.tools.Load())
	for _, t := range tools {
		name := t.Definition().Name
		if _, taken := all[name]; taken {
			return &DuplicateError{Name: name}
		}
		all[name] = t
	}
	r.tools.Store(&all)
	return nil
}

// Replace adds tools, in the place of those of the same names.
func (r *Registry) Replace(tools ...Tool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := maps.Clone(*r.tools.Load())
	for _, t := range tools {
		all[t.Definition().Name] = t
	}
	r.tools.Store(&all)
}

// Unregister removes the tools of the given names, as far as there are any.
// Calls that were matched already are not affected.
func (r *Registry) Unregister(names ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := maps.Clone(*r.tools.Load())
	for _, name := range names {
		delete(all, name)
	}
	r.tools.Store(&all)
}

// Get returns the tool of the given name, if there is one.
func (r *Registry) Get(name string) (Tool, bool) {
	t, ok := (*r.tools.Load())[name]
	return t, ok
}

// Names returns the names of all tools, sorted.
func (r *Registry) Names() []string {
	return slices.Sorted(maps.Keys(*r.tools.Load()))
}

// Definitions returns the definitions of the named tools, sorted by name, each
// once: none if none is named. A name that is not registered is an
// [*UnknownToolError].
func (r *Registry) Definitions(names ...string) ([]Definition, error) {
	tools := *r.tools.Load()
	sorted := slices.Compact(slices.Sorted(slices.Values(names)))
	definitions := make([]Definition, 0, len(sorted))
	for _, name := range sorted {
		t, ok := tools[name]
		if !ok {
			return nil, unknown(name, tools)
		}
		definitions = append(definitions, t.Definition())
	}
	return definitions, nil
}

// All returns the definitions of all tools, sorted by name.
func (r *Registry) All() []Definition {
	tools := *r.tools.Load()
	definitions := make([]Definition, 0, len(tools))
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		definitions = append(definitions, tools[name].Definition())
	}
	return definitions
}

// Match returns the call that a request asks for, not yet run. If there is no
// such tool, the error is an [*UnknownToolError].
func (r *Registry) Match(request Request) (*Call, error) {
	tools := *r.tools.Load()
	t, ok := tools[request.Name]
	if !ok {
		return nil, unknown(request.Name, tools)
	}
	return newCall(t, nil, &r.limits, request), nil
}

// Call runs what a request asks for, as [Call.Invoke] says. It never returns nil:
// whatever goes wrong is a call that failed, also where there is no such tool.
func (r *Registry) Call(ctx context.Context, request Request) *Call {
	c, err := r.Match(request)
	if err != nil {
		c = newCall(Tool{}, err, &r.limits, request)
	}
	c.Invoke(ctx)
	return c
}

func unknown(name string, tools map[string]Tool) error {
	return &UnknownToolError{Name: name, Nearest: nearest(name, slices.Sorted(maps.Keys(tools)))}
}
