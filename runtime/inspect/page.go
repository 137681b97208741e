package inspect

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/toolpage"
)

//go:embed templates static
var files embed.FS

// frame is the template around the content of a page: it has a heading, and executes the template "content", which
// each page defines. Package toolpage adds the layout around it.
var frame = template.Must(template.New("frame.html").Funcs(toolpage.Functions()).Funcs(template.FuncMap{
	"duration": durationText, "moment": newMoment, "cost": costText, "status": statusBadge, "cut": cutText, "pretty": prettyJSON, "shown": showValue,
}).
	ParseFS(files, "templates/frame.html"))

// parsePage returns the template of a page.
func parsePage(names ...string) *template.Template {
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = "templates/" + name
	}
	return template.Must(template.Must(frame.Clone()).ParseFS(files, paths...))
}

// page is the content of a response: a template with its data, or complete HTML.
type page struct {
	status   int // 0 means 200
	title    string
	section  string // of the navigation: "tools" or "runs"
	template *template.Template
	body     any
	content  template.HTML
}

// renderTemplate renders a page or a part of it.
func renderTemplate(t *template.Template, data any) (template.HTML, error) {
	var b bytes.Buffer
	err := t.Execute(&b, data)
	return template.HTML(b.String()), err //nolint:gosec // the template has escaped everything
}

// showPage answers a request with a page. It writes nothing before the page is complete.
func (h *Handler) showPage(w http.ResponseWriter, r *http.Request, p page) {
	content := p.content
	var err error
	if p.template != nil {
		content, err = renderTemplate(p.template, struct {
			Title string
			Body  any
		}{p.title, p.body})
	}
	root := rootOf(r)
	var b bytes.Buffer
	if err == nil {
		err = toolpage.WritePage(&b, toolpage.Page{
			Title: p.title, Site: "Inspection", Home: root, Style: root + "style.css", Scripts: []string{root + "script.js"},
			Nav: h.navigation(r, root, p.section), Body: content,
		})
	}
	if err != nil {
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

// navigation returns the links to the sections that have content, and the link "Log out" if the request has a
// session.
func (h *Handler) navigation(r *http.Request, root, section string) (links []toolpage.Link) {
	if h.config.Tools != nil {
		links = append(links, toolpage.Link{Text: "Tools", URL: root + "tools", Current: section == "tools"})
	}
	if h.config.Journal != nil {
		links = append(links, toolpage.Link{Text: "Runs", URL: root + "runs", Current: section == "runs"})
	}
	if h.guard.HasSession(r) {
		links = append(links, toolpage.Link{Text: "Log out", URL: root + "logout", Current: section == "logout"})
	}
	return links
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

const (
	maxForm     = 4 << 20          // bytes of a sent form
	formTimeout = 30 * time.Second // for sending a form
)

// limitTime limits the time for the body of a request. It wraps all handlers that may reject a request: net/http
// reads the rest of the body of a rejected request before it sends the response, and would wait for it forever.
func limitTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != http.NoBody {
			setReadDeadline(w, time.Now().Add(formTimeout))
		}
		next.ServeHTTP(w, r)
	})
}

// setReadDeadline sets the deadline of the connection. It does nothing for a writer without one.
func setReadDeadline(w http.ResponseWriter, t time.Time) {
	_ = http.NewResponseController(w).SetReadDeadline(t)
}

// readForms reads the form of each request that has one, and the rest of each body. Then it removes the read deadline,
// because the call of a tool may take longer. If it cannot read everything, the deadline stays, because net/http waits
// for the rest.
func (h *Handler) readForms(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		err := r.ParseForm()
		if err == nil { // ParseForm does not read a body that is not a form
			_, err = io.Copy(io.Discard, r.Body)
		}
		if err == nil {
			setReadDeadline(w, time.Time{})
		}
		switch tooLong, ok := errors.AsType[*http.MaxBytesError](err); {
		case ok:
			h.showError(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("The form is longer than %d bytes.", tooLong.Limit))
		case err != nil:
			h.showError(w, r, http.StatusBadRequest, "The form cannot be read.")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// serveText returns the handler of an embedded file. It sets no headers for caching, because another program may
// serve the same address next.
func serveText(mediaType string, text ...string) http.HandlerFunc {
	all := []byte(strings.Join(text, "\n"))
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", mediaType+"; charset=utf-8")
		_, _ = w.Write(all) // an error means that the client has disconnected
	}
}

// readStatic returns an embedded file.
func readStatic(name string) string {
	text, err := files.ReadFile("static/" + name)
	if err != nil {
		panic(err) // the file is not embedded
	}
	return string(text)
}
