package main

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"
)

// inputs has a folder of templates for each input, of files in a package.
//
//go:embed inputs
var inputs embed.FS

// A subject is what is measured.
type subject struct {
	name   string
	input  string   // the folder of its input
	source string   // the file that is edited
	args   []string // what is run in the package
}

// subjects returns the go command, aiongen, and other builds of it.
func subjects(ctx context.Context, place string, chosen *regexp.Regexp, builds []string) ([]subject, error) {
	built := filepath.Join(place, "bin", "aiongen")
	build := exec.CommandContext(ctx, "go", "build", "-o", built, "./cmd/aiongen")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", build, err, out)
	}
	of := func(name, path string) subject {
		return subject{name, "aiongen", "many.go", []string{path}}
	}
	list := subject{"go list -json .", "aiongen", "many.go", []string{"go", "list", "-json", "."}}
	others := []subject{of("aiongen", built)}
	for _, b := range builds {
		path, err := filepath.Abs(b)
		if err != nil {
			return nil, err
		}
		others = append(others, of(filepath.Base(b), path))
	}
	others = slices.DeleteFunc(others, func(s subject) bool { return !chosen.MatchString(s.name) })
	return append([]subject{list}, others...), nil
}

// dir is where the input of a subject is.
func (s subject) dir(place string) string { return filepath.Join(place, s.name, "package") }

// prepare writes the input, and generates once, so that there is what was generated
// before.
func (s subject) prepare(ctx context.Context, place string, c kase) error {
	if err := s.write(place, c.n); err != nil {
		return err
	}
	_, err := s.measure(ctx, place, kase{c.n, same})
	return err
}

// write writes the input of n items.
func (s subject) write(place string, n int) error {
	if err := os.MkdirAll(s.dir(place), 0o777); err != nil {
		return err
	}
	all, err := template.ParseFS(inputs, path.Join("inputs", s.input, "*.tmpl"))
	if err != nil {
		return err
	}
	for _, t := range all.Templates() {
		if err := writeFile(filepath.Join(s.dir(place), strings.TrimSuffix(t.Name(), ".tmpl")), t, n); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(name string, t *template.Template, n int) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(file) // not all at once: the processes that are started begin with our memory
	return errors.Join(t.Execute(buffered, n), buffered.Flush(), file.Close())
}

// mark is text in the file that is edited, in its beginning, where it says something
// that is generated.
const mark = "revision "

// edit changes the text behind the mark, and no length.
func (s subject) edit(place string) error {
	file, err := os.OpenFile(filepath.Join(s.dir(place), s.source), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	start := make([]byte, 4096)
	n, _ := file.Read(start)
	at := bytes.Index(start[:n], []byte(mark))
	if at < 0 {
		return fmt.Errorf("%s: no %q", s.source, mark)
	}
	_, err = file.WriteAt(fmt.Appendf(nil, "%09d", time.Now().UnixMicro()%1e9), int64(at+len(mark)))
	return err
}

// measure runs the subject once.
func (s subject) measure(ctx context.Context, place string, c kase) (cost, error) {
	userCache, goCache := filepath.Join(place, s.name, "cache"), filepath.Join(place, "go")
	switch c.state {
	case edited:
		if err := s.edit(place); err != nil {
			return cost{}, err
		}
	case cold:
		empty, err := os.MkdirTemp(place, "empty")
		if err != nil {
			return cost{}, err
		}
		defer os.RemoveAll(empty)
		userCache, goCache = filepath.Join(empty, "user"), filepath.Join(empty, "go")
	}
	cmd := exec.CommandContext(ctx, s.args[0], s.args[1:]...)
	cmd.Dir, cmd.Env = s.dir(place), append(os.Environ(), "XDG_CACHE_HOME="+userCache, "GOCACHE="+goCache)
	var errorText bytes.Buffer
	cmd.Stderr = &errorText
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	if err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%s", cmd, err, errorText.Bytes())
	}
	return cost{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak(cmd.ProcessState)}, nil
}
