// Package offer offers the tools of a registry to the clients of an MCP server, and runs their
// calls. Create Offers with [New], and call [Offers.Refresh] or [Offers.WatchRegistry].
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
	"github.com/aiongen/aiongen/runtime/tool"
)

// Offers are the tools of a registry that the clients of a server see: those that can be called
// without a [tool.Scope]. Tools that are links are also offered as resources. Offers is safe for
// concurrent use.
type Offers struct {
	Settings

	mu            sync.Mutex
	lastChange    <-chan struct{}            // the registry's Changed channel when offered was built
	offered       map[string]*offeredTool    // by name in the registry
	registryNames map[string]string          // names in the registry, by the names that clients use
	links         map[string]tool.Definition // definitions of the tools that are links, by URL
	removedAll    bool                       // RemoveAll was called
}

// Settings configure Offers.
type Settings struct {
	Registry  *tool.Registry
	Server    *sdk.Server  // its clients see the tools
	Log       *slog.Logger // receives panics of tools, and tools that cannot be offered
	Key       peer.Key     // signs the state that clients keep between two requests
	MaxResult int          // bytes of a result as JSON
}

// New returns Offers that offer nothing yet; see [Offers.Refresh].
func New(s Settings) *Offers { return &Offers{Settings: s} }

// Refresh offers the current tools of the registry. The channel is closed when the registry
// changes. The error lists the tools that cannot be offered; the others are offered.
func (o *Offers) Refresh() (changed <-chan struct{}, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	changed = o.Registry.Changed()
	if changed == o.lastChange || o.removedAll {
		return changed, nil
	}
	o.lastChange = changed
	before := o.offered
	o.offered = map[string]*offeredTool{}
	names := map[string]string{} // names in the registry, by the names that clients use
	var failed []error
	for _, d := range o.Registry.Available(nil) {
		offered := before[d.Name]
		if offered == nil || names[offered.Name] != "" || !reflect.DeepEqual(offered.definition, d) {
			if offered, err = o.offerTool(d, names); err != nil {
				failed = append(failed, fmt.Errorf("mcp: %w", err))
				continue
			}
		}
		o.offered[d.Name], names[offered.Name] = offered, d.Name
	}
	for _, offered := range before {
		if _, ok := names[offered.Name]; !ok {
			o.Server.RemoveTools(offered.Name)
		}
	}
	o.updateLinks()
	o.registryNames = names
	return changed, errors.Join(failed...)
}

// FindDirect returns a function that calls the tool that clients currently know by this name. It
// returns nil if there is none, or if the tool needs arguments in HTTP headers.
func (o *Offers) FindDirect(name string) func(context.Context, *peer.Request) (*sdk.CallToolResult, error) {
	o.RefreshAndLog()
	o.mu.Lock()
	defer o.mu.Unlock()
	offered := o.offered[o.registryNames[name]]
	if offered == nil || bytes.Contains(offered.Input, []byte("x-mcp-header")) {
		return nil
	}
	return func(ctx context.Context, from *peer.Request) (*sdk.CallToolResult, error) {
		return o.callTool(ctx, offered, from)
	}
}

// RefreshAndLog is Refresh for callers that cannot handle the error, which it logs.
func (o *Offers) RefreshAndLog() (changed <-chan struct{}) {
	changed, err := o.Refresh()
	if err != nil {
		o.Log.Error("mcp: some tools cannot be offered", "error", err)
	}
	return changed
}

// RemoveAll removes all tools from the server. Later calls of Refresh add none.
func (o *Offers) RemoveAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.removedAll = true
	for _, offered := range o.offered {
		o.Server.RemoveTools(offered.Name)
	}
	o.offered = nil
	o.updateLinks()
}

// WatchRegistry calls RefreshAndLog after each change of the registry, until ctx is done, so
// that clients are notified.
func (o *Offers) WatchRegistry(ctx context.Context) {
	for {
		select {
		case <-o.RefreshAndLog():
		case <-ctx.Done():
			return
		}
	}
}
