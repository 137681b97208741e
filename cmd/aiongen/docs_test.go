//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestDocs runs README.md, example/README.md and the pages in docs, each like a reader who types it:
//
//   - A block after a paragraph that ends with `NAME`: is written to the file NAME in the current directory.
//   - Blocks of sh run in order in one shell with -e, so cd, variables and background processes stay.
//   - A block of text after one of sh, or of json directly after it, is its output: both streams without the go
//     command's own lines. … stands for any text in a line, or alone for any lines. -update rewrites it.
//   - A page with "go mod init" starts in an empty directory with the repository in aiongen, others in the
//     module that the section Install of README.md sets up.
//   - <!-- run: none, REASON --> exempts the next block, <!-- run: by FILE --> one that another test
//     runs, or in the first line the page; <!-- run: exit N --> expects a failure.
//   - <!-- go: NAME.go --> compiles a fragment, see compileFragment. All JSON must be valid, all Go formatted.
//   - The servers in the configuration of an MCP client are started. /home/ada is where the page starts.
//   - The model at $MODEL_URL, http://127.0.0.1:8000 and http://127.0.0.1:11434, or at OpenAI if a block
//     sets OPENAI_API_KEY, answers from testdata/model/PAGE.json, see modelAnswer. Port 8080 is any port.
func TestDocs(t *testing.T) {
	pages := readPages(t)
	setup := newDocSetup(t)
	for _, p := range pages {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			p.checkBlocks()
			if p.isRun() && !testing.Short() {
				setup.runPage(t, p)
				if *updateScripts {
					setup.updatePage(t, p)
				}
			}
			for _, problem := range p.problems {
				t.Error(problem)
			}
		})
	}
}

// docSetup is what the pages share.
type docSetup struct {
	root        string   // of the repository
	environment []string // without variables that change the outcome
	install     string   // the commands of README.md that set up a module
}

