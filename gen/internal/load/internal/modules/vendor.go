package modules

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

// A vendored directory holds copies of packages of other modules.
type vendored struct {
	dir       string
	workspace bool // it was written for one
	packages  map[string]module.Version
	modules   map[module.Version]*vendoredModule
}

// A vendoredModule is what modules.txt says of one.
type vendoredModule struct {
	explicit  bool
	goVersion string
	replaced  bool
	by        module.Version
}

// vendors reads the vendor directory of the main module or workspace, if that is where
// the go command takes packages from: goVersion is the one that its file names.
func (s *Set) vendors(root, goVersion string, workspace bool) (bool, error) {
	dir := filepath.Join(root, "vendor")
	info, err := os.Stat(dir)
	is := err == nil && info.IsDir()
	old := version.Compare("go"+goVersion, "go1.14") < 0
	if s.mod == "" && (!is || old) || s.mod == "readonly" || s.mod == "mod" {
		return false, nil
	}
	text, err := s.files.ReadFile(filepath.Join(dir, "modules.txt"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, uncertain("%v", err)
	}
	v := readVendored(string(text))
	v.dir = dir
	if s.mod == "" && v.workspace != workspace {
		return false, nil
	}
	if !is || old || v.workspace != workspace {
		return false, uncertain("the vendor directory is none for -mod=vendor")
	}
	s.vendored = v
	return true, nil
}

// readVendored reads what stands in modules.txt. As the go command does it passes over
// what it does not know.
func readVendored(text string) *vendored {
	v := &vendored{packages: map[string]module.Version{}, modules: map[module.Version]*vendoredModule{}}
	first, _, _ := strings.Cut(text, "\n")
	v.workspace = slices.Contains(annotations(first), "workspace")
	var of module.Version
	for line := range strings.SplitSeq(text, "\n") {
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "# ") && len(fields) >= 3:
			of = v.module(fields[1:])
		case strings.HasPrefix(line, "# ") || of.Path == "":
		case strings.HasPrefix(line, "## "):
			v.modules[of].annotate(annotations(line))
		case len(fields) == 1 && module.CheckImportPath(fields[0]) == nil:
			v.packages[fields[0]] = of
		}
	}
	return v
}

// annotations are what stands behind two signs, with semicolons.
func annotations(line string) (all []string) {
	if text, ok := strings.CutPrefix(line, "## "); ok {
		for part := range strings.SplitSeq(text, ";") {
			all = append(all, strings.TrimSpace(part))
		}
	}
	return all
}

// module reads a line that begins with a module: its path, its version unless all are
// replaced, and what replaces it.
func (v *vendored) module(fields []string) module.Version {
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
		m.replaced, m.by = true, module.Version{Path: rest[1]}
	} else if len(rest) == 3 && rest[0] == "=>" && semver.IsValid(rest[2]) {
		m.replaced, m.by = true, module.Version{Path: rest[1], Version: rest[2]}
	}
	return of
}

func (m *vendoredModule) annotate(all []string) {
	for _, a := range all {
		m.explicit = m.explicit || a == "explicit"
		if v, ok := strings.CutPrefix(a, "go "); ok {
			m.goVersion = v
		}
	}
}

// agree returns an error unless the vendor directory is plainly what the files of the
// modules say: otherwise the go command refuses it, and says better why.
func (s *Set) agree(mods []*modfile.File, replace []*modfile.Replace) error {
	required := map[module.Version]bool{}
	for _, mod := range mods {
		for _, r := range mod.Require {
			required[r.Mod] = true
			if m := s.vendored.modules[r.Mod]; m == nil || !m.explicit {
				return uncertain("%s is not vendored as required", r.Mod)
			}
		}
		replace = append(replace, mod.Replace...)
	}
	if s.vendored.workspace && len(replace) > 0 {
		return uncertain("a workspace with replacements is vendored")
	}
	replaced := map[module.Version]bool{}
	for _, r := range replace {
		replaced[r.Old] = true
		if m := s.vendored.modules[r.Old]; m == nil || m.by != r.New {
			return uncertain("%s is not vendored as replaced", r.Old)
		}
	}
	for of, m := range s.vendored.modules {
		switch {
		case m.explicit && !required[of] || m.replaced && !replaced[of] && !replaced[module.Version{Path: of.Path}]:
			return uncertain("%s is vendored otherwise", of)
		case m.goVersion != "" && version.Compare("go"+m.goVersion, s.Env["GOVERSION"]) > 0:
			return uncertain("%s wants a newer toolchain", of)
		}
	}
	return nil
}
