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

// vendoredPackages describes a vendor directory, which has copies of packages of other modules.
type vendoredPackages struct {
	dir       string
	workspace bool                      // created for a workspace
	packages  map[string]module.Version // modules by import path
	modules   map[module.Version]*vendoredModule
}

// A vendoredModule is an entry of modules.txt.
type vendoredModule struct {
	explicit    bool
	goVersion   string
	replaced    bool
	replacement module.Version
}

// readVendorDir reads the vendor directory of the main module or workspace and reports whether the
// go command uses it. The version goVersion is from the go.mod or go.work file.
func (s *moduleSet) readVendorDir(root, goVersion string, workspace bool) (bool, error) {
	dir := filepath.Join(root, "vendor")
	info, err := os.Stat(dir)
	exists := err == nil && info.IsDir()
	old := version.Compare("go"+goVersion, "go1.14") < 0
	if s.mod == "" && (!exists || old) || s.mod == "readonly" || s.mod == "mod" {
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
	if !exists || old || v.workspace != workspace {
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
	var current module.Version
	for line := range strings.SplitSeq(text, "\n") {
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "# ") && len(fields) >= 3:
			current = v.addModule(fields[1:])
		case strings.HasPrefix(line, "# ") || current.Path == "":
		case strings.HasPrefix(line, "## "):
			v.modules[current].addAnnotations(splitAnnotations(line))
		case len(fields) == 1 && module.CheckImportPath(fields[0]) == nil:
			v.packages[fields[0]] = current
		}
	}
	return v
}

// splitAnnotations returns the annotations of a line that begins with ##. For example, "##
// explicit; go 1.26" has two annotations.
func splitAnnotations(line string) (all []string) {
	if text, ok := strings.CutPrefix(line, "## "); ok {
		for part := range strings.SplitSeq(text, ";") {
			all = append(all, strings.TrimSpace(part))
		}
	}
	return all
}

// addModule parses the fields of a line about a module, such as "# example.com/m v1.2.3 => ../m":
// its path, its version unless all versions are replaced, and its replacement. It returns the zero
// Version for an invalid line.
func (v *vendoredPackages) addModule(fields []string) module.Version {
	mod := module.Version{Path: fields[0]}
	rest := fields[1:]
	switch {
	case semver.IsValid(rest[0]):
		mod.Version, rest = rest[0], rest[1:]
	case rest[0] != "=>":
		return module.Version{}
	}
	m := v.modules[mod]
	if m == nil {
		m = &vendoredModule{}
		v.modules[mod] = m
	}
	if len(rest) == 2 && rest[0] == "=>" {
		m.replaced, m.replacement = true, module.Version{Path: rest[1]}
	} else if len(rest) == 3 && rest[0] == "=>" && semver.IsValid(rest[2]) {
		m.replaced, m.replacement = true, module.Version{Path: rest[1], Version: rest[2]}
	}
	return mod
}

func (m *vendoredModule) addAnnotations(all []string) {
	for _, a := range all {
		m.explicit = m.explicit || a == "explicit"
		if v, ok := strings.CutPrefix(a, "go "); ok {
			m.goVersion = v
		}
	}
}

// checkVendored returns an error if the vendor directory does not match the go.mod files. The go
// command then rejects it with a better message.
func (s *moduleSet) checkVendored(mods []*modfile.File, replace []*modfile.Replace) error {
	required := map[module.Version]bool{}
	for _, mod := range mods {
		for _, r := range mod.Require {
			required[r.Mod] = true
			if m := s.vendored.modules[r.Mod]; m == nil || !m.explicit {
				return newNeedGoCommandError("vendor/modules.txt does not list the requirement of %s", r.Mod)
			}
		}
		replace = append(replace, mod.Replace...)
	}
	if s.vendored.workspace && len(replace) > 0 {
		return newNeedGoCommandError("the workspace is vendored and has replacements")
	}
	replaced := map[module.Version]bool{}
	for _, r := range replace {
		replaced[r.Old] = true
		if m := s.vendored.modules[r.Old]; m == nil || m.replacement != r.New {
			return newNeedGoCommandError("vendor/modules.txt does not list the replacement of %s", r.Old)
		}
	}
	return s.checkListed(required, replaced)
}

// checkListed returns an error if modules.txt lists a module that the go.mod files do not require
// or replace, or that needs a newer toolchain.
func (s *moduleSet) checkListed(required, replaced map[module.Version]bool) error {
	for mod, m := range s.vendored.modules {
		switch {
		case m.explicit && !required[mod] || m.replaced && !replaced[mod] && !replaced[module.Version{Path: mod.Path}]:
			return newNeedGoCommandError("vendor/modules.txt and the go.mod files differ about %s", mod)
		case m.goVersion != "" && version.Compare("go"+m.goVersion, s.Env["GOVERSION"]) > 0:
			return newNeedGoCommandError("%s requires a newer toolchain", mod)
		}
	}
	return nil
}
