package inspect

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/aiongen/aiongen/runtime/inspect/internal/history"
	"github.com/aiongen/aiongen/runtime/journal"
)

// reader returns the reader of the runs.
func (h *Handler) reader() history.Reader {
	return history.Reader{Journal: h.config.Journal, Redactor: h.config.Redact}
}

// openRun opens the run that a request names. If it cannot, it answers the request and returns nil.
func (h *Handler) openRun(w http.ResponseWriter, r *http.Request, id string) *history.Run {
	run, err := h.reader().Open(r.Context(), id)
	if err == nil {
		return run
	}
	status, text := http.StatusInternalServerError, "The run cannot be read: "+err.Error()
	if _, missing := errors.AsType[*journal.NotFoundError](err); missing {
		status, text = http.StatusNotFound, "There is no such run. It may have been deleted."
	} else if failure, ok := errors.AsType[*journal.Error](err); ok && failure.Kind == journal.Invalid {
		status = http.StatusBadRequest
	}
	h.showError(w, r, status, text)
	return nil
}

var runsPage = parsePage("runs.html", "runparts.html")

// runsPerPage is the length of a page of runs.
const runsPerPage = 50

// runList is a page of a list of runs.
type runList struct {
	Search   string
	Group    string
	Groups   []groupLink
	Runs     []history.Summary
	Searched int    // runs that the search has looked at, if there is more to search
	Next     string // URL of the next page
	First    string // URL of the first page, unless this is the first
	Fault    string
	CanFork  bool
}

// groupLink leads to the runs of a group.
type groupLink struct {
	Name, URL string
	Current   bool
}

// showRuns shows a page of the list of runs. The runs with the latest entries come first.
func (h *Handler) showRuns(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	list := runList{Search: q.Get("q"), Group: q.Get("group"), CanFork: h.canFork()}
	after := decodeCursor(q.Get("after"))
	found := h.reader().List(r.Context(), history.Query{Group: list.Group, Search: list.Search, After: after, Limit: runsPerPage})
	list.Runs = found.Runs
	for _, name := range append([]string{""}, history.Groups()...) {
		list.Groups = append(list.Groups, groupLink{Name: name, URL: list.pageURL(name, journal.Info{}), Current: name == list.Group})
	}
	if found.Next.Run != "" {
		list.Next = list.pageURL(list.Group, found.Next)
	}
	if after.Run != "" {
		list.First = list.pageURL(list.Group, journal.Info{})
	}
	if list.Search != "" && list.Next != "" && len(found.Runs) < runsPerPage {
		list.Searched = found.Search
	}
	if found.Fault != nil {
		list.Fault = found.Fault.Error()
	}
	h.showPage(w, r, page{template: runsPage, title: "Runs", section: "runs", body: list})
}

// pageURL returns the URL of a page of the list.
func (l runList) pageURL(group string, after journal.Info) string {
	q := url.Values{}
	for name, value := range map[string]string{"q": l.Search, "group": group, "after": encodeCursor(after)} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return "runs"
	}
	return "runs?" + q.Encode()
}

// cursor is the last run of a page, as a URL contains it.
type cursor struct {
	Run  string
	Time time.Time
}

func encodeCursor(i journal.Info) string {
	if i.Run == "" {
		return ""
	}
	text, err := json.Marshal(cursor{i.Run, i.Time})
	if err != nil { // the year of the time is out of range
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// decodeCursor returns the run that a page begins after. An invalid cursor means the first page.
func decodeCursor(text string) journal.Info {
	var c cursor
	decoded, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(decoded, &c) != nil {
		return journal.Info{}
	}
	return journal.Info{Run: c.Run, Time: c.Time}
}
