// Package inspect provides a web page that shows the tools and runs of a program, and calls its tools.
//
//	page, err := inspect.New(inspect.Config{Tools: registry, Agent: agent, Journal: journal})
//	if err != nil { … }
//	err = inspect.Listen(ctx, "localhost:8089", page)
//
// The page is an http.Handler. Mount it under a prefix with http.StripPrefix:
//
//	mux.Handle("/inspect/", http.StripPrefix("/inspect", page))
//
// Everyone who can use the page can call the tools, with the rights of the program. Therefore the page accepts
// only requests from its own machine, unless [Config.Token] is set.
package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/aiongen/aiongen/internal/toolpage"
	"github.com/aiongen/aiongen/runtime/inspect/internal/callbook"
	"github.com/aiongen/aiongen/runtime/inspect/internal/guard"
	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
)

// Config says what a page shows. All fields are optional: without Tools, Agent and Journal, the page has
// no content.
type Config struct {
	Tools   orchestrator.Caller        // the tools to list and call, such as a *tool.Registry; nil means the tools of Agent
	Agent   *orchestrator.Orchestrator // opens, forks and continues runs; without Agent and Send, runs are read-only
	Journal journal.Journal            // contains the runs; nil means the journal of Agent

	// Send, Fork and Wake are for runs that workers execute: set them to methods of an engine of adapters/postgres or
	// adapters/temporal. Send sends a signal, Fork starts a new run with a copy of the entries before a given one, and
	// Wake lets a worker continue an interrupted run. If Send is nil, the page uses Agent to send signals, and to fork
	// and execute runs. If Send is set, the page executes no runs itself. It then needs Fork to fork runs, and Wake to
	// continue them.
	Send func(ctx context.Context, run string, s run.Signal) error
	Fork func(ctx context.Context, run string, entry int) (id string, err error)
	Wake func(ctx context.Context, run string) error

	Redact *redact.Redactor // hides values on all pages; nil hides nothing

	// Token is the secret that requests from other machines need, at least 16 bytes. Without it, the page
	// answers only requests whose peer and host are loopback addresses and that no proxy has forwarded.
	Token string
	// AlwaysToken requires the token from this machine, too. Set it if other users have accounts on the
	// machine, or if a proxy on it does not add headers such as X-Forwarded-For. Browsers send the cookie of
	// a session to all ports of the host: do not visit the servers of other users while you are logged in.
	AlwaysToken bool

	Timeout    time.Duration // of a call of a tool; 0 means 2 minutes
	SavedCalls string        // a JSON file that keeps the saved calls; without it, they are lost with the process
	Log        *slog.Logger  // receives internal errors; nil means slog.Default()
}

// Handler serves the page. It is safe for concurrent use.
type Handler struct {
	config Config
	guard  *guard.Guard
	calls  *callbook.Book // nil without tools
	routes http.Handler

	executions executions
	streams    chan struct{} // holds an element for each page that receives updates
}

const minToken = 16 // bytes

// New returns the handler of a page. The error says what is wrong with the configuration.
func New(c Config) (*Handler, error) {
	if c.Token != "" && len(c.Token) < minToken {
		return nil, errors.New("inspect: the token has less than 16 bytes and can be guessed: make one with crypto/rand.Text")
	}
	if c.AlwaysToken && c.Token == "" {
		return nil, errors.New("inspect: AlwaysToken needs a Token")
	}
	if c.Tools == nil && c.Agent != nil {
		c.Tools = c.Agent.Tools()
	}
	if c.Journal == nil && c.Agent != nil {
		c.Journal = c.Agent.Journal()
	}
	c.Timeout, c.Log = cmp.Or(c.Timeout, 2*time.Minute), cmp.Or(c.Log, slog.Default())
	h := &Handler{config: c, streams: make(chan struct{}, maxStreams)}
	h.guard = guard.New(guard.Settings{Token: secret.New(c.Token), Always: c.AlwaysToken, ShowLogin: h.showLogin, ShowError: h.showError})
	h.config.Token = ""
	if c.Tools != nil {
		var err error
		if h.calls, err = callbook.New(c.Tools.Call, c.Timeout, c.SavedCalls); err != nil {
			return nil, fmt.Errorf("inspect: %w", err)
		}
	}
	h.routes = limitTime(h.guard.Protect(h.recoverPanics(h.newRoutes())))
	return h, nil
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.routes.ServeHTTP(w, r) }

// newRoutes returns the handler of all paths. All paths have one level, so that relative links work wherever
// the page is mounted; names and IDs, which may contain any characters, are in the query.
func (h *Handler) newRoutes() http.Handler {
	private := http.NewServeMux()
	private.HandleFunc("GET /{$}", h.showHome)
	private.HandleFunc("GET /login", func(w http.ResponseWriter, _ *http.Request) { redirect(w, "./") }) // after a reload of the form
	private.HandleFunc("GET /logout", h.showLogout)
	private.HandleFunc("POST /logout", h.logOut)
	h.addToolRoutes(private)
	h.addRunRoutes(private)
	private.HandleFunc("GET /", h.showNotFound)

	public := http.NewServeMux()
	public.Handle("GET /style.css", serveText("text/css", toolpage.StyleSheet, readStatic("style.css"), readStatic("runs.css")))
	public.Handle("GET /script.js", serveText("text/javascript", readStatic("script.js")))
	public.HandleFunc("POST /login", h.logIn)
	public.Handle("/", h.guard.RequireLogin(h.readForms(private)))
	return public
}

// showHome redirects to the first page that has content.
func (h *Handler) showHome(w http.ResponseWriter, r *http.Request) {
	switch {
	case h.config.Tools != nil:
		redirect(w, "tools")
	case h.config.Journal != nil:
		redirect(w, "runs")
	default:
		h.showNotFound(w, r)
	}
}

func (h *Handler) showNotFound(w http.ResponseWriter, r *http.Request) {
	h.showError(w, r, http.StatusNotFound, "There is no such page.")
}

// addRunRoutes adds the pages of runs.
func (h *Handler) addRunRoutes(mux *http.ServeMux) {
	if h.config.Journal == nil {
		return
	}
	mux.HandleFunc("GET /runs", h.showRuns)
	mux.HandleFunc("GET /run", h.showRun)
	mux.HandleFunc("GET /entry", h.showEntry)
	mux.HandleFunc("GET /compare", h.showComparison)
	mux.HandleFunc("GET /events", h.streamRun)
	mux.HandleFunc("POST /signal", h.sendSignal)
	mux.HandleFunc("POST /continue", h.continueRun)
	mux.HandleFunc("POST /fork", h.forkRun)
}
