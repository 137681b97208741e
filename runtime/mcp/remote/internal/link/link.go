// Package link stands between a connection to an MCP server and the session of the SDK. It makes
// requests of its own, whose results it returns as they came, and sanitizes everything else
// that the server sends.
package link

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/transport"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Link is a connection to a server. The session of the SDK uses it as its connection.
type Link struct {
	Session *sdk.ClientSession // set once it has begun
	Opened  time.Time

	config Config
	notes  *rate.Limiter // of notifications for the session
	conn   sdk.Connection
	forSDK chan jsonrpc.Message

	mu        sync.Mutex
	last      int64 // number of the last request
	pending   map[jsonrpc.ID]*pending
	cancelled []jsonrpc.ID // of the last requests that nobody waits for any more
	strays    int          // answers that no request could be found for
	strayed   int64        // number of the last request when the last of them came
	why       error        // what is wrong with the last of them
	asked     int          // requests of the server that are not answered
	meta      sdk.Meta
	cause     error // why the link ended
	served    bool  // a request of the link has got a result
	draining  bool  // there are no new requests

	stale chan struct{} // closed when the link cannot be used for new requests
	ended chan struct{} // closed when nothing more comes
	lost  sync.Once
	calls sync.WaitGroup // requests of the link that wait
}

// pending is a request that has no answer yet.
type pending struct {
	id     jsonrpc.ID
	number int64
	method string
	answer chan *jsonrpc.Response // nil if the SDK made the request
}

// firstID is the first ID of the requests of a link. The SDK counts its own from 1.
const firstID = 1 << 30

// Config is what a link needs to know of its user.
type Config struct {
	Log *slog.Logger
	// Headers returns additional HTTP headers of a request.
	Headers func(*jsonrpc.Request) map[string]string
	// Progress takes the parameters of a progress notification, and reports whether they
	// are about a request of the link.
	Progress func(json.RawMessage) bool
}

// Open connects to a server. A session has still to be begun over the link.
func Open(ctx context.Context, t sdk.Transport, c Config) (*Link, error) {
	l := &Link{
		config: c, notes: rate.NewLimiter(notesPerSecond, notesPerSecond), Opened: time.Now(), forSDK: make(chan jsonrpc.Message),
		pending: map[jsonrpc.ID]*pending{}, stale: make(chan struct{}), ended: make(chan struct{}),
	}
	conn, err := transport.Open(ctx, t, transport.Config{Log: c.Log, Limit: l.messageLimit, Headers: c.Headers, Lost: l.loseSession})
	if err != nil {
		return nil, err
	}
	l.conn = conn
	go l.readAll()
	return l, nil
}

// Connect returns the link, which is a transport of the SDK, too.
func (l *Link) Connect(context.Context) (sdk.Connection, error) { return l, nil }

// Stale returns a channel that is closed when the link cannot be used for new requests.
func (l *Link) Stale() <-chan struct{} { return l.stale }

// loseSession reports that the link cannot be used for new requests.
func (l *Link) loseSession() { l.lost.Do(func() { close(l.stale) }) }

// messageLimit returns the limit of the next message on a connection that mixes the answers to all
// requests.
func (l *Link) messageLimit() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	limit := transport.LargestOther
	for _, p := range l.pending {
		limit = max(limit, transport.Limit(p.method))
	}
	return limit
}

// readAll reads until the connection ends. Requests that wait then have an unknown outcome.
func (l *Link) readAll() {
	for {
		m, err := l.conn.Read(context.Background())
		if err != nil {
			l.endAll(err)
			return
		}
		switch m := m.(type) {
		case *jsonrpc.Response:
			l.takeAnswer(m)
		case *jsonrpc.Request:
			l.acceptRequest(m)
		}
	}
}

// endAll ends all requests that wait.
func (l *Link) endAll(cause error) {
	l.mu.Lock()
	l.cause = cause
	waiting := l.pending
	l.pending = nil
	l.mu.Unlock()
	for _, p := range waiting {
		if p.answer != nil {
			p.answer <- &jsonrpc.Response{Error: &tool.UnknownOutcomeError{Err: errors.New("the connection ended before the answer came")}}
		}
	}
	l.loseSession()
	close(l.ended)
}

// toSDK hands a message to the session.
func (l *Link) toSDK(m jsonrpc.Message) {
	select {
	case l.forSDK <- m:
	case <-l.ended:
	}
}

