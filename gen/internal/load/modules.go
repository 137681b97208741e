package load

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
)

// A workModule is a module whose packages are read from source.
type workModule struct {
	Path      string
	Dir       string // absolute
	GoVersion string // "1.26"
	Replaces  bool   // a replace directive points to Dir
}

// A moduleSet holds the main modules of a directory, the directories that replace modules, and the
// vendor directory.
type moduleSet struct {
	Env  Env
	Tags string // from the command line or GOFLAGS, in the syntax of the go command

	// ModFiles are the files that determine the modules and their versions: go.mod, go.sum,
	// go.work, go.work.sum and vendor/modules.txt. Some of them may not exist.
	ModFiles []string

	files    Overlay
	mod      string // value of -mod
	modules  []workModule
	vendored *vendoredPackages // nil if there is no vendor directory in use
	required map[string]bool   // paths of required modules
	context  build.Context
	packages map[string]*modulePackage // by directory
	searched map[string]bool           // directories in which findPackage has looked for packages
}

// openModules reads the modules. The build tags in tags come from the command line and take precedence over
// those in GOFLAGS.
func openModules(env Env, tags string, files Overlay) (*moduleSet, error) {
	s := &moduleSet{Env: env, Tags: tags, files: files, required: map[string]bool{}, packages: map[string]*modulePackage{}, searched: map[string]bool{}}
	if err := s.readFlags(); err != nil {
		return nil, err
	}
	if hasDriver() {
		return nil, newNeedGoCommandError("a driver of go/packages is in use")
	}
	if env["GO111MODULE"] == "off" || strings.Contains(env["GOVERSION"], "devel") {
		return nil, newNeedGoCommandError("modules are off, or the toolchain is not a release")
	}
	var err error
	if work := env["GOWORK"]; work != "" && work != "off" {
		err = s.readWorkspace(work)
	} else {
		err = s.readMainModule(env["GOMOD"])
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(s.modules, func(a, b workModule) int { return len(b.Path) - len(a.Path) })
	return s, s.setContext()
}

// hasDriver reports whether go/packages uses a program other than the go command.
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

// readFlags reads -tags and -mod from GOFLAGS. It returns an error for other flags that may
// affect how packages are loaded.
func (s *moduleSet) readFlags() error {
	for name, value := range s.Env.ParseFlags() {
		switch name {
		case "tags":
			if s.Tags == "" {
				s.Tags = value
			}
		case "mod":
			if value != "readonly" && value != "mod" && value != "vendor" {
				return newNeedGoCommandError("GOFLAGS has -mod=%s", value)
			}
			s.mod = value
		case "buildvcs", "trimpath", "p", "v", "modcacherw", "count", "ldflags", "gcflags":
		default:
			return newNeedGoCommandError("GOFLAGS has -%s", name)
		}
	}
	return nil
}

func (s *moduleSet) setContext() error {
	release, ok := strings.CutPrefix(version.Lang(s.Env["GOVERSION"]), "go1.")
	minor := 0
	if _, err := fmt.Sscan(release, &minor); !ok || err != nil {
		return newNeedGoCommandError("the toolchain is %s", s.Env["GOVERSION"])
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

func (s *moduleSet) readMainModule(path string) error {
	if path == "" || path == os.DevNull || filepath.Base(path) != "go.mod" {
		return newNeedGoCommandError("there is no go.mod file")
	}
	s.ModFiles = append(s.ModFiles, filepath.Join(filepath.Dir(path), "vendor", "modules.txt"))
	mod, err := s.readModule(filepath.Dir(path), false)
	if err != nil {
		return err
	}
	useVendored, err := s.readVendorDir(filepath.Dir(path), mod.Go.Version, false)
	switch {
	case err != nil:
		return err
	case useVendored:
		return s.checkVendored([]*modfile.File{mod}, nil)
	}
	return s.addReplacements(filepath.Dir(path), mod.Replace)
}

func (s *moduleSet) readWorkspace(path string) error {
	s.ModFiles = append(s.ModFiles, path, path+".sum", filepath.Join(filepath.Dir(path), "vendor", "modules.txt"))
	text, err := s.files.ReadFile(path)
	if err != nil {
		return newNeedGoCommandError("%v", err)
	}
	work, err := modfile.ParseWork(path, text, nil)
	if err != nil || work.Go == nil || s.mod == "mod" {
		return newNeedGoCommandError("go.work is invalid, or GOFLAGS has -mod=mod")
	}
	var mods []*modfile.File
	var addReplaced []func() error // called after all requirements are known
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
		addReplaced = append(addReplaced, func() error { return s.addReplacements(dir, mod.Replace) })
	}
	useVendored, err := s.readVendorDir(filepath.Dir(path), work.Go.Version, true)
	switch {
	case err != nil:
		return err
	case useVendored:
		return s.checkVendored(mods, work.Replace)
	}
	for _, replace := range append(addReplaced, func() error { return s.addReplacements(filepath.Dir(path), work.Replace) }) {
		if err := replace(); err != nil {
			return err
		}
	}
	return nil
}

// readModule adds the module in a directory. The parameter replaces says whether a replace directive points
// to the directory.
func (s *moduleSet) readModule(dir string, replaces bool) (*modfile.File, error) {
	path := filepath.Join(dir, "go.mod")
	s.ModFiles = append(s.ModFiles, path)
	if !replaces {
		s.ModFiles = append(s.ModFiles, filepath.Join(dir, "go.sum"))
	}
	text, err := s.files.ReadFile(path)
	if err != nil {
		return nil, newNeedGoCommandError("%v", err)
	}
	mod, err := modfile.Parse(path, text, nil)
	switch {
	case err != nil || mod.Module == nil || mod.Go == nil:
		return nil, newNeedGoCommandError("%s is invalid, or has no module or go line", path)
	case mod.Module.Mod.Path == "std" || mod.Module.Mod.Path == "cmd" || len(mod.Ignore) > 0:
		return nil, newNeedGoCommandError("%s declares module std or cmd, or has an ignore line", path)
	case version.Compare(version.Lang("go"+mod.Go.Version), version.Lang(s.Env["GOVERSION"])) > 0:
		return nil, newNeedGoCommandError("%s requires a newer toolchain", path)
	}
	s.modules = append(s.modules, workModule{Path: mod.Module.Mod.Path, Dir: dir, GoVersion: mod.Go.Version, Replaces: replaces})
	for _, r := range mod.Require {
		s.required[r.Mod.Path] = true
	}
	return mod, nil
}

// addReplacements adds the directories that replace required modules. Their relative paths start at the
// directory from.
func (s *moduleSet) addReplacements(from string, replacements []*modfile.Replace) error {
	for _, r := range replacements {
		if r.New.Version != "" || !s.required[r.Old.Path] {
			continue
		}
		if r.Old.Version != "" {
			return newNeedGoCommandError("a directory replaces one version of %s", r.Old.Path)
		}
		dir := filepath.FromSlash(r.New.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(from, dir)
		}
		if !slices.ContainsFunc(s.modules, func(m workModule) bool { return m.Path == r.Old.Path }) {
			if _, err := s.readModule(dir, true); err != nil {
				return err
			}
			s.modules[len(s.modules)-1].Path = r.Old.Path // the module may declare another path
		}
	}
	return nil
}

// packageDir returns the directory of a package of the module, which need not exist.
func (m workModule) packageDir(importPath string) string {
	return filepath.Join(m.Dir, filepath.FromSlash(strings.TrimPrefix(importPath[len(m.Path):], "/")))
}
