// Package modules finds the packages of the modules that people work on, and their
// files, as the go command would, but without asking it: those of the main module, of
// the modules of a workspace, of replacements that are directories, and what is vendored.
// Where it is not certain to find the same, it says so.
//
// Its layers, from top to bottom:
//
//	packages   what patterns and import paths mean
//	modules    which modules there are
//	vendor     which packages of others are copied beside them
//	uncertain  what only the go command can tell
package modules

import (
	"fmt"
	"go/build"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/aiongen/aiongen/gen/internal/goenv"
	"github.com/aiongen/aiongen/gen/internal/overlay"
)

// A Module is one whose packages are read from source.
type Module struct {
	Path      string
	Dir       string // absolute
	GoVersion string // "1.26"
	Replaces  bool   // its directory replaces it; else people work in it
}

// A Set holds the modules that packages are built from, seen from one directory.
type Set struct {
	Env  goenv.Env
	Tags string // as the go command takes them, wherever they are given

	// Decisive are the files that say which modules there are, and which versions of
	// others, whether or not they exist.
	Decisive []string

	files    overlay.Files
	mod      string // the -mod flag
	modules  []Module
	vendored *vendored       // nil where packages of other modules come from elsewhere
	required map[string]bool // paths of modules
	context  build.Context
	found    map[string]*Package // by directory
	asked    map[string]bool     // directories
}

// Open reads what modules there are. Tags are those of the command line, "" for none.
func Open(env goenv.Env, tags string, files overlay.Files) (*Set, error) {
	s := &Set{Env: env, Tags: tags, files: files, required: map[string]bool{}, found: map[string]*Package{}, asked: map[string]bool{}}
	if err := s.readFlags(); err != nil {
		return nil, err
	}
	if hasDriver() {
		return nil, uncertain("packages come from a driver")
	}
	if env["GO111MODULE"] == "off" || strings.Contains(env["GOVERSION"], "devel") {
		return nil, uncertain("no modules, or no released toolchain")
	}
	var err error
	if work := env["GOWORK"]; work != "" && work != "off" {
		err = s.readWork(work)
	} else {
		err = s.readMain(env["GOMOD"])
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(s.modules, func(a, b Module) int { return len(b.Path) - len(a.Path) })
	return s, s.setContext()
}

// hasDriver reports whether go/packages asks another program than the go command.
func hasDriver() bool {
	switch os.Getenv("GOPACKAGESDRIVER") {
	case "off":
		return false
	case "":
		_, err := exec.LookPath("gopackagesdriver")
		return err == nil
	}
	return true
}

// readFlags takes the tags from GOFLAGS. What else stands there must not matter.
func (s *Set) readFlags() error {
	for name, value := range s.Env.Flags() {
		switch name {
		case "tags":
			if s.Tags == "" {
				s.Tags = value
			}
		case "mod":
			if value != "readonly" && value != "mod" && value != "vendor" {
				return uncertain("GOFLAGS has -mod=%s", value)
			}
			s.mod = value
		case "buildvcs", "trimpath", "p", "v", "modcacherw", "count", "ldflags", "gcflags":
		default:
			return uncertain("GOFLAGS has -%s", name)
		}
	}
	return nil
}

func (s *Set) setContext() error {
	release, ok := strings.CutPrefix(version.Lang(s.Env["GOVERSION"]), "go1.")
	minor := 0
	if _, err := fmt.Sscan(release, &minor); !ok || err != nil {
		return uncertain("the toolchain is %s", s.Env["GOVERSION"])
	}
	s.context = build.Context{
		GOOS: s.Env["GOOS"], GOARCH: s.Env["GOARCH"], CgoEnabled: s.Env["CGO_ENABLED"] == "1", Compiler: "gc",
		BuildTags: strings.FieldsFunc(s.Tags, func(r rune) bool { return r == ',' || r == ' ' }),
		OpenFile:  s.files.Open, ReadDir: s.files.ReadDir,
	}
	for n := 1; n <= minor; n++ {
		s.context.ReleaseTags = append(s.context.ReleaseTags, fmt.Sprintf("go1.%d", n))
	}
	return nil
}

func (s *Set) readMain(path string) error {
	if path == "" || path == os.DevNull || filepath.Base(path) != "go.mod" {
		return uncertain("there is no module")
	}
	s.Decisive = append(s.Decisive, filepath.Join(filepath.Dir(path), "vendor", "modules.txt"))
	mod, err := s.readModule(filepath.Dir(path), false)
	if err != nil {
		return err
	}
	vendors, err := s.vendors(filepath.Dir(path), mod.Go.Version, false)
	switch {
	case err != nil:
		return err
	case vendors:
		return s.agree([]*modfile.File{mod}, nil)
	}
	return s.replace(filepath.Dir(path), mod.Replace)
}

func (s *Set) readWork(path string) error {
	s.Decisive = append(s.Decisive, path, path+".sum", filepath.Join(filepath.Dir(path), "vendor", "modules.txt"))
	text, err := s.files.ReadFile(path)
	if err != nil {
		return uncertain("%v", err)
	}
	work, err := modfile.ParseWork(path, text, nil)
	if err != nil || work.Go == nil || s.mod == "mod" {
		return uncertain("go.work cannot be read, or is not for -mod=mod")
	}
	var mods []*modfile.File
	var replaced []func() error // once it is known what all require
	for _, use := range work.Use {
		dir := filepath.Clean(filepath.FromSlash(use.Path))
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(path), dir)
		}
		mod, err := s.readModule(dir, false)
		if err != nil {
			return err
		}
		mods = append(mods, mod)
		replaced = append(replaced, func() error { return s.replace(dir, mod.Replace) })
	}
	vendors, err := s.vendors(filepath.Dir(path), work.Go.Version, true)
	switch {
	case err != nil:
		return err
	case vendors:
		return s.agree(mods, work.Replace)
	}
	for _, replace := range append(replaced, func() error { return s.replace(filepath.Dir(path), work.Replace) }) {
		if err := replace(); err != nil {
			return err
		}
	}
	return nil
}

