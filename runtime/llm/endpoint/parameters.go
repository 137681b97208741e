package endpoint

import (
	"maps"
	"sync"
)

// Parameters is a set of the optional parameters that requests omit, by name. The value is true if later
// requests must omit the parameter, too, and false if only the current one must.
type Parameters map[string]bool

// Has reports whether the set contains the parameter.
func (p Parameters) Has(name string) bool { _, ok := p[name]; return ok }

// RefusedParameters stores the parameters that an endpoint does not support. It is safe for concurrent
// use.
type RefusedParameters struct {
	mu    sync.Mutex
	names Parameters
}

// Load returns a copy of the parameters.
func (r *RefusedParameters) Load() Parameters {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := Parameters{}
	maps.Copy(all, r.names)
	return all
}

// Store adds the parameters that a successful request omitted, except those with the value false.
func (r *RefusedParameters) Store(omitted Parameters) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, unsupported := range omitted {
		if unsupported {
			if r.names == nil {
				r.names = Parameters{}
			}
			r.names[name] = true
		}
	}
}
