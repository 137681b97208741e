package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aiongen/aiongen/example/desk"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// asDesk is the environment variable that makes the test binary run the program.
const asDesk = "DEPLOY_TEST_AS_DESK"

func TestMain(m *testing.M) {
	if os.Getenv(asDesk) != "" {
		os.Exit(desk.Main("desk", os.Args[1:], backends))
	}
	os.Exit(m.Run())
}

// program is a process of the desk, which is interrupted when the test ends.
type program struct {
	*exec.Cmd
	said bytes.Buffer
}

func start(t *testing.T, args ...string) *program {
	t.Helper()
	p := &program{Cmd: exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0], args...)}
	p.Env = append(os.Environ(), asDesk+"=1")
	p.Stdout, p.Stderr = &p.said, &p.said
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.end(t, os.Interrupt) })
	return p
}

// end ends a process once. The process must exit without an error unless it is killed.
func (p *program) end(t *testing.T, how os.Signal) {
	if p.ProcessState != nil {
		return
	}
	err := p.Process.Signal(how)
	if err = errors.Join(err, p.Wait()); err != nil && how != syscall.SIGKILL {
		t.Errorf("%q ended by %v: %s", p.Args[1:], err, p.said.String())
	}
}

// command runs a command of the desk and checks its exit status and output.
func command(t *testing.T, status int, want string, args ...string) (said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, os.Args[0], args...)
	c.Env = append(os.Environ(), asDesk+"=1")
	out, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != status || !regexp.MustCompile(want).Match(out) {
		t.Fatalf("%q: %v: %s\nwant exit status %d and %s", args, err, out, status, want)
	}
	return string(out)
}

// server starts a server by its script and returns the address that it prints. If the server is not installed, it skips
// the test, except where CI is set.
func server(t *testing.T, script string, args ...string) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "desk") // a short path, because the length of a socket's path is limited
	if err == nil {
		err = os.Chmod(folder, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	c := exec.CommandContext(context.WithoutCancel(t.Context()), filepath.Join("..", script), append([]string{folder}, args...)...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	place, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		err = c.Wait()
		if strings.Contains(stderr.String(), "there is no") && os.Getenv("CI") == "" {
			t.Skip(stderr.String())
		}
		t.Fatalf("%s: %v: %s", script, err, stderr.String())
	}
	t.Cleanup(func() {
		if err := errors.Join(c.Process.Signal(os.Interrupt), c.Wait()); err != nil {
			t.Log(script, "ended by", err, stderr.String())
		}
	})
	return strings.TrimSpace(place)
}

const (
	printer = "Open a ticket for Ada: the printer on floor 2 prints blank pages. Then tell me how busy the desk is."
	vpn     = "Tell linus that the VPN is down."
)

var begun = regexp.MustCompile(`run +(\S+)\n`)

// TestPostgres executes runs with two workers. One run waits while the workers are killed; other workers continue it
// after its call was approved.
func TestPostgres(t *testing.T) {
	carryOut(t, onPostgres, server(t, "postgres"), true)
}

// TestTemporal does the same with workflows, and with tickets in a folder.
func TestTemporal(t *testing.T) {
	carryOut(t, onTemporal, temporalServer(t), false, "-memory", t.TempDir())
}

// temporalServer starts the dev server at a free port. It does not build the server.
func temporalServer(t *testing.T) string {
	t.Helper()
	t.Setenv("TEMPORAL_CLI", cmp.Or(os.Getenv("TEMPORAL_CLI"), "temporal"))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err = errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	return server(t, "temporal", port)
}

// result waits for the result of a run.
func result(t *testing.T, place desk.Place, at, id string) *run.Result {
	t.Helper()
	opened, err := place.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	e, err := opened.Engine(llm.Func(nil), tool.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := e.Result(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// carryOut executes requests at a place. Workers may need flags for the tickets; lists is whether the place can list its
// runs.
func carryOut(t *testing.T, place desk.Place, at string, lists bool, tickets ...string) {
	with := func(args ...string) []string { return append(args, "-"+place.Flag, at) }
	work := append(with("work"), tickets...)
	workers := []*program{start(t, work...), start(t, work...)}
	command(t, 0, `(?s)completed \(.*tools: 2.*yours is the only open ticket, number 1`, with(printer)...)
	said := command(t, 1, `(?s)waits +notify needs the approval of a person\n.*decide: desk approve`, with(vpn)...)
	for _, w := range workers {
		w.end(t, syscall.SIGKILL)
	}
	id := begun.FindStringSubmatch(said)[1]
	if lists {
		command(t, 0, id+` +waiting for approval .*\n +notify {"user":"linus"`, with("runs")...)
	}
	start(t, work...)
	start(t, work...)
	command(t, 0, id+": approve notify\n", with("approve", id)...)
	if r := result(t, place, at, id); r.Status != run.Completed || string(r.Answer) != `"Linus knows that the VPN is down."` {
		t.Errorf("the run is %+v", r)
	}
	command(t, 1, "the run (is completed|has ended)|there are 0 runs to cancel", with("cancel", id)...)
}

// workersPage is the page about engines.
const workersPage = "../../docs/howto/workers.md"

// pages has the commands in docs/howto/workers.md for each place: the variable for the server's address, and the expected
// output.
var pages = map[string]struct {
	server func(*testing.T) string
	at     string
	wants  map[string]string
}{
	"postgres": {func(t *testing.T) string { return server(t, "postgres") }, "$URL",
		map[string]string{"-postgres": `(?s)run +\S+\n.*waits +notify`, "approve": `: approve notify\n`, "runs": ` Tell linus that`}},
	"temporal": {temporalServer, "$ADDRESS",
		map[string]string{"-temporal": `(?s)run +\S+\n.*waits +notify`, "approve": `: approve notify\n`}},
}

// TestPage runs the commands in docs/howto/workers.md in order.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(workersPage)
	if err != nil {
		t.Fatal(err)
	}
	typed := regexp.MustCompile(`(?m)^go run ./desk (.*?)(?: +#.*)?$`).FindAllStringSubmatch(string(text), -1)
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			set := []string{`"` + page.at + `"`, page.server(t), "/tmp/tickets", t.TempDir()}
			wants := maps.Clone(page.wants)
			works := false
			for _, line := range typed {
				if !strings.Contains(line[1], page.at) {
					continue
				}
				words, request, _ := strings.Cut(strings.NewReplacer(set...).Replace(line[1]), ` "`)
				args := strings.Fields(words)
				if args[0] == "work" {
					start(t, args...)
					works = true
					continue
				}
				status := 0
				if request != "" {
					args, status = append(args, strings.TrimSuffix(request, `"`)), 1 // nobody can be asked
				}
				said := command(t, status, wants[args[0]], args...)
				delete(wants, args[0])
				if id := begun.FindStringSubmatch(said); id != nil {
					set = append(set, ` "$RUN"`, " "+id[1])
				}
			}
			if !works || len(wants) > 0 {
				t.Errorf("the page says %q, and nothing for %v", typed, wants)
			}
		})
	}
}