// newDocSetup keeps the caches of the go command, and nothing else that belongs to the user.
func newDocSetup(t *testing.T) *docSetup {
	t.Helper()
	s := &docSetup{root: repositoryRoot(t)}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasSuffix(name, "_API_KEY") && !strings.HasPrefix(name, "MODEL") && name != "GITHUB_TOKEN" && name != "HOME" {
			s.environment = append(s.environment, variable)
		}
	}
	out, err := exec.CommandContext(t.Context(), "go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPROXY").Output()
	settings := map[string]string{}
	if err == nil {
		err = json.Unmarshal(out, &settings)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range settings {
		s.environment = append(s.environment, name+"="+value)
	}
	// The tests of this module have already compared its dependencies with its checksums.
	s.environment = append(s.environment, "GOSUMDB=off", "GOFLAGS=", "GOWORK=off", "XDG_CACHE_HOME="+t.TempDir(),
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com")

	readme, err := os.ReadFile(filepath.Join(s.root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range parsePage("README.md", string(readme)).blocks {
		if b.isCommand() && strings.Contains(b.body, "go mod init") {
			s.install = b.body
		}
	}
	if s.install == "" {
		t.Fatal("README.md does not set up a module")
	}
	return s
}

// pageRun is a page that is run.
type pageRun struct {
	*docSetup
	page  *docPage
	shell *docShell
	dir   string // the current directory of the shell
	model *docModel
	// fragments is a directory for the go.mod with which fragments are compiled.
	fragments string
	// replaced are the addresses on the page with those of this run, in pairs.
	replaced []string
}

// stopTelemetry keeps the go command from starting a process that writes to a home directory after the
// command has ended, when the test deletes the directory.
func stopTelemetry(t *testing.T, home string) {
	t.Helper()
	dir := filepath.Join(home, ".config", "go", "telemetry")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mode"), []byte("off"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// runPage runs the blocks of a page, and records in the page what differs.
func (s *docSetup) runPage(t *testing.T, p *docPage) {
	t.Helper()
	home := t.TempDir() // of the reader
	r := &pageRun{docSetup: s, page: p, dir: home, fragments: t.TempDir()}
	if err := os.Symlink(s.root, filepath.Join(r.dir, "aiongen")); err != nil {
		t.Fatal(err)
	}
	r.model = startModel(t, p)
	port := freePort(t)
	for _, address := range []string{"127.0.0.1:8000", "localhost:8000", "127.0.0.1:11434", "localhost:11434"} {
		r.replaced = append(r.replaced, "http://"+address, r.model.url)
	}
	r.replaced = append(r.replaced, ":8080", port, "=../aiongen", "="+s.root, "/home/ada/", home+"/")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	scripts := t.TempDir()
	stopTelemetry(t, scripts)
	shell, err := startShell(ctx, r.dir, scripts, append(slices.Clone(s.environment), "HOME="+scripts, "MODEL_URL="+r.model.url+"/v1"))
	if err != nil {
		t.Fatal(err)
	}
	defer shell.stop()
	r.shell = shell
	r.runBlocks(ctx)
	for _, problem := range r.model.stop() {
		p.report(1, "%s", problem)
	}
}

// runBlocks runs the blocks in order. It stops if commands fail.
func (r *pageRun) runBlocks(ctx context.Context) {
	var output string
	if !slices.ContainsFunc(r.page.blocks, func(b *docBlock) bool { return b.isCommand() && strings.Contains(b.body, "go mod init") }) {
		if output, err := r.runCommands(&docBlock{}, strings.NewReplacer(r.replaced...).Replace(r.install)); err != nil {
			r.page.report(1, "%v\n%s", err, output)
			return
		}
	}
	for _, b := range r.page.blocks {
		body := strings.NewReplacer(r.replaced...).Replace(b.body)
		switch {
		case b.isExempt:
		case b.file != "":
			r.writeFile(b.line, b.file, body)
		case b.language == "sh":
			var err error
			if output, err = r.runCommands(b, body); err != nil {
				r.page.report(b.line, "%v\n%s", err, output)
				return
			}
		case b.isOutput && !matchesOutput(b.body, output):
			r.page.report(b.line, "the commands print\n%s\nthe page says\n%s", output, b.body)
			b.actual = output
		case b.language == "json" && !b.isOutput:
			if err := r.startConfigured(ctx, body); err != nil {
				r.page.report(b.line, "%v", err)
			}
		case b.source != "":
			if err := r.compileFragment(ctx, b); err != nil {
				r.page.report(b.line, "%v", err)
			}
		}
	}
}

// runCommands runs a block in the shell, and returns its output with the addresses of the page.
func (r *pageRun) runCommands(b *docBlock, body string) (string, error) {
	if strings.Contains(body, "OPENAI_API_KEY=") {
		body = r.model.atOpenAI(body)
	}
	output, dir, err := r.shell.run(body, b.exitStatus)
	r.dir = dir
	var lines strings.Builder
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(line, "go: ") && line != "\tgo mod tidy\n" {
			lines.WriteString(line)
		}
	}
	var back []string
	for i := 0; i < len(r.replaced); i += 2 {
		back = append(back, r.replaced[i+1], r.replaced[i])
	}
	output = strings.NewReplacer(back...).Replace(lines.String())
	if output != "" && !strings.HasSuffix(output, "\n") {
		output += "\n" // as the block on the page
	}
	return output, err
}

// writeFile writes a file in the current directory of the shell.
func (r *pageRun) writeFile(line int, name, text string) {
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o666)
	}
	if err != nil {
		r.page.report(line, "%v", err)
	}
}

// updatePage rewrites the expected outputs in the file of a page that has been run.
func (s *docSetup) updatePage(t *testing.T, p *docPage) {
	t.Helper()
	text := p.text
	for _, b := range slices.Backward(p.blocks) {
		if b.actual != "" && !b.indented {
			text = text[:b.start] + b.actual + text[b.end:]
		}
	}
	if text == p.text {
		return
	}
	if err := os.WriteFile(filepath.Join(s.root, filepath.FromSlash(p.name)), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// freePort returns an address such as ":40123" at which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return fmt.Sprintf(":%d", listener.Addr().(*net.TCPAddr).Port)
}
