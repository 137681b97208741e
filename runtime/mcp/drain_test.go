package mcp_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Clients that call during a shutdown are answered or refused. None loses its connection, because it
// would not know whether its call has run.
func TestHTTPDrainInUse(t *testing.T) {
	const clients = 50
	r := tool.NewRegistry()
	r.Replace(textTool("echo", echoText))
	log := newServingLog()
	s := newServer(t, r, mcp.Logger(slog.New(slog.NewJSONHandler(log, nil))))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	served := make(chan error)
	go func() { served <- s.ListenAndServe(ctx, "localhost:0") }()
	url := <-log.url
	headers := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {stateless}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"echo"},
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	ends := map[string]int{}
	for range clients {
		all.Go(func() {
			end := callUntilRefused(url, headers)
			mu.Lock()
			defer mu.Unlock()
			ends[end]++
		})
	}
	time.Sleep(200 * time.Millisecond)
	cancel()
	all.Wait()
	if err := <-served; err != nil {
		t.Error(err)
	}
	maps.DeleteFunc(ends, func(end string, _ int) bool { return end == "refused" })
	if len(ends) > 0 {
		t.Errorf("of %d clients, these ended by something else: %v", clients, ends)
	}
}

// callUntilRefused makes calls until one is refused, and returns any other reason for a missing
// answer.
func callUntilRefused(url string, headers http.Header) string {
	client := &http.Client{Transport: new(http.Transport)}
	defer client.CloseIdleConnections()
	for {
		request, err := http.NewRequest(http.MethodPost, url, strings.NewReader(call2026("1", "echo", `{"text":"x"}`, `{}`)))
		if err != nil {
			return err.Error()
		}
		request.Header = headers
		answer, err := client.Do(request)
		if errors.Is(err, syscall.ECONNREFUSED) {
			return "refused" // refused by the system before anything was sent
		}
		if err != nil {
			return err.Error()
		}
		_, err = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		switch {
		case err != nil:
			return err.Error()
		case answer.StatusCode == http.StatusServiceUnavailable:
			return "refused"
		case answer.StatusCode != http.StatusOK:
			return answer.Status
		}
	}
}
