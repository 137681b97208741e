package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

// AddTo adds the tools of a registry to a server of the SDK, for programs that need features
// of the SDK that [Server] does not have. The tools behave as if a [Server]
// offered them. They follow changes of the registry until ctx is done, and are then removed. If the server
// already has a tool with the same name, AddTo replaces that tool and never restores it.
//
// Only the options [Logger], [MaxResult], [StateKey], [Observe] and [Name] have an effect; Name
// only affects how states are signed (see [StateKey]). AddTo returns the same errors as [New]. If
// it returns an error, it has not added any tools.
func AddTo(ctx context.Context, s *sdk.Server, r *tool.Registry, options ...Option) error {
	settings, err := newSettings(options)
	if err != nil {
		return err
	}
	tools := settings.newOffers(s, r)
	if _, err := tools.refresh(); err != nil {
		tools.removeAll()
		return err
	}
	s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			capVersion(r)
			tools.refreshAndLog() // so that the answer reflects the registry
			result, err := next(ctx, method, r)
			return result, repairErrorData(err)
		}
	})
	if settings.observe != nil {
		s.AddReceivingMiddleware(settings.observeHandler)
	}
	go func() {
		tools.watchRegistry(ctx)
		tools.removeAll()
	}()
	return nil
}
