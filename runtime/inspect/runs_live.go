package inspect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/aiongen/aiongen/runtime/inspect/internal/history"
	"github.com/aiongen/aiongen/runtime/plan"
)

// Updates of a page must not slow down the runs of the program. After each update, which reads new entries and draws
// them, the stream waits drawShare times as long as the update took, but at least shortestPeriod and at most
// longestPeriod. While the run executes, an update adds at most entriesPerDraw entries.
const (
	shortestPeriod = 500 * time.Millisecond
	longestPeriod  = 3 * time.Second
	drawShare      = 200
	entriesPerDraw = 100
)

const (
	maxStreams   = 64               // pages that are kept up to date at the same time
	eventTimeout = 30 * time.Second // for sending an event to a client that does not read
)

// liveParts are the parts of the page of a run that change, by the IDs of their elements.
var liveParts = []string{"run-status", "run-waits", "run-plan", "run-timeline", "run-costs"}

// streamRun sends the parts of the page of a run that change, until the run ends. Each event has the
// ID of an element and its HTML.
func (h *Handler) streamRun(w http.ResponseWriter, r *http.Request) {
	select {
	case h.streams <- struct{}{}:
		defer func() { <-h.streams }()
	default:
		h.showError(w, r, http.StatusServiceUnavailable, "Too many pages are kept up to date. Reload this page to see changes.")
		return
	}
	runHistory := h.openRun(w, r, r.FormValue("id"))
	if runHistory == nil {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	if r.Method == http.MethodHead {
		return
	}
	seen, _ := strconv.Atoi(r.FormValue("seen")) // entries that the page shows
	s := liveStream{Handler: h, run: runHistory, out: w, sent: map[string]string{}, executing: h.executions.isRunning(runHistory.ID)}
	if !s.sendText(": watching\n\n") {
		return
	}
	if s.seen = seen; runHistory.Entries == seen {
		s.renderParts() // the page shows them already
	}
	for period := shortestPeriod; ; {
		select { // wait first, because the page was just loaded
		case <-r.Context().Done():
			return
		case <-time.After(period):
		}
		began := time.Now()
		if !s.sendChanges(r.Context()) {
			return
		}
		period = max(shortestPeriod, min(drawShare*time.Since(began), longestPeriod))
	}
}

// liveStream keeps the page of a run up to date.
type liveStream struct {
	*Handler
	run       *history.Run
	out       http.ResponseWriter
	sent      map[string]string // HTML of the parts, by their IDs
	seen      int               // entries that the page shows
	executing bool              // as the page shows it
}

// part is a part of a page, as the script receives it.
type part struct {
	ID   string `json:"id"`
	HTML string `json:"html"`
}

// sendChanges sends what has changed, and reports whether there may be more changes.
func (s *liveStream) sendChanges(ctx context.Context) bool {
	_ = s.run.Update(ctx, entriesPerDraw) // the run keeps the error, which the page shows
	executing := s.executions.isRunning(s.run.ID)
	if s.run.Entries == s.seen && executing == s.executing && s.run.Fault == nil {
		return true
	}
	s.seen, s.executing = s.run.Entries, executing
	for _, p := range s.renderParts() {
		if !s.sendEvent("part", p) {
			return false
		}
	}
	if s.run.Fault != nil || history.GroupOf(s.run.Status) == "ended" {
		s.sendEvent("end", part{})
		return false
	}
	return true
}

// renderParts returns the parts that have changed.
func (s *liveStream) renderParts() (changed []part) {
	maxSteps := history.MaxNodes // more rows would make each drawing slow
	if history.GroupOf(s.run.Status) == "ended" {
		maxSteps = plan.MaxSteps
	}
	v := s.newRunView(s.run, -1, maxSteps)
	for _, id := range liveParts {
		var b bytes.Buffer
		if err := runPage.ExecuteTemplate(&b, id, v); err != nil {
			s.config.Log.Error("inspect: a part of a page cannot be shown", "part", id, "error", err)
			continue
		}
		if html := b.String(); s.sent[id] != html {
			s.sent[id] = html
			changed = append(changed, part{id, html})
		}
	}
	return changed
}

// sendEvent sends an event, and reports whether the client still receives them.
func (s *liveStream) sendEvent(name string, p part) bool {
	data, err := json.Marshal(p)
	if err != nil {
		panic(err) // a part consists of texts
	}
	return s.sendText(fmt.Sprintf("event: %s\ndata: %s\n\n", name, data))
}

// sendText sends a part of the stream, and reports whether it succeeded. It replaces the write deadline of the server,
// which is meant for pages and would end the stream.
func (s *liveStream) sendText(text string) bool {
	control := http.NewResponseController(s.out)
	_ = control.SetWriteDeadline(time.Now().Add(eventTimeout)) // a writer without a deadline returns an error, which does not matter
	if _, err := io.WriteString(s.out, text); err != nil || control.Flush() != nil {
		return false
	}
	_ = control.SetWriteDeadline(time.Time{})
	return true
}
