// Package lsp implements a language server for .aion files.
//
// Serve speaks the Language Server Protocol 3.18 over a pair of streams, until the client ends the
// session. The command is go tool aiongen lsp.
package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"

	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// Config configures a server. The zero value is ready for use.
type Config struct {
	Version string       // of the server, as clients show it
	Log     *slog.Logger // receives internal errors; nil discards them
}

// ErrNoShutdown reports that the client ended the session without a shutdown request.
var ErrNoShutdown = errors.New("lsp: the client did not send a shutdown request")

// Serve serves one client, which sends messages to in and receives them from out. It returns nil
// if the client has sent shutdown and exit. If ctx is done, Serve returns after the next message.
//
// Every request is answered. A panic in one request is logged and does not end the session.
func Serve(ctx context.Context, cfg Config, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	s := newServer(ctx, cfg, out)
	defer s.running.Wait()
	defer cancel()
	reader := protocol.NewReader(in)
	for ctx.Err() == nil {
		m, err := reader.Read()
		if invalid, ok := errors.AsType[*protocol.Error](err); ok {
			if err := s.out.Respond(nil, nil, invalid); err != nil {
				return err
			}
			continue
		}
		if errors.Is(err, io.EOF) {
			return s.exitError()
		}
		if err != nil {
			return err
		}
		if m.Method == "exit" {
			return s.exitError()
		}
		s.receive(ctx, m)
	}
	return ctx.Err()
}

// exitError returns the error that Serve returns at the end of the input or after an exit notification:
// ErrNoShutdown, or nil if the client has requested shutdown.
func (s *server) exitError() error {
	if s.phase != shutDown {
		return ErrNoShutdown
	}
	return nil
}

// receive handles a message. Notifications are handled before it returns, so that they take effect
// in their order; requests are handled concurrently.
func (s *server) receive(ctx context.Context, m *protocol.Message) {
	if !m.IsRequest() {
		if h, ok := notifications[m.Method]; ok && s.phase == serving {
			_ = s.protect(m.Method, func() error { return h(s, m.Params) })
		}
		return
	}
	if h, ok := lifecycle[m.Method]; ok { // not concurrent, because the handler changes the phase
		s.respond(m, func() (any, error) { return h(s, m.Params) })
		return
	}
	h, ok := requests[m.Method]
	var refusal error
	switch {
	case s.phase == shutDown:
		refusal = protocol.Errorf(protocol.InvalidRequest, "%s after shutdown", m.Method)
	case s.phase != serving:
		refusal = protocol.Errorf(protocol.ServerNotInitialized, "%s before initialize", m.Method)
	case !ok:
		refusal = protocol.Errorf(protocol.MethodNotFound, "the server has no method %q", m.Method)
	default:
		s.start(ctx, m, h)
		return
	}
	s.respond(m, func() (any, error) { return nil, refusal })
}

// maxRequests limits the requests that are handled at the same time. At the limit, the server does
// not read the next message before a request has been answered.
const maxRequests = 64

// start begins to handle a request in a goroutine. A request that is canceled is answered with an error.
func (s *server) start(ctx context.Context, m *protocol.Message, h requestHandler) {
	s.slots <- struct{}{}
	ctx, cancel := context.WithCancel(ctx)
	key := string(m.ID)
	s.mu.Lock()
	s.cancels[key] = cancel
	s.mu.Unlock()
	s.running.Go(func() {
		defer func() {
			s.mu.Lock()
			delete(s.cancels, key)
			s.mu.Unlock()
			cancel()
			<-s.slots
		}()
		s.respond(m, func() (any, error) {
			result, err := h(ctx, s, m.Params)
			if ctx.Err() != nil {
				return nil, protocol.Errorf(protocol.RequestCancelled, "%s was canceled", m.Method)
			}
			return result, err
		})
	})
}

// respond answers a request with what handle returns.
func (s *server) respond(m *protocol.Message, handle func() (any, error)) {
	var result any
	err := s.protect(m.Method, func() (err error) {
		result, err = handle()
		return err
	})
	if err := s.out.Respond(m.ID, result, err); err != nil {
		s.log.Error("lsp: cannot answer", "method", m.Method, "error", err)
	}
}

// A requestHandler answers a request.
type requestHandler func(ctx context.Context, s *server, params json.RawMessage) (any, error)