// takeAnswer gives an answer to the request that waits for it.
func (l *Link) takeAnswer(r *jsonrpc.Response) {
	l.mu.Lock()
	p := l.pending[r.ID]
	switch {
	case p != nil:
		delete(l.pending, r.ID)
		l.served = l.served || p.answer != nil && r.Error == nil
	case slices.Contains(l.cancelled, r.ID):
		l.mu.Unlock()
		return
	default:
		l.strays, l.strayed, l.why = l.strays+1, l.last, errWrongID
		if unread, ok := r.Error.(*transport.UnreadableError); ok {
			l.why = unread
		}
		l.config.Log.Warn("mcp: an answer of a server belongs to no request", "error", l.why)
	}
	failed, why := l.settleStrays(), l.why
	l.mu.Unlock()
	if p != nil {
		l.giveAnswer(p, r)
	}
	for _, p := range failed {
		l.giveAnswer(p, &jsonrpc.Response{ID: p.id, Error: &tool.UnknownOutcomeError{Err: why}})
	}
}

// errWrongID is why a request fails whose answer says that it is one to another request.
var errWrongID = &transport.UnreadableError{Why: "it does not have the ID of the request"}

// settleStrays returns the requests that were answered in a way that cannot be read: when there
// were as many such answers as requests still wait that were made before them.
func (l *Link) settleStrays() (failed []*pending) {
	if l.strays == 0 {
		return nil
	}
	for _, p := range l.pending {
		if p.number <= l.strayed && p.method != "subscriptions/listen" {
			failed = append(failed, p)
		}
	}
	if len(failed) > l.strays {
		return nil
	}
	l.strays = 0
	for _, p := range failed {
		delete(l.pending, p.id)
	}
	return failed
}

// giveAnswer gives an answer to whoever made a request.
func (l *Link) giveAnswer(p *pending, r *jsonrpc.Response) {
	if failure, ok := r.Error.(*jsonrpc.Error); ok {
		clean := *failure
		clean.Message = sanitize.Text(clean.Message)
		if len(clean.Data) > 0 {
			clean.Data = sanitize.JSON(clean.Data)
		}
		r.Error = &clean
	}
	if p.answer != nil {
		p.answer <- r
		return
	}
	switch p.method {
	case "initialize", "server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		if len(r.Result) > 0 {
			r.Result = sanitize.JSON(r.Result)
		}
	}
	l.toSDK(r)
}

// mostAskedAtOnce limits the requests of a server that are not answered yet. What is beyond
// it is not answered at all.
const mostAskedAtOnce = 2000

// notesPerSecond limits the notifications that the session gets, which queues them without a
// limit. Others are dropped. Those about the tools only say that there is something to list.
const notesPerSecond = 100

// acceptRequest takes a request or a notification of the server.
func (l *Link) acceptRequest(r *jsonrpc.Request) {
	if r.Method == "notifications/progress" && l.config.Progress(r.Params) {
		return
	}
	if !r.IsCall() && r.Method != "notifications/tools/list_changed" && !l.notes.Allow() {
		return
	}
	if r.IsCall() {
		l.mu.Lock()
		tooMany := l.asked == mostAskedAtOnce
		if !tooMany {
			l.asked++
		}
		l.mu.Unlock()
		if tooMany {
			return
		}
	}
	if len(r.Params) > 0 {
		r.Params = sanitize.Params(r.Method, r.Params)
	}
	l.toSDK(r)
}

// beginRequest begins a request.
func (l *Link) beginRequest(method string) (*pending, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending == nil {
		return nil, &transport.NotSentError{Err: l.cause}
	}
	if l.draining {
		return nil, transport.ErrSessionLost
	}
	l.last++
	id, err := jsonrpc.MakeID(float64(firstID + l.last))
	if err != nil {
		return nil, err
	}
	p := &pending{id: id, number: l.last, method: method, answer: make(chan *jsonrpc.Response, 1)}
	l.pending[id] = p
	l.calls.Add(1)
	return p, nil
}

// mostCancelled limits the canceled requests whose answers are expected to come too late.
const mostCancelled = 100

// forgetRequest ends a request that gets no answer any more.
func (l *Link) forgetRequest(id jsonrpc.ID, cancelled bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending[id] == nil {
		return
	}
	delete(l.pending, id)
	if !cancelled {
		return
	}
	if l.cancelled = append(l.cancelled, id); len(l.cancelled) > mostCancelled {
		l.cancelled = l.cancelled[1:]
	}
}

// Request makes a request, and returns its result as it came. The error says whether the request
// can have run, as those of package transport do.
func (l *Link) Request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	text, err := json.Marshal(params)
	if err != nil {
		return nil, &transport.NotSentError{Err: err}
	}
	p, err := l.beginRequest(method)
	if err != nil {
		return nil, err
	}
	defer l.calls.Done()
	if err := l.conn.Write(ctx, &jsonrpc.Request{ID: p.id, Method: method, Params: text}); err != nil {
		l.forgetRequest(p.id, ctx.Err() != nil)
		return nil, l.writeError(ctx, err)
	}
	select {
	case r := <-p.answer:
		return r.Result, r.Error
	case <-ctx.Done():
		l.forgetRequest(p.id, true)
		go l.sendCancel(p.id, ctx.Err())
		return nil, ctx.Err()
	}
}

