package mcp_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestClientLeft checks that a call in a session is canceled when its client has had no connection for
// five minutes, also while it waits for an answer, and that the client can return before and after that.
func TestClientLeft(t *testing.T) {
	message := map[string]string{
		"tool":   callInSession(`1`, "run", `{"text":""}`),
		"prompt": `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"run"}}`, // by the SDK
	}
	for _, kind := range []string{"tool", "prompt"} {
		for name, test := range map[string]struct {
			asks     bool
			returns  time.Duration // 0 for never
			listens  bool
			canceled time.Duration // 0 for never
		}{
			"waits":              {canceled: 5 * time.Minute},
			"asks":               {asks: true, canceled: 5 * time.Minute},
			"returns":            {asks: true, returns: 4 * time.Minute, canceled: 9 * time.Minute},
			"listens":            {asks: true, listens: true},
			"waits and returns":  {returns: 3 * time.Minute, canceled: 8 * time.Minute},
			"waits and listens":  {listens: true},
			"returns afterwards": {returns: 6 * time.Minute, canceled: 5 * time.Minute},
		} {
			t.Run(kind+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ended := make(chan error, 1)
					run := func(ctx context.Context, text string) (string, error) {
						var err error
						if test.asks {
							_, err = tool.ExchangeFrom(ctx).Ask(ctx, tool.AskPerson("Are you there?", nil))
						} else {
							<-ctx.Done()
						}
						ended <- errors.Join(err, ctx.Err())
						return "", ctx.Err()
					}
					r := tool.NewRegistry()
					r.Replace(textTool("run", run))
					s := newServer(t, r)
					if err := s.AddPrompt(mcp.Prompt{Name: "run", Description: "Runs.", Write: func(ctx context.Context, _ map[string]string) ([]content.Part, error) {
						text, err := run(ctx, "")
						return []content.Part{content.Text(text)}, err
					}}); err != nil {
						t.Fatal(err)
					}
					h := s.Handler()
					in := openSession(t, h, withSessions, `{"elicitation":{}}`)
					all, stop := context.WithCancel(t.Context())
					send := func(ctx context.Context, method, message string) int {
						request := newRequest(message, "*/*", in...).WithContext(ctx)
						request.Method = method
						w := httptest.NewRecorder()
						h.ServeHTTP(w, request)
						return w.Code
					}
					if test.listens {
						go send(all, http.MethodGet, "")
					}
					ctx, disconnect := context.WithCancel(all)
					go send(ctx, http.MethodPost, message[kind])
					time.Sleep(time.Hour / 2) // a connected client may let a call run as long as it likes
					disconnect()
					left := time.Now()
					const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`
					if test.returns > 0 {
						time.AfterFunc(test.returns, func() {
							if status := send(all, http.MethodPost, ping); status != http.StatusOK {
								t.Errorf("the client cannot return: %d", status)
							}
						})
					}
					select {
					case err := <-ended:
						if after := time.Since(left).Round(time.Second); after != test.canceled || !errors.Is(err, context.Canceled) {
							t.Errorf("ended after %v: %v", after, err)
						}
					case <-time.After(25 * time.Minute):
						if test.canceled > 0 {
							t.Error("the call is not canceled")
						}
					}
					stop()
					time.Sleep(10 * time.Minute) // until a call is canceled whose client listened
					send(t.Context(), http.MethodDelete, "")
					synctest.Wait()
				})
			})
		}
	}
}
