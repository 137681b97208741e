package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
	"time"
)

// inputs has a folder of templates for each kind of input: files of a package.
//
//go:embed inputs
var inputs embed.FS

// A subject is a program to measure.
type subject struct {
	name   string
	input  string               // the folder of its input
	source string               // the file that is edited
	each   int                  // items in a file; 0 means all
	args   func(n int) []string // the command that is run in the package, for n items
}

// listSubjects returns the go command, aiongen, other builds of it, and other generators.
func listSubjects(ctx context.Context, place string, chosen *regexp.Regexp, builds []string) ([]subject, error) {
	built := filepath.Join(place, "bin", "aiongen")
	build := exec.CommandContext(ctx, "go", "build", "-o", built, "./cmd/aiongen")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", build, err, out)
	}
	of := func(name string, args ...string) subject {
		return subject{name: name, input: "aiongen", source: "many.go", args: fixedArgs(args...)}
	}
	all := []subject{of("go list -json .", "go", "list", "-json", "."), of("aiongen", built)}
	for _, b := range builds {
		path, err := filepath.Abs(b)
		if err != nil {
			return nil, err
		}
		all = append(all, of(filepath.Base(b), path))
	}
	for _, p := range peers {
		if !chosen.MatchString(p.name) {
			continue
		}
		s, err := p.installPeer(ctx, place)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// packageDir returns the folder with the input of a subject.
func (s subject) packageDir(place string) string { return filepath.Join(place, s.name, "package") }

// prepareInput writes the input and generates once, so that there are generated files from an earlier run.
func (s subject) prepareInput(ctx context.Context, place string, c measuredCase) error {
	if err := s.writeInput(place, c.n); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(s.packageDir(place), "go.mod")); err == nil {
		tidy := exec.CommandContext(ctx, "go", "mod", "tidy")
		tidy.Dir = s.packageDir(place)
		if out, err := tidy.CombinedOutput(); err != nil {
			return fmt.Errorf("%s, %s: %w\n%s", s.name, tidy, err, out)
		}
	}
	_, err := s.measureOnce(ctx, place, measuredCase{c.n, stateSame})
	return err
}

// writeInput writes the input of n items.
func (s subject) writeInput(place string, n int) error {
	if err := os.MkdirAll(s.packageDir(place), 0o777); err != nil {
		return err
	}
	all, err := template.ParseFS(inputs, path.Join("inputs", s.input, "*.tmpl"))
	if err != nil {
		return err
	}
	for _, t := range all.Templates() {
		name := strings.TrimSuffix(t.Name(), ".tmpl")
		together := n
		if name == s.source {
			together = cmp.Or(s.each, n)
		}
		for i := 0; i < n; i += together {
			if err := writeFile(filepath.Join(s.packageDir(place), name), t, itemNumbers(i, min(i+together, n))); err != nil {
				return err
			}
			name = fmt.Sprint("more", i, filepath.Ext(name))
		}
	}
	return nil
}

func itemNumbers(from, to int) (all []int) {
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}

func writeFile(name string, t *template.Template, items []int) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(file) // a small buffer: the memory of child processes starts with ours
	return errors.Join(t.Execute(buffered, items), buffered.Flush(), file.Close())
}

// editMark is text at the start of the edited file, in a place that affects the generated code.
const editMark = "revision "

// editSource changes the text after the mark without changing its length.
func (s subject) editSource(place string) error {
	file, err := os.OpenFile(filepath.Join(s.packageDir(place), s.source), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	start := make([]byte, 4096)
	n, _ := file.Read(start)
	at := bytes.Index(start[:n], []byte(editMark))
	if at < 0 {
		return fmt.Errorf("%s: no %q", s.source, editMark)
	}
	_, err = file.WriteAt(fmt.Appendf(nil, "%09d", time.Now().UnixMicro()%1e9), int64(at+len(editMark)))
	return err
}

// goCache is the cache of the go command, which must not move when that of aiongen does.
var goCache = func() string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		log.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}()

// measureOnce runs the subject once.
func (s subject) measureOnce(ctx context.Context, place string, c measuredCase) (cost, error) {
	env := append(os.Environ(), "GOCACHE="+goCache, "XDG_CACHE_HOME="+filepath.Join(place, s.name, "cache"))
	switch c.state {
	case stateEdited:
		if err := s.editSource(place); err != nil {
			return cost{}, err
		}
	case stateCold:
		empty, err := os.MkdirTemp(place, "empty")
		if err != nil {
			return cost{}, err
		}
		defer os.RemoveAll(empty)
		env = append(env, "GOCACHE="+filepath.Join(empty, "go"), "XDG_CACHE_HOME="+filepath.Join(empty, "user"))
	}
	args := s.args(c.n)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = s.packageDir(place), env
	var errorText bytes.Buffer
	cmd.Stderr = &errorText
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	if err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%s", cmd, err, errorText.Bytes())
	}
	return cost{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peakMemory(cmd.ProcessState)}, nil
}
