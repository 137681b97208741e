package mcp

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

// toolOffers offers the tools of a registry to the clients of a server, except tools that can only be
// called with a [tool.Scope]. It also offers tools that are links as resources. toolOffers is safe for
// concurrent use.
type toolOffers struct {
	registry  *tool.Registry
	server    *sdk.Server  // its clients see the tools
	log       *slog.Logger // receives panics of tools, and tools that cannot be offered
	key       peer.Key     // signs the state that clients keep between two requests
	maxResult int          // bytes of a result as JSON

	mu            sync.Mutex
	lastChange    <-chan struct{}            // the registry's Changed channel when offered was built
	offered       map[string]*offeredTool    // by name in the registry
	registryNames map[string]string          // names in the registry, by the names that clients use
	links         map[string]tool.Definition // definitions of the tools that are links, by URL
	removedAll    bool                       // removeAll was called
}

// newOffers returns toolOffers for a registry. Call refresh to offer the tools.
func (s *settings) newOffers(server *sdk.Server, r *tool.Registry) *toolOffers {
	return &toolOffers{registry: r, server: server, log: s.log, key: peer.NewKey(s.stateKey.Reveal(), s.name), maxResult: s.maxResult}
}

// refresh offers the current tools of the registry. It returns a channel that is closed when the
// registry changes. If some tools cannot be offered, it offers the others and returns an error that
// lists them.
func (o *toolOffers) refresh() (changed <-chan struct{}, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	changed = o.registry.Changed()
	if changed == o.lastChange || o.removedAll {
		return changed, nil
	}
	o.lastChange = changed
	before := o.offered
	o.offered = map[string]*offeredTool{}
	names := map[string]string{} // names in the registry, by the names that clients use
	var errs []error
	for _, d := range o.registry.Available(nil) {
		offered := before[d.Name]
		if offered == nil || names[offered.Name] != "" || !reflect.DeepEqual(offered.definition, d) {
			if offered, err = o.offerTool(d, names); err != nil {
				errs = append(errs, fmt.Errorf("mcp: %w", err))
				continue
			}
		}
		o.offered[d.Name], names[offered.Name] = offered, d.Name
	}
	for _, offered := range before {
		if _, ok := names[offered.Name]; !ok {
			o.server.RemoveTools(offered.Name)
		}
	}
	o.updateLinks()
	o.registryNames = names
	return changed, errors.Join(errs...)
}

// findDirect returns a function that calls the tool that clients know by this name. It returns nil
// if there is no such tool, or if the tool takes arguments from HTTP headers, which only the SDK
// handles.
func (o *toolOffers) findDirect(name string) func(context.Context, *peer.Request) (*sdk.CallToolResult, error) {
	o.refreshAndLog()
	o.mu.Lock()
	defer o.mu.Unlock()
	offered := o.offered[o.registryNames[name]]
	if offered == nil || bytes.Contains(offered.Input, []byte("x-mcp-header")) {
		return nil
	}
	return func(ctx context.Context, request *peer.Request) (*sdk.CallToolResult, error) {
		return o.callTool(ctx, offered, request)
	}
}

// refreshAndLog is refresh for callers that cannot return an error. It logs the error.
func (o *toolOffers) refreshAndLog() (changed <-chan struct{}) {
	changed, err := o.refresh()
	if err != nil {
		o.log.Error("mcp: some tools cannot be offered", "error", err)
	}
	return changed
}

// removeAll removes all tools from the server. Later calls of refresh add none.
func (o *toolOffers) removeAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.removedAll = true
	for _, offered := range o.offered {
		o.server.RemoveTools(offered.Name)
	}
	o.offered = nil
	o.updateLinks()
}

// watchRegistry calls refreshAndLog after each change of the registry, until ctx is done, so
// that clients are notified.
func (o *toolOffers) watchRegistry(ctx context.Context) {
	for {
		select {
		case <-o.refreshAndLog():
		case <-ctx.Done():
			return
		}
	}
}
