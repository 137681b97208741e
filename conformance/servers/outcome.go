package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/remote"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// outcome is the outcome of testing one server.
type outcome struct {
	name, version    string
	listed, accepted int // tools
	losses           int // parts of their schemas that the log says are not enforced
	schemas, valid   int // lowered
	problems         []string
	refused          []string // schemas that a target cannot express
}

func (o *outcome) addProblem(format string, values ...any) {
	o.problems = append(o.problems, fmt.Sprintf(format, values...))
}

// testTools starts a server and checks its tools. The packages are in folder; home becomes the home
// directory of the server.
func (s server) testTools(ctx context.Context, folder, home string, check *checker) (o outcome) {
	o.name = s.name
	program, err := s.program(folder)
	if err != nil {
		o.addProblem("it cannot be started: %v", err)
		return o
	}
	var said bytes.Buffer
	command := exec.Command(node(folder), append([]string{program}, s.arguments...)...)
	command.Dir, command.Stderr = home, &said
	command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "CI=true", "DO_NOT_TRACK=1"}, s.env...)
	logged := new(lossCounter)
	far, err := remote.Connect(ctx, &sdk.CommandTransport{Command: command, TerminateDuration: time.Second}, remote.Client(sdk.ClientOptions{Logger: slog.New(logged)}))
	if err != nil {
		o.addProblem("it cannot be started: %v\n%s", err, lastLines(said.Bytes()))
		return o
	}
	defer far.Close() // its error says how the server exits, which servers do in many ways
	tools, err := far.Tools(ctx)
	o.accepted, o.losses = len(tools), logged.parts
	if err != nil {
		o.addProblem("%v", err)
	}
	for _, err := range far.Session().Tools(ctx, nil) {
		if err != nil {
			o.addProblem("the SDK cannot list its tools: %v", err)
			break
		}
		o.listed++
	}
	if o.listed != o.accepted {
		o.addProblem("%d of %d tools are accepted", o.accepted, o.listed)
	}
	if err := tool.NewRegistry().Register(tools...); err != nil {
		o.addProblem("%v", err)
	}
	for _, t := range tools {
		o.lower(t.Definition(), check)
	}
	return o
}

// lower lowers a tool for every target, and checks the schemas.
func (o *outcome) lower(d tool.Definition, check *checker) {
	for _, target := range schema.Targets() {
		l, err := schema.Lower(target, d)
		if err != nil {
			o.addProblem("%s cannot be lowered for %s: %v", d.Name, target, err)
			continue
		}
		for _, loss := range l.Losses {
			if loss.Severity == schema.Refused {
				o.refused = append(o.refused, fmt.Sprintf("%s: %s", target, loss))
			}
		}
		for _, text := range []json.RawMessage{l.Input, l.Output} {
			if text == nil {
				continue
			}
			o.schemas++
			if err := check.check(text); err != nil {
				o.addProblem("%s for %s: %v", d.Name, target, err)
			} else {
				o.valid++
			}
		}
	}
}

// program returns the file that starts the server: the program of its package that has the name
// of the package, or the only one.
func (s server) program(folder string) (string, error) {
	folder = filepath.Join(folder, "node_modules", s.name)
	text, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return "", err
	}
	var one struct{ Bin string }
	if json.Unmarshal(text, &one) == nil {
		return filepath.Join(folder, one.Bin), nil
	}
	var several struct{ Bin map[string]string }
	if err := json.Unmarshal(text, &several); err != nil {
		return "", err
	}
	if file := several.Bin[path.Base(s.name)]; file != "" {
		return filepath.Join(folder, file), nil
	}
	for _, file := range several.Bin {
		return filepath.Join(folder, file), nil
	}
	return "", errors.New("its package has no program")
}

// node returns the Node that runs the servers: that of package.json, for some servers need a newer
// one than a machine may have.
func node(folder string) string {
	file := filepath.Join(folder, "node_modules", ".bin", "node")
	if _, err := os.Stat(file); err != nil {
		return "node"
	}
	return file
}

// lastLines returns the end of what a server wrote to its standard error.
func lastLines(text []byte) []byte { return text[max(0, len(text)-1000):] }

// lossCounter counts the parts of schemas that are logged as not enforced.
type lossCounter struct{ parts int }

// Enabled returns true.
func (*lossCounter) Enabled(context.Context, slog.Level) bool { return true }

// Handle counts the parts that a message lists.
func (c *lossCounter) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if list, ok := a.Value.Any().([]string); ok {
			c.parts += len(list)
		}
		return true
	})
	return nil
}

// WithAttrs returns the handler.
func (c *lossCounter) WithAttrs([]slog.Attr) slog.Handler { return c }

// WithGroup returns the handler.
func (c *lossCounter) WithGroup(string) slog.Handler { return c }
