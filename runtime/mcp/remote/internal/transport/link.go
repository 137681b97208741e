package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"github.com/aiongen/aiongen/runtime/internal/errtype"
	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Link sits between the connection of the transport and the session of the SDK. It sends tools/list and
// tools/call itself, because the caller needs their results unchanged. It passes all other messages of
// the server on to the session, after sanitizing them.
type Link struct {
	Session *sdk.ClientSession // set by the caller of OpenLink
	Opened  time.Time

	config LinkConfig
	notes  *rate.Limiter // limits the notifications to the session
	conn   sdk.Connection
	forSDK chan jsonrpc.Message // messages for the session

	mu         sync.Mutex
	last       int64 // number of the last request
	pending    map[jsonrpc.ID]*pending
	cancelled  []jsonrpc.ID // the last canceled requests, whose answers may still arrive
	strays     int          // number of stray answers, whose IDs match no pending request
	strayed    int64        // number of the last request sent before the last stray answer arrived
	strayError error        // the error of the last stray answer
	unanswered serverRequests
	meta       sdk.Meta
	cause      error // reason why the link ended
	served     bool  // a request of the link has received a result
	draining   bool  // new requests are rejected

	stale chan struct{} // closed when the link cannot be used for new requests
	ended chan struct{} // closed when the connection has ended
	lost  sync.Once
	calls sync.WaitGroup // waiting requests of the link
}

// pending is an unanswered request.
type pending struct {
	id     jsonrpc.ID
	number int64
	method string
	answer chan *jsonrpc.Response // nil if the SDK made the request
}

// firstID makes the IDs of a link's own requests differ from those of the SDK, which counts from 1. The ID
// of a request is firstID plus its number.
const firstID = 1 << 30

// LinkConfig configures a Link.
type LinkConfig struct {
	Log *slog.Logger
	// Headers returns additional HTTP headers of a request.
	Headers func(*jsonrpc.Request) map[string]string
	// Progress handles the parameters of a progress notification, and reports whether they
	// belong to a request of the link.
	Progress func(json.RawMessage) bool
}

// OpenLink connects to a server. The caller must open a session over the link and set Session.
func OpenLink(ctx context.Context, t sdk.Transport, c LinkConfig) (*Link, error) {
	l := &Link{
		config: c, notes: rate.NewLimiter(maxNotesPerSecond, maxNotesPerSecond), Opened: time.Now(), forSDK: make(chan jsonrpc.Message),
		pending: map[jsonrpc.ID]*pending{}, unanswered: serverRequests{sizes: map[jsonrpc.ID]int{}}, stale: make(chan struct{}), ended: make(chan struct{}),
	}
	conn, err := openConnection(ctx, t, connectionConfig{Log: c.Log, Limit: l.messageLimit, Headers: c.Headers, Lost: l.loseSession})
	if err != nil {
		return nil, err
	}
	l.conn = conn
	go l.readAll()
	return l, nil
}

// Connect returns the link itself, so that it can be used as a transport of the SDK.
func (l *Link) Connect(context.Context) (sdk.Connection, error) { return l, nil }

// Stale returns a channel that is closed when the link cannot be used for new requests.
func (l *Link) Stale() <-chan struct{} { return l.stale }

// loseSession marks the link as stale.
func (l *Link) loseSession() { l.lost.Do(func() { close(l.stale) }) }

// messageLimit returns the size limit of the next line from the server. The line may answer any pending
// request, so the largest limit of their answers applies.
func (l *Link) messageLimit() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	limit := maxOtherBytes
	for _, p := range l.pending {
		limit = max(limit, answerLimit(p.method))
	}
	return limit
}