// request converts a method of the server to a requestHandler.
func request[P, R any](f func(*server, context.Context, P) (R, error)) requestHandler {
	return func(ctx context.Context, s *server, params json.RawMessage) (any, error) {
		p, err := parseParams[P](params)
		if err != nil {
			return nil, err
		}
		return f(s, ctx, p)
	}
}

// onText converts a method of a document to a requestHandler for .aion files. The method needs only the text.
func onText[P interface{ URI() protocol.URI }, R any](f func(*document, P) R) requestHandler {
	return request(func(s *server, _ context.Context, p P) (result R, err error) {
		if d := s.anyDocument(p.URI()); d != nil && d.isAion {
			result = f(d, p)
		}
		return result, nil
	})
}

// onFile converts a method of a view to a requestHandler. The method can use the results of the last compilation.
func onFile[P interface{ URI() protocol.URI }, R any](f func(*view, P) (R, error)) requestHandler {
	return request(func(s *server, ctx context.Context, p P) (result R, err error) {
		failure := s.view(ctx, p.URI(), func(v *view) { result, err = f(v, p) })
		return result, cmp.Or(failure, err)
	})
}

// onAion is like onFile, but the requestHandler returns nothing for files other than .aion files.
func onAion[P interface{ URI() protocol.URI }, R any](f func(*view, P) (R, error)) requestHandler {
	return onFile(func(v *view, p P) (result R, err error) {
		if !v.isAion {
			return result, nil
		}
		return f(v, p)
	})
}

// A notificationHandler handles a notification. The server reads the next message
// after the handler has returned.
type notificationHandler func(s *server, params json.RawMessage) error

func notification[P any](f func(*server, P)) notificationHandler {
	return func(s *server, params json.RawMessage) error {
		p, err := parseParams[P](params)
		if err == nil {
			f(s, p)
		}
		return err
	}
}

func parseParams[P any](text json.RawMessage) (p P, err error) {
	if len(text) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return p, protocol.Errorf(protocol.InvalidParams, "invalid parameters: %v", err)
	}
	return p, nil
}

// lifecycle has the requests that begin and end the session.
var lifecycle = map[string]func(*server, json.RawMessage) (any, error){
	"initialize": func(s *server, text json.RawMessage) (any, error) {
		p, err := parseParams[protocol.InitializeParams](text)
		if err != nil {
			return nil, err
		}
		return s.initialize(p)
	},
	"shutdown": func(s *server, _ json.RawMessage) (any, error) { return nil, s.shutdown() },
}

var notifications = map[string]notificationHandler{
	"initialized":                         notification((*server).initialized),
	"$/cancelRequest":                     notification((*server).cancelRequest),
	"textDocument/didOpen":                notification((*server).didOpen),
	"textDocument/didChange":              notification((*server).didChange),
	"textDocument/didClose":               notification((*server).didClose),
	"textDocument/didSave":                notification((*server).didChangeFiles),
	"workspace/didChangeWatchedFiles":     notification((*server).didChangeFiles),
	"workspace/didChangeWorkspaceFolders": notification((*server).didChangeFolders),
}

var requests = map[string]requestHandler{
	"textDocument/codeAction":          onFile((*view).codeActions),
	"textDocument/codeLens":            request((*server).codeLenses),
	"textDocument/completion":          onAion((*view).complete),
	"textDocument/definition":          onAion((*view).definition),
	"textDocument/documentHighlight":   request((*server).documentHighlights),
	"textDocument/documentSymbol":      onText((*document).documentSymbols),
	"textDocument/foldingRange":        onText((*document).foldingRanges),
	"textDocument/formatting":          onText((*document).formatDocument),
	"textDocument/hover":               request((*server).hover),
	"textDocument/inlayHint":           onAion((*view).inlayHints),
	"textDocument/prepareRename":       onAion((*view).prepareRename),
	"textDocument/rangeFormatting":     onText((*document).formatRange),
	"textDocument/references":          request((*server).references),
	"textDocument/rename":              onAion((*view).rename),
	"textDocument/selectionRange":      onText((*document).selectionRanges),
	"textDocument/semanticTokens/full": onText((*document).semanticTokens),
	"textDocument/signatureHelp":       onAion((*view).signatureHelp),
	"textDocument/typeDefinition":      onAion((*view).typeDefinition),
	"workspace/executeCommand":         request((*server).executeCommand),
	"workspace/symbol":                 request((*server).workspaceSymbols),
}
