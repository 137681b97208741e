package endpoint

import (
	"maps"
	"sync"
)

// Parameters is a set of optional parameters that requests leave out. The value is false if later
// requests may have the parameter.
type Parameters map[string]bool

// Has reports whether requests leave out the parameter.
func (p Parameters) Has(name string) bool { _, ok := p[name]; return ok }

// RefusedParameters are the parameters that an endpoint does not support. It is safe for concurrent
// use.
type RefusedParameters struct {
	mu    sync.Mutex
	names Parameters
}

// Load returns the parameters.
func (r *RefusedParameters) Load() Parameters {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.names)
}

// Store adds the parameters that had to be left out for a request to succeed, except those that later
// requests may have.
func (r *RefusedParameters) Store(without Parameters) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, always := range without {
		if always {
			if r.names == nil {
				r.names = Parameters{}
			}
			r.names[name] = true
		}
	}
}
