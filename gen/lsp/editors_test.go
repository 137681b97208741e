package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// TestEditors runs sessions in real editors: a person types a tool whose function does not exist,
// applies the fix, completes a method, jumps to Go, renames a tool and formats the file. Each editor
// has the configuration of docs/howto/editors.md, and all see the same. An editor that is not
// installed is skipped, except where CI is set.
func TestEditors(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	sessions, err := filepath.Abs("testdata/editors")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		program string
		heading string // of the configuration in the documentation
		config  string // file of the configuration in the home directory
		args    []string
	}{
		{"nvim", "### Neovim 0.7 to 0.10", ".config/nvim/init.lua", []string{"--headless", "-i", "NONE", "-c", "luafile " + sessions + "/session.lua"}},
		{"emacs", "## Emacs", ".emacs.d/init.el", []string{"--fg-daemon=session", "--load", sessions + "/session.el"}},
	} {
		t.Run(tt.program, func(t *testing.T) {
			t.Parallel()
			skipMissing(t, tt.program)
			e := newEditor(t)
			e.write(filepath.Join(e.home, tt.config), readConfig(t, tt.heading))
			e.run(tt.program, tt.args...)
			transcript, err := os.ReadFile(filepath.Join(e.home, "transcript"))
			if err != nil {
				t.Fatal(err)
			}
			checkTranscript(t, string(transcript))
		})
	}
}

// TestNeovimConfig checks the syntax of the configuration for current versions of Neovim, which
// Debian does not have.
func TestNeovimConfig(t *testing.T) {
	skipMissing(t, "nvim")
	e := &editor{T: t, home: t.TempDir(), dir: t.TempDir(), environment: os.Environ()}
	config := filepath.Join(e.home, "config.lua")
	e.write(config, readConfig(t, "## Neovim"))
	e.run("nvim", "--headless", "--clean", "-c", "try | execute 'lua assert(loadfile(\""+config+"\"))' | quit | catch | echo v:exception | cquit! | endtry")
}

func skipMissing(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// An editor is what an editor needs: a home directory, and a module to work on.
type editor struct {
	*testing.T
	home, dir   string
	environment []string
}

func newEditor(t *testing.T) *editor {
	t.Helper()
	e := &editor{T: t, home: t.TempDir(), dir: t.TempDir()}
	out, err := exec.CommandContext(t.Context(), "go", "env", "-json", "GOCACHE", "GOMODCACHE").Output()
	settings := map[string]string{}
	if err = errors.Join(err, json.Unmarshal(out, &settings)); err != nil {
		t.Fatal(err)
	}
	e.environment = append(os.Environ(), "HOME="+e.home, "XDG_CONFIG_HOME="+e.home+"/.config", "XDG_DATA_HOME="+e.home+"/data",
		"XDG_STATE_HOME="+e.home+"/state", "XDG_CACHE_HOME="+e.home+"/cache", "XDG_RUNTIME_DIR="+e.home+"/run", "TMPDIR="+e.home,
		"GOFLAGS=", "GOWORK=off", "GOPROXY=off", "GOCACHE="+settings["GOCACHE"], "GOMODCACHE="+settings["GOMODCACHE"],
		"TRANSCRIPT="+e.home+"/transcript")
	e.write(filepath.Join(e.home, "run", "empty"), nil)
	e.writeModule()
	return e
}

func (e *editor) write(path string, text []byte) {
	e.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600)); err != nil {
		e.Fatal(err)
	}
}

// writeModule writes a module that has this one as a tool, with the same requirements.
func (e *editor) writeModule() {
	e.Helper()
	archive, err := txtar.ParseFile("testdata/editors/workspace.txtar")
	if err != nil {
		e.Fatal(err)
	}
	for _, f := range archive.Files {
		e.write(filepath.Join(e.dir, f.Name), f.Data)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		e.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			e.Fatal(err)
		}
		if name == "go.mod" {
			text = bytes.Replace(text, []byte("module github.com/aiongen/aiongen\n"), []byte("module example.com/notes\n"), 1)
			text = append(text, "\nrequire github.com/aiongen/aiongen v0.0.0\n\nreplace github.com/aiongen/aiongen => "+root+"\n"...)
		}
		e.write(filepath.Join(e.dir, name), text)
	}
	build := exec.CommandContext(e.Context(), "go", "tool", "aiongen", "version") // so that the editor need not wait for it
	build.Dir, build.Env = e.dir, e.environment
	if out, err := build.CombinedOutput(); err != nil {
		e.Fatalf("%v\n%s", err, out)
	}
}

// run runs the editor in the module until it exits.
func (e *editor) run(program string, args ...string) {
	e.Helper()
	ctx, cancel := context.WithTimeout(e.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = e.dir, e.environment
	cmd.WaitDelay = time.Second // a server may have the output open
	if out, err := cmd.CombinedOutput(); err != nil {
		transcript, _ := os.ReadFile(filepath.Join(e.home, "transcript"))
		e.Fatalf("%v\n%s\ntranscript:\n%s", err, out, transcript)
	}
}

// checkTranscript compares what a session saw with the expected transcript.
func checkTranscript(t *testing.T, got string) {
	t.Helper()
	const name = "testdata/editors/session.golden"
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || got != string(want) {
		t.Errorf("%v\ngot:\n%s\nwant:\n%s", err, got, want)
	}
}

var configBlock = regexp.MustCompile("(?ms)^```(?:lua|elisp)\n(.*?)^```$")

// readConfig returns the configuration below a heading of the documentation.
func readConfig(t *testing.T, heading string) []byte {
	t.Helper()
	page, err := os.ReadFile("../../docs/howto/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n"+heading+"\n")
	block := configBlock.FindStringSubmatch(section)
	if block == nil {
		t.Fatalf("the documentation has no configuration below %q", heading)
	}
	return []byte(block[1])
}
