// Package offer shows the tools of a registry to the clients of an MCP server, and
// runs them.
//
// Its layers, from top to bottom:
//
//	offers  all tools, as they change
//	link    those that are links, as resources
//	offer   one of them
//	result  what a call of it came to
package offer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/mcp/internal/sealed"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Offers are the tools of a registry that the clients of a server see: those that can
// be called without a [tool.Scope]. It is safe for concurrent use.
type Offers struct {
	registry *tool.Registry
	server   *sdk.Server
	log      *slog.Logger
	key      sealed.Key

	mu      sync.Mutex                 // held while what is offered changes
	seen    <-chan struct{}            // of the registry when offered was made
	offered map[string]*offer          // by the names of the registry
	names   map[string]string          // those of the registry by those that clients know
	links   map[string]tool.Definition // of those that are links, by these
	ended   bool                       // nothing is offered any more
}

// New returns what offers the tools of a registry to the clients of a server. Nothing
// is offered before [Offers.Refresh]. The log takes what nobody else can be told; by the
// key the server knows what it had clients carry between two requests.
func New(r *tool.Registry, s *sdk.Server, log *slog.Logger, key sealed.Key) *Offers {
	return &Offers{registry: r, server: s, log: log, key: key}
}

// Refresh offers what the registry holds now. The channel is closed when that is
// so no more; the error is about tools that cannot be offered.
func (o *Offers) Refresh() (changed <-chan struct{}, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	changed = o.registry.Changed()
	if changed == o.seen || o.ended {
		return changed, nil
	}
	o.seen = changed
	before := o.offered
	o.offered = map[string]*offer{}
	names := map[string]string{} // those of the registry by those that clients know
	var failed []error
	for _, d := range o.registry.Available(nil) {
		one := before[d.Name]
		if one == nil || names[one.Name] != "" || !reflect.DeepEqual(one.definition, d) {
			if one, err = o.offer(d, names); err != nil {
				failed = append(failed, fmt.Errorf("mcp: %w", err))
				continue
			}
		}
		o.offered[d.Name], names[one.Name] = one, d.Name
	}
	for _, one := range before {
		if _, still := names[one.Name]; !still {
			o.server.RemoveTools(one.Name)
		}
	}
	o.relink()
	o.names = names
	return changed, errors.Join(failed...)
}

// Direct returns what calls the tool that clients know by a name now; nil, if there is
// none that is called by a message alone, without headers that repeat arguments.
func (o *Offers) Direct(name string) func(context.Context, *peer.Request) (*sdk.CallToolResult, error) {
	o.Follow()
	o.mu.Lock()
	defer o.mu.Unlock()
	one := o.offered[o.names[name]]
	if one == nil || bytes.Contains(one.Input, []byte("x-mcp-header")) {
		return nil
	}
	return func(ctx context.Context, from *peer.Request) (*sdk.CallToolResult, error) {
		return o.call(ctx, one, from)
	}
}

// Follow is Refresh for when there is nobody to take the error.
func (o *Offers) Follow() (changed <-chan struct{}) {
	changed, err := o.Refresh()
	if err != nil {
		o.log.Error("mcp: tools are left out", "error", err)
	}
	return changed
}

// Withdraw takes all tools back, for good.
func (o *Offers) Withdraw() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	for _, one := range o.offered {
		o.server.RemoveTools(one.Name)
	}
	o.offered = nil
	o.relink()
}

// Watch tells clients of changes until ctx is done.
func (o *Offers) Watch(ctx context.Context) {
	for {
		select {
		case <-o.Follow():
		case <-ctx.Done():
			return
		}
	}
}
