package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/offer"
	"github.com/aiongen/aiongen/runtime/mcp/internal/sealed"
	"github.com/aiongen/aiongen/runtime/tool"
)

// AddTo puts the tools of a registry into a server of the SDK, beside what it has
// already, as [New] offers them: for programs that want of the SDK what is not here.
// They follow the registry until ctx is done, when they are taken out. A tool of the
// same name that the server had is replaced, and gone then, too.
//
// Of the options, those count that are not about the server itself: [Logger], [StateKey],
// and [Name], by which the key is told from that of others. The error is that of New; then nothing is added.
func AddTo(ctx context.Context, s *sdk.Server, r *tool.Registry, options ...Option) error {
	settings, err := settle(options)
	if err != nil {
		return err
	}
	tools := offer.New(r, s, settings.log, sealed.NewKey(settings.stateKey.Reveal(), settings.name))
	if _, err := tools.Refresh(); err != nil {
		tools.Withdraw()
		return err
	}
	s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			capVersion(r)
			tools.Follow() // so that the answer is of what the registry holds now
			return next(ctx, method, r)
		}
	})
	go func() {
		tools.Watch(ctx)
		tools.Withdraw()
	}()
	return nil
}
