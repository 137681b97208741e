package inspect

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var images = flag.String("images", "", "an existing folder, to which TestBrowser writes a picture of each page")

// killedFolder is the environment variable with the journal of the process that TestBrowser kills.
const killedFolder = "INSPECT_KILLED_FOLDER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(killedFolder); folder != "" {
		if err := serveStoredRun(context.Background(), folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestBrowser uses the page in Chromium, as testdata/browser.cjs describes. Each of its scenarios is a subtest.
func TestBrowser(t *testing.T) {
	modules, chromium := findBrowser(t)
	server := httptest.NewServer(newBrowserSite(t))
	defer server.Close()
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "browser.cjs"), server.URL, *images)
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules, "CHROMIUM="+chromium)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	scenarios := 0
	for results := json.NewDecoder(stdout); ; scenarios++ {
		var result struct{ Scenario, Failure string }
		if err := results.Decode(&result); err != nil {
			if !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			break
		}
		t.Run(result.Scenario, func(t *testing.T) {
			if result.Failure != "" {
				t.Error(result.Failure)
			}
		})
	}
	if err := cmd.Wait(); err != nil || scenarios == 0 {
		t.Fatalf("%d scenarios: %v", scenarios, err)
	}
}

// findBrowser returns npm's folder and the path of Chromium, or skips the test.
func findBrowser(t *testing.T) (modules, chromium string) {
	t.Helper()
	modules = os.Getenv("NODE_PACKAGES")
	if modules == "" {
		t.Skip("install what .ci/run installs with npm, and set NODE_PACKAGES to node_modules")
	}
	missing := t.Skipf
	if os.Getenv("CI") != "" {
		missing = t.Fatalf
	}
	for _, name := range []string{"playwright-core", "axe-core"} {
		if _, err := os.Stat(filepath.Join(modules, name)); err != nil {
			missing("npm package %s is missing in NODE_PACKAGES", name)
		}
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return modules, path
		}
	}
	missing("install Chromium")
	return "", ""
}

// newBrowserSite returns the server for testdata/browser.cjs: pages under several prefixes, and what makes a run go on
// under /control/.
func newBrowserSite(t *testing.T) http.Handler {
	t.Helper()
	readable, _ := newRunsPage(t)
	changed, _ := newRunsPage(t)
	keyboard, _ := newRunsPage(t)
	live, releaseAnswer := newLivePage(t)
	mux := http.NewServeMux()
	for name, page := range map[string]*Handler{
		"tools": newToolsPage(t, nil), "runs": readable, "changed": changed, "keyboard": keyboard, "live": live,
		"locked": newTestPage(t, Config{Tools: tool.NewRegistry(), Token: testToken, AlwaysToken: true}),
	} {
		mux.Handle("/"+name+"/", http.StripPrefix("/"+name, page))
	}
	mux.HandleFunc("POST /control/answer", func(http.ResponseWriter, *http.Request) { releaseAnswer() })
	process := storedProcess{t: t, folder: t.TempDir()}
	mux.HandleFunc("POST /control/restart", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, process.restart())
	})
	return mux
}

const livePlan = `{"goal":"Find Ada","steps":[
	{"step_id":"find","description":"Find her number","tool":"find_customer","arguments":{"name":"Ada"}},
	{"step_id":"sum","description":"Sum up","agent":"llm"}]}`

// newLivePage returns a page with a run "live" that waits for each answer of its model, and a function that
// releases an answer.
func newLivePage(t *testing.T) (h *Handler, releaseAnswer func()) {
	t.Helper()
	gate := make(chan struct{})
	agent, err := newGatedAgent(new(journal.Map), orchestrator.Plan{}, gate, scripted.Text(livePlan), scripted.Text("Ada has the number 4711."))
	if err != nil {
		t.Fatal(err)
	}
	live, err := agent.Start(t.Context(), orchestrator.Input{ID: "live", Request: "What is Ada's number?"})
	if err != nil {
		t.Fatal(err)
	}
	var executed sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(func() { stop(); executed.Wait() })
	executed.Go(func() {
		if _, err := live.Execute(ctx); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	})
	return newTestPage(t, Config{Agent: agent}), func() {
		select {
		case gate <- struct{}{}:
		case <-ctx.Done():
		}
	}
}

// newGatedAgent returns an agent whose model needs a value from gate for each answer.
func newGatedAgent(j journal.Journal, kind orchestrator.Option, gate <-chan struct{}, answers ...scripted.Answer) (*orchestrator.Orchestrator, error) {
	script := scripted.New(answers...)
	model := scripted.NewFunc(func(ctx context.Context, request llm.Request) (llm.Response, error) {
		select {
		case <-gate:
			return script.Generate(ctx, request)
		case <-ctx.Done():
			return llm.Response{}, ctx.Err()
		}
	})
	find, err := schema.Dynamic(tool.Definition{
		Name: "find_customer", Description: "Finds a customer.", Annotations: tool.Annotations{ReadOnly: true},
		Input: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
	}, func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"id":4711}`), nil
	})
	if err != nil {
		return nil, err
	}
	r := tool.NewRegistry()
	if err := r.Register(find); err != nil {
		return nil, err
	}
	return orchestrator.New(model, r, orchestrator.Journal(j), kind)
}

// serveStoredRun serves a page about the run "stored" and prints its address. The first process begins the run, and waits
// forever for the second answer of its model. The next process can continue the run.
func serveStoredRun(ctx context.Context, folder string) error {
	earlier, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	j, err := file.Open(folder)
	if err != nil {
		return err
	}
	gate := make(chan struct{}, 1)
	gate <- struct{}{}
	answer := scripted.Call("find_customer", `{"name":"Ada"}`)
	if len(earlier) > 0 {
		answer = scripted.Text("Ada has the number 4711.")
	}
	agent, err := newGatedAgent(j, orchestrator.Conversation{}, gate, answer)
	if err != nil {
		return err
	}
	page, err := New(Config{Agent: agent})
	if err != nil {
		return err
	}
	execute := func() error { select {} } // until the process is killed
	if len(earlier) == 0 {
		stored, err := agent.Start(ctx, orchestrator.Input{ID: "stored", Request: "What is Ada's number?"})
		if err != nil {
			return err
		}
		execute = func() error {
			_, err := stored.Execute(ctx)
			return err
		}
	}
	fmt.Println(httptest.NewServer(page).URL) // the run exists by now
	return execute()
}

// storedProcess is a process that executes serveStoredRun.
type storedProcess struct {
	t      *testing.T
	folder string
	kill   func()
}

// restart kills the process if it runs, starts another one, and returns its address.
func (p *storedProcess) restart() string {
	if p.kill != nil {
		p.kill()
	}
	cmd := exec.CommandContext(p.t.Context(), os.Args[0]) // which is killed at the end of the test at the latest
	cmd.Env = append(os.Environ(), killedFolder+"="+p.folder)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Error(err)
		return ""
	}
	var once sync.Once
	p.kill = func() { once.Do(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }) }
	p.t.Cleanup(p.kill)
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		p.t.Errorf("the process ended: %v", err)
	}
	return strings.TrimSpace(address)
}
