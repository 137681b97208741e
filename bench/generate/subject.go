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

// inputs has a folder of templates for each input, of files in a package.
//
//go:embed inputs
var inputs embed.FS

// A subject is what is measured.
type subject struct {
	name   string
	input  string               // the folder of its input
	source string               // the file that is edited
	each   int                  // items in a file; 0 is all
	args   func(n int) []string // what is run in the package, for n items
}

// subjects returns the go command, aiongen, other builds of it, and peers.
func subjects(ctx context.Context, place string, chosen *regexp.Regexp, builds []string) ([]subject, error) {
	built := filepath.Join(place, "bin", "aiongen")
	build := exec.CommandContext(ctx, "go", "build", "-o", built, "./cmd/aiongen")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", build, err, out)
	}
	of := func(name string, args ...string) subject {
		return subject{name: name, input: "aiongen", source: "many.go", args: always(args...)}
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
		s, err := p.install(ctx, place)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// dir is where the input of a subject is.
func (s subject) dir(place string) string { return filepath.Join(place, s.name, "package") }

// prepare writes the input, and generates once, so that there is what was generated
// before.
func (s subject) prepare(ctx context.Context, place string, c kase) error {
	if err := s.write(place, c.n); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(s.dir(place), "go.mod")); err == nil {
		tidy := exec.CommandContext(ctx, "go", "mod", "tidy")
		tidy.Dir = s.dir(place)
		if out, err := tidy.CombinedOutput(); err != nil {
			return fmt.Errorf("%s, %s: %w\n%s", s.name, tidy, err, out)
		}
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
		name := strings.TrimSuffix(t.Name(), ".tmpl")
		together := n
		if name == s.source {
			together = cmp.Or(s.each, n)
		}
		for i := 0; i < n; i += together {
			if err := writeFile(filepath.Join(s.dir(place), name), t, numbers(i, min(i+together, n))); err != nil {
				return err
			}
			name = fmt.Sprint("more", i, filepath.Ext(name))
		}
	}
	return nil
}

func numbers(from, to int) (all []int) {
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
	buffered := bufio.NewWriter(file) // not all at once: the processes that are started begin with our memory
	return errors.Join(t.Execute(buffered, items), buffered.Flush(), file.Close())
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

// goCache is the cache of the go command, which is not to follow that of aiongen.
var goCache = func() string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		log.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}()

// measure runs the subject once.
func (s subject) measure(ctx context.Context, place string, c kase) (cost, error) {
	env := append(os.Environ(), "GOCACHE="+goCache, "XDG_CACHE_HOME="+filepath.Join(place, s.name, "cache"))
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
		env = append(env, "GOCACHE="+filepath.Join(empty, "go"), "XDG_CACHE_HOME="+filepath.Join(empty, "user"))
	}
	args := s.args(c.n)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = s.dir(place), env
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
