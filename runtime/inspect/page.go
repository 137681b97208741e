package inspect

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/aiongen/aiongen/internal/toolpage"
)

//go:embed templates static
var files embed.FS

// layout is the frame of all pages. Each page defines the template "content".
var layout = template.Must(template.New("layout.html").Funcs(toolpage.Functions()).ParseFS(files, "templates/layout.html"))

// parsePage returns the template of a page, in the frame of all pages.
func parsePage(names ...string) *template.Template {
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = "templates/" + name
	}
	return template.Must(template.Must(layout.Clone()).ParseFS(files, paths...))
}

// view is what the layout shows of every page.
type view struct {
	Root     string // relative URL of the first page
	Title    string
	Section  string // of the navigation: "tools" or "runs"
	Sections []string
	LoggedIn bool // the request has a session, which can be ended
	Body     any  // what the template of the page shows
}

// page is what one request shows.
type page struct {
	template *template.Template
	status   int // 0 means 200
	title    string
	section  string
	body     any
}

// showPage answers a request with a page. It writes nothing before the page is complete.
func (h *Handler) showPage(w http.ResponseWriter, r *http.Request, p page) {
	var b bytes.Buffer
	v := view{Root: rootOf(r), Title: p.title, Section: p.section, Sections: h.sections(), LoggedIn: h.guard.HasSession(r), Body: p.body}
	if err := p.template.Execute(&b, v); err != nil {
		h.config.Log.Error("inspect: a page cannot be shown", "page", p.title, "error", err)
		http.Error(w, "The page cannot be shown because of an internal error.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if p.status != 0 {
		w.WriteHeader(p.status)
	}
	_, _ = w.Write(b.Bytes()) // an error means that the client has disconnected
}

// sections returns the names of the sections that have content.
func (h *Handler) sections() (names []string) {
	if h.config.Tools != nil {
		names = append(names, "tools")
	}
	if h.config.Journal != nil {
		names = append(names, "runs")
	}
	return names
}

// rootOf returns the relative URL of the first page, as seen from the page of a request. Escaped slashes do
// not separate levels.
func rootOf(r *http.Request) string {
	if levels := strings.Count(r.URL.EscapedPath(), "/"); levels > 1 {
		return strings.Repeat("../", levels-1)
	}
	return "./"
}

// redirect answers a form with the page to show next. The target is relative to the page of the request:
// http.Redirect would make it absolute, without the prefix where the page is mounted.
func redirect(w http.ResponseWriter, target string) {
	w.Header().Set("Location", target)
	w.WriteHeader(http.StatusSeeOther)
}

var errorPage = parsePage("error.html")

// showError answers a request that cannot be fulfilled.
func (h *Handler) showError(w http.ResponseWriter, r *http.Request, status int, message string) {
	h.showPage(w, r, page{template: errorPage, status: status, title: http.StatusText(status), body: message})
}

// recoverPanics answers a request whose handler panics.
func (h *Handler) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares it in the same way
				panic(p)
			}
			if p != nil {
				h.config.Log.Error("inspect: a request failed because of an internal error", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				h.showError(w, r, http.StatusInternalServerError, "The request failed because of an internal error. The log of the program has the details.")
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// serveStatic returns the handler of an embedded file. Browsers check for a new version at each page, because
// another program may serve the same address next.
func serveStatic(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, files, "static/"+name)
	})
}