// readModule adds the module of a directory.
func (s *Set) readModule(dir string, replaces bool) (*modfile.File, error) {
	path := filepath.Join(dir, "go.mod")
	s.Decisive = append(s.Decisive, path)
	if !replaces {
		s.Decisive = append(s.Decisive, filepath.Join(dir, "go.sum"))
	}
	text, err := s.files.ReadFile(path)
	if err != nil {
		return nil, uncertain("%v", err)
	}
	mod, err := modfile.Parse(path, text, nil)
	switch {
	case err != nil || mod.Module == nil || mod.Go == nil:
		return nil, uncertain("%s cannot be read, or is without a module or go line", path)
	case mod.Module.Mod.Path == "std" || mod.Module.Mod.Path == "cmd" || len(mod.Ignore) > 0:
		return nil, uncertain("%s is that of an unusual module", path)
	case version.Compare(version.Lang("go"+mod.Go.Version), version.Lang(s.Env["GOVERSION"])) > 0:
		return nil, uncertain("%s wants a newer toolchain", path)
	}
	s.modules = append(s.modules, Module{Path: mod.Module.Mod.Path, Dir: dir, GoVersion: mod.Go.Version, Replaces: replaces})
	for _, r := range mod.Require {
		s.required[r.Mod.Path] = true
	}
	return mod, nil
}

// replace adds those replacements that are directories, seen from one.
func (s *Set) replace(from string, replacements []*modfile.Replace) error {
	for _, r := range replacements {
		if r.New.Version != "" || !s.required[r.Old.Path] {
			continue
		}
		if r.Old.Version != "" {
			return uncertain("a directory replaces one version of %s", r.Old.Path)
		}
		dir := filepath.FromSlash(r.New.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(from, dir)
		}
		if !s.has(r.Old.Path) {
			if _, err := s.readModule(dir, true); err != nil {
				return err
			}
			s.modules[len(s.modules)-1].Path = r.Old.Path // its own need not be the same
		}
	}
	return nil
}

// dirOf is where a package of the module would be.
func (m Module) dirOf(importPath string) string {
	return filepath.Join(m.Dir, filepath.FromSlash(strings.TrimPrefix(importPath[len(m.Path):], "/")))
}

func (s *Set) has(path string) bool {
	return slices.ContainsFunc(s.modules, func(m Module) bool { return m.Path == path })
}