// readAll reads messages until the connection ends.
func (l *Link) readAll() {
	for {
		m, err := l.conn.Read(context.Background())
		if err != nil {
			l.failPending(err)
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

// failPending ends the link. All pending requests fail with an unknown outcome.
func (l *Link) failPending(cause error) {
	l.mu.Lock()
	l.cause = cause
	waiting := l.pending
	l.pending = nil
	l.mu.Unlock()
	for _, p := range waiting {
		if p.answer != nil {
			p.answer <- &jsonrpc.Response{Error: &tool.UnknownOutcomeError{Err: errors.New("the connection ended before the answer arrived")}}
		}
	}
	l.loseSession()
	close(l.ended)
}

// deliverToSDK passes a message on to the session.
func (l *Link) deliverToSDK(m jsonrpc.Message) {
	select {
	case l.forSDK <- m:
	case <-l.ended:
	}
}

// takeAnswer delivers an answer to its pending request. If there is no such request, it counts a stray
// answer; see settleStrays.
func (l *Link) takeAnswer(r *jsonrpc.Response) {
	l.mu.Lock()
	p := l.pending[r.ID]
	switch {
	case p != nil:
		delete(l.pending, r.ID)
		r = p.withoutDeepValues(r)
		l.served = l.served || p.answer != nil && r.Error == nil
	case slices.Contains(l.cancelled, r.ID):
		l.mu.Unlock()
		return
	default:
		l.strays, l.strayed, l.strayError = l.strays+1, l.last, errWrongID
		if unread, ok := errtype.As[*UnreadableError](r.Error); ok {
			l.strayError = unread
		}
		l.config.Log.Warn("mcp: an answer from a server belongs to no request", "error", l.strayError)
	}
	failed, strayErr := l.settleStrays(), l.strayError
	l.mu.Unlock()
	if p != nil {
		l.giveAnswer(p, r)
	}
	for _, p := range failed {
		l.giveAnswer(p, &jsonrpc.Response{ID: p.id, Error: &tool.UnknownOutcomeError{Err: strayErr}})
	}
}

// withoutDeepValues handles an answer in which deeply nested values were replaced by CutMark. It
// accepts a list of tools, because only the tools with such values are unusable. Any other answer
// becomes an error.
func (p *pending) withoutDeepValues(r *jsonrpc.Response) *jsonrpc.Response {
	unread, ok := errtype.As[*UnreadableError](r.Error)
	switch {
	case !ok:
		return r
	case p.method == "tools/list" && p.answer != nil:
		return &jsonrpc.Response{ID: r.ID, Result: r.Result}
	}
	return &jsonrpc.Response{ID: r.ID, Error: &tool.UnknownOutcomeError{Err: unread}}
}

// settleStrays assigns stray answers to pending requests. For example, if two answers had unknown IDs,
// and only two requests that were sent before them are still pending, these requests will get no other
// answer. settleStrays removes and returns such requests. It returns nil if there are more such requests
// than stray answers, because some of them may still be answered.
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

// giveAnswer delivers an answer to the caller of Request or to the session, after sanitizing it.
func (l *Link) giveAnswer(p *pending, r *jsonrpc.Response) {
	if failure, ok := errtype.As[*jsonrpc.Error](r.Error); ok {
		clean := *failure
		clean.Message = sanitize.Text(clean.Message)
		if len(clean.Data) > 0 {
			clean.Data = sanitize.JSON(clean.Data)
		}
		r.Error = &clean
	}
	if p.answer != nil {
		if failure, ok := errtype.As[*jsonrpc.Error](r.Error); ok && isInterruption(failure.Code) {
			r.Error = &tool.UnknownOutcomeError{Err: fmt.Errorf("the server answered with an error: %s", failure.Message)}
		}
		p.answer <- r
		return
	}
	switch p.method {
	case "initialize", "server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		if len(r.Result) > 0 {
			r.Result = sanitize.JSON(r.Result)
		}
	}
	l.deliverToSDK(r)
}

// Limits of the requests of a server that the program has not answered. Requests beyond the limits are
// dropped.
const (
	maxUnanswered      = 2000
	maxUnansweredBytes = 8 << 20
)

// serverRequests are the unanswered requests of a server.
type serverRequests struct {
	sizes map[jsonrpc.ID]int // bytes of their parameters
	bytes int
}

// add adds a request. It returns false if another request has the same ID or a limit is exceeded.
func (s *serverRequests) add(r *jsonrpc.Request) bool {
	size := len(r.Params)
	if _, ok := s.sizes[r.ID]; ok || len(s.sizes) == maxUnanswered || s.bytes+size > maxUnansweredBytes {
		return false
	}
	s.sizes[r.ID] = size
	s.bytes += size
	return true
}

// remove removes a request, if it was added.
func (s *serverRequests) remove(id jsonrpc.ID) {
	s.bytes -= s.sizes[id]
	delete(s.sizes, id)
}

// maxNotesPerSecond limits the notifications to the session, whose queue is unbounded. Excess
// notifications are dropped, except those about changed tools, which Follow delays anyway.
const maxNotesPerSecond = 100

// acceptRequest handles a request or a notification of the server.
func (l *Link) acceptRequest(r *jsonrpc.Request) {
	if r.Method == "notifications/progress" && l.config.Progress(r.Params) {
		return
	}
	if !r.IsCall() && r.Method != "notifications/tools/list_changed" && !l.notes.Allow() {
		return
	}
	if r.IsCall() {
		l.mu.Lock()
		added := l.unanswered.add(r)
		l.mu.Unlock()
		if !added {
			l.config.Log.Warn("mcp: dropped a request of a server that has too many unanswered ones", "method", logExcerpt([]byte(r.Method)))
			return
		}
	}
	if len(r.Params) > 0 {
		r.Params = sanitize.Params(r.Method, r.Params)
	}
	l.deliverToSDK(r)
}

// beginRequest adds a pending request of the link.
func (l *Link) beginRequest(method string) (*pending, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending == nil {
		return nil, &NotSentError{Err: l.cause}
	}
	if l.draining {
		return nil, ErrSessionLost
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

// maxCancelled limits the canceled requests that are remembered.
const maxCancelled = 100

// forgetRequest removes a pending request. If the request was canceled, a late answer to it is
// ignored.
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
	if l.cancelled = append(l.cancelled, id); len(l.cancelled) > maxCancelled {
		l.cancelled = l.cancelled[1:]
	}
}

// Request sets the ID of a request, sends the request with these parameters, and returns its result
// unchanged. The type of the error says whether the request may have run.
func (l *Link) Request(ctx context.Context, r *observe.Request, params any) (json.RawMessage, error) {
	text, err := json.Marshal(params)
	if err != nil {
		return nil, &NotSentError{Err: err}
	}
	p, err := l.beginRequest(r.Method)
	if err != nil {
		return nil, err
	}
	defer l.calls.Done()
	r.ID = strconv.FormatInt(firstID+p.number, 10)
	err = l.conn.Write(ctx, &jsonrpc.Request{ID: p.id, Method: r.Method, Params: text})
	if err == nil {
		select {
		case answer := <-p.answer:
			return answer.Result, l.checkVersion(answer.Error)
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	canceled := ctx.Err() != nil
	l.forgetRequest(p.id, canceled)
	if canceled && !errtype.Is[*NotSentError](err) { // Write may have sent the request, too
		go l.sendCancel(p.id, ctx.Err())
	}
	return nil, l.checkVersion(l.writeError(ctx, err))
}

// checkVersion returns ErrSessionLost if err means that the server no longer supports the negotiated
// protocol version. Otherwise it returns err.
func (l *Link) checkVersion(err error) error {
	var protocolErr *jsonrpc.Error
	if errors.As(err, &protocolErr) && protocolErr.Code == sdk.CodeUnsupportedProtocolVersion {
		l.loseSession()
		return ErrSessionLost
	}
	return err
}

// writeError returns the error of a request that could not be written. Connections of this package
// return errors whose type says whether the request was sent. Any other error comes from a connection
// of the SDK, and means that the request was not sent.
func (l *Link) writeError(ctx context.Context, err error) error {
	switch {
	case errtype.Is[*NotSentError](err), errtype.Is[*RefusedError](err), errtype.Is[*tool.UnknownOutcomeError](err), errtype.Is[*jsonrpc.Error](err):
		return err
	case errors.Is(err, ErrSessionLost) || ctx.Err() != nil:
		return err
	}
	return &NotSentError{Err: err}
}

// sendCancel notifies the server that a request is canceled.
func (l *Link) sendCancel(id jsonrpc.ID, reason error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	params := sanitize.Encode(sdk.CancelledParams{RequestID: id.Raw(), Reason: reason.Error()})
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

// Reason returns the reason why the link ended, or nil if only its session was lost.
func (l *Link) Reason() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cause
}

// Write sends a message of the session. The SDK would end the connection if Write failed. So if a
// request cannot be sent, Write answers the request with the error, and it drops other messages that
// cannot be sent.
func (l *Link) Write(ctx context.Context, m jsonrpc.Message) error {
	r, _ := m.(*jsonrpc.Request)
	switch {
	case r == nil:
		if answer, ok := m.(*jsonrpc.Response); ok {
			defer l.endServerRequest(answer.ID)
		}
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
		l.deliverToSDK(&jsonrpc.Response{ID: r.ID, Error: l.writeError(ctx, err)})
	default:
		l.config.Log.Debug("mcp: cannot send a message to a server", "error", err)
	}
	return nil
}

// endServerRequest records that a request of the server has been answered.
func (l *Link) endServerRequest(id jsonrpc.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unanswered.remove(id)
}

// expectAnswer adds a pending request of the session.
func (l *Link) expectAnswer(r *jsonrpc.Request) {
	if r.Method == "server/discover" {
		var params sdk.DiscoverParams
		if json.Unmarshal(r.Params, &params) == nil {
			l.meta = params.Meta // needs no lock, because the session does not exist yet
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pending != nil {
		l.last++
		l.pending[r.ID] = &pending{id: r.ID, number: l.last, method: r.Method}
	}
}

// abandonRequest records that the session has canceled a request.
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

// IsStateless reports whether the protocol version has no sessions.
func (l *Link) IsStateless() bool {
	return l.Session.InitializeResult().ProtocolVersion >= "2026-07-28"
}

// Wait waits until the connection has ended, and returns the reason.
func (l *Link) Wait() error {
	<-l.ended
	return l.Reason()
}

// HasServed reports whether a request of the link has received a result.
func (l *Link) HasServed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.served
}

// WithMeta adds the members that each request must have in the protocol version without sessions to
// the _meta of a request: the client, its capabilities and the version.
func (l *Link) WithMeta(meta sdk.Meta) sdk.Meta {
	if !l.IsStateless() {
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

// Drain rejects new requests, and closes the link when its requests are complete or ctx is done.
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
	err := l.conn.Close() // before the session, which would wait for answers
	<-l.ended
	_ = l.Session.Close() // fails because the connection is closed
	return err
}
