package load

import (
	"errors"
	"go/version"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// vendoredPackages is a vendor directory, with copies of packages of other modules.
type vendoredPackages struct {
	dir       string
	workspace bool // created for a workspace
	packages  map[string]module.Version
	modules   map[module.Version]*vendoredModule
}

// A vendoredModule is an entry of modules.txt.
type vendoredModule struct {
	explicit    bool
	goVersion   string
	replaced    bool
	replacement module.Version
}

// readVendorDir reads the vendor directory of the main module or workspace and reports
// whether the go command uses it. The goVersion is that of the go.mod or go.work file.
func (s *moduleSet) readVendorDir(root, goVersion string, workspace bool) (bool, error) {
	dir := filepath.Join(root, "vendor")
	info, err := os.Stat(dir)
	is := err == nil && info.IsDir()
	old := version.Compare("go"+goVersion, "go1.14") < 0
	if s.mod == "" && (!is || old) || s.mod == "readonly" || s.mod == "mod" {
		return false, nil
	}
	text, err := s.files.ReadFile(filepath.Join(dir, "modules.txt"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, newNeedGoCommandError("%v", err)
	}
	v := parseVendored(string(text))
	v.dir = dir
	if s.mod == "" && v.workspace != workspace {
		return false, nil
	}
	if !is || old || v.workspace != workspace {
		return false, newNeedGoCommandError("the vendor directory does not match -mod=vendor")
	}
	s.vendored = v
	return true, nil
}

// parseVendored parses modules.txt. Like the go command, it ignores unknown lines.
func parseVendored(text string) *vendoredPackages {
	v := &vendoredPackages{packages: map[string]module.Version{}, modules: map[module.Version]*vendoredModule{}}
	first, _, _ := strings.Cut(text, "\n")
	v.workspace = slices.Contains(splitAnnotations(first), "workspace")
	var of module.Version
	for line := range strings.SplitSeq(text, "\n") {
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "# ") && len(fields) >= 3:
			of = v.addModule(fields[1:])
		case strings.HasPrefix(line, "# ") || of.Path == "":
		case strings.HasPrefix(line, "## "):
			v.modules[of].addAnnotations(splitAnnotations(line))
		case len(fields) == 1 && module.CheckImportPath(fields[0]) == nil:
			v.packages[fields[0]] = of
		}
	}
	return v
}

// splitAnnotations returns the annotations of a line that starts with ##, separated by
// semicolons.
func splitAnnotations(line string) (all []string) {
	if text, ok := strings.CutPrefix(line, "## "); ok {
		for part := range strings.SplitSeq(text, ";") {
			all = append(all, strings.TrimSpace(part))
		}
	}
	return all
}

// addModule parses a line about a module: its path, its version unless all versions are
// replaced, and its replacement.
func (v *vendoredPackages) addModule(fields []string) module.Version {
	of := module.Version{Path: fields[0]}
	rest := fields[1:]
	switch {
	case semver.IsValid(rest[0]):
		of.Version, rest = rest[0], rest[1:]
	case rest[0] != "=>":
		return module.Version{}
	}
	m := v.modules[of]
	if m == nil {
		m = &vendoredModule{}
		v.modules[of] = m
	}
	if len(rest) == 2 && rest[0] == "=>" {
		m.replaced, m.replacement = true, module.Version{Path: rest[1]}
	} else if len(rest) == 3 && rest[0] == "=>" && semver.IsValid(rest[2]) {
		m.replaced, m.replacement = true, module.Version{Path: rest[1], Version: rest[2]}
	}
	return of
}

func (m *vendoredModule) addAnnotations(all []string) {
	for _, a := range all {
		m.explicit = m.explicit || a == "explicit"
		if v, ok := strings.CutPrefix(a, "go "); ok {
			m.goVersion = v
		}
	}
}

// checkVendored returns an error unless the vendor directory matches the files of the
// modules. Otherwise the go command rejects it with a better message.
func (s *moduleSet) checkVendored(mods []*modfile.File, replace []*modfile.Replace) error {
	required := map[module.Version]bool{}
	for _, mod := range mods {
		for _, r := range mod.Require {
			required[r.Mod] = true
			if m := s.vendored.modules[r.Mod]; m == nil || !m.explicit {
				return newNeedGoCommandError("%s is not vendored as required", r.Mod)
			}
		}
		replace = append(replace, mod.Replace...)
	}
	if s.vendored.workspace && len(replace) > 0 {
		return newNeedGoCommandError("a workspace with replacements is vendored")
	}
	replaced := map[module.Version]bool{}
	for _, r := range replace {
		replaced[r.Old] = true
		if m := s.vendored.modules[r.Old]; m == nil || m.replacement != r.New {
			return newNeedGoCommandError("%s is not vendored as replaced", r.Old)
		}
	}
	return s.checkListed(required, replaced)
}

// checkListed returns an error if the vendor directory has modules that are not required or
// replaced as it claims, or that need a newer toolchain.
func (s *moduleSet) checkListed(required, replaced map[module.Version]bool) error {
	for of, m := range s.vendored.modules {
		switch {
		case m.explicit && !required[of] || m.replaced && !replaced[of] && !replaced[module.Version{Path: of.Path}]:
			return newNeedGoCommandError("%s is vendored otherwise", of)
		case m.goVersion != "" && version.Compare("go"+m.goVersion, s.Env["GOVERSION"]) > 0:
			return newNeedGoCommandError("%s requires a newer toolchain", of)
		}
	}
	return nil
}