// writeError returns the error of a request that could not be written. A connection of the
// SDK does not say whether a request was sent; its errors come before that.
func (l *Link) writeError(ctx context.Context, err error) error {
	switch err.(type) {
	case *transport.NotSentError, *transport.RefusedError, *tool.UnknownOutcomeError, *jsonrpc.Error:
		return err
	}
	if err == transport.ErrSessionLost || ctx.Err() != nil {
		return err
	}
	return &transport.NotSentError{Err: err}
}

// sendCancel tells the server that nobody waits for an answer any more.
func (l *Link) sendCancel(id jsonrpc.ID, why error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	params := sanitize.Encode(sdk.CancelledParams{RequestID: id.Raw(), Reason: why.Error()})
	_ = l.conn.Write(ctx, &jsonrpc.Request{Method: "notifications/cancelled", Params: params}) // best effort
}

// SessionID returns the ID of the session, for the SDK.
func (l *Link) SessionID() string { return l.conn.SessionID() }

// Read returns the next message for the session.
func (l *Link) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-l.forSDK:
		return m, nil
	case <-l.ended:
		return nil, l.Reason()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Reason returns why the link ended; nil if only its session was lost.
func (l *Link) Reason() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cause
}

// Write sends a message of the session. The SDK would end the connection if it failed, so a
// request that cannot be sent is answered with the error, and others are lost.
func (l *Link) Write(ctx context.Context, m jsonrpc.Message) error {
	r, _ := m.(*jsonrpc.Request)
	switch {
	case r == nil:
		defer l.countAnswer()
	case r.IsCall():
		l.expectAnswer(r)
	case r.Method == "notifications/cancelled":
		l.abandonRequest(r)
	}
	err := l.conn.Write(ctx, m)
	switch {
	case err == nil:
	case r != nil && r.IsCall():
		l.forgetRequest(r.ID, false)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		l.toSDK(&jsonrpc.Response{ID: r.ID, Error: l.writeError(ctx, err)})
	default:
		l.config.Log.Debug("mcp: a message to a server was lost", "error", err)
	}
	return nil
}

// countAnswer notes that a request of the server has been answered.
func (l *Link) countAnswer() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked--
}

// expectAnswer notes a request of the session.
func (l *Link) expectAnswer(r *jsonrpc.Request) {
	if r.Method == "server/discover" {
		var params sdk.DiscoverParams
		if json.Unmarshal(r.Params, &params) == nil {
			l.meta = params.Meta // before the session exists, so nobody reads it yet
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending != nil {
		l.last++
		l.pending[r.ID] = &pending{id: r.ID, number: l.last, method: r.Method}
	}
}

// abandonRequest notes that the session no longer waits for an answer.
func (l *Link) abandonRequest(r *jsonrpc.Request) {
	var params sdk.CancelledParams
	if json.Unmarshal(r.Params, &params) != nil {
		return
	}
	if id, err := jsonrpc.MakeID(params.RequestID); err == nil {
		l.forgetRequest(id, true)
	}
}

// Close ends the connection.
func (l *Link) Close() error { return l.conn.Close() }

// isStateless reports whether every request has to say who makes it.
func (l *Link) isStateless() bool {
	return l.Session.InitializeResult().ProtocolVersion >= "2026-07-28"
}

// HasServed reports whether a request of the link has got a result.
func (l *Link) HasServed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.served
}

// WithMeta adds to the _meta of a request what every request needs.
func (l *Link) WithMeta(meta sdk.Meta) sdk.Meta {
	if !l.isStateless() {
		return meta
	}
	for _, name := range []string{sdk.MetaKeyClientInfo, sdk.MetaKeyClientCapabilities} {
		if value, ok := l.meta[name]; ok {
			meta[name] = value
		}
	}
	meta[sdk.MetaKeyProtocolVersion] = l.Session.InitializeResult().ProtocolVersion
	return meta
}

// Drain closes the link once its requests are over, or when ctx is done.
func (l *Link) Drain(ctx context.Context) error {
	l.mu.Lock()
	l.draining = true
	l.mu.Unlock()
	idle := make(chan struct{})
	go func() {
		l.calls.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-ctx.Done():
	}
	err := l.conn.Close() // first, for the session would wait for answers
	<-l.ended
	_ = l.Session.Close() // it has no connection any more
	return err
}
