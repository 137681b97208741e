package doctor

import (
	"encoding/json"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/aiongen/aiongen/gen/lsp"
	"github.com/aiongen/aiongen/internal/regularfile"
)

const (
	modulePath = "github.com/aiongen/aiongen"
	toolPath   = modulePath + "/cmd/aiongen"
	addTool    = "go get -tool " + toolPath + "@latest"
)

// A library is the module of aiongen as go list -m -json describes it.
type library struct {
	Version   string
	GoVersion string
	Main      bool
	Replace   *struct{ Path, Version string }
}

// shownVersion returns the version for the report.
func (l library) shownVersion() string {
	switch {
	case l.Main:
		return "is this module"
	case l.Replace != nil && l.Replace.Version == "":
		return "replaced by " + l.Replace.Path
	case l.Replace != nil:
		return "replaced by " + l.Replace.Path + " " + l.Replace.Version
	}
	return l.Version
}

// release returns the version. It returns "" for the main module and for a replaced module, because their
// source may differ from every release.
func (l library) release() string {
	if l.Main || l.Replace != nil {
		return ""
	}
	return l.Version
}

// findModules finds the modules that the language server would compile if an editor opened the
// workspace or, without a workspace, the module.
func (e *examiner) findModules() {
	root := e.Dir
	if work := e.settings["GOWORK"]; work != "" && work != "off" {
		e.Workspace, root = e.shown.hide(work), filepath.Dir(work)
	}
	e.modules = lsp.FindModules(root)
}

// readModule reads the main module and the version of aiongen that it uses, and checks them.
func (e *examiner) readModule() {
	path := e.settings["GOMOD"]
	if path == "" || path == os.DevNull {
		if e.Workspace == "" {
			e.addProblem("run the command in a module, or create one: go mod init example.com/name", "the folder does not belong to a module: there is no go.mod")
		}
		return
	}
	file, err := readModFile(path)
	if err != nil {
		e.addProblem("correct go.mod", "go.mod cannot be read: %v", err)
		return
	}
	m := &Module{Dir: e.shown.hide(filepath.Dir(path)), IsTool: hasTool(file)}
	if file.Module != nil {
		m.Path = e.shown.hide(file.Module.Mod.Path)
	}
	if file.Go != nil {
		m.Go = file.Go.Version
	}
	if file.Toolchain != nil {
		m.Toolchain = e.shown.hide(file.Toolchain.Name)
	}
	e.Module = m
	if e.Workspace != "" && !slices.Contains(e.modules, filepath.Dir(path)) {
		e.addProblem("run go work use . or set GOWORK=off", "%s does not use the module, so the go command and editors ignore the module", e.Workspace)
		return
	}
	out, failure := e.runGo(e.Dir, "list", "-m", "-json", modulePath)
	switch {
	case strings.Contains(failure, "not a known dependency"):
		e.addProblem(addTool, "go.mod does not require aiongen")
		return
	case failure != "" || json.Unmarshal(out, &m.library) != nil:
		e.addProblem(explainFailure(failure), "the go command cannot find aiongen: %s", failure)
		return
	}
	m.Aiongen = e.shown.hide(m.library.shownVersion())
	e.checkTool()
	e.checkVersions(m.library, requiredVersion(file))
	e.checkGo(m)
}

func readModFile(path string) (*modfile.File, error) {
	text, err := regularfile.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(filepath.Base(path), text, nil)
}

func hasTool(file *modfile.File) bool {
	return slices.ContainsFunc(file.Tool, func(t *modfile.Tool) bool { return t.Path == toolPath })
}

// checkTool checks that go tool finds aiongen. In a workspace, it finds the tools of all modules.
func (e *examiner) checkTool() {
	for _, dir := range e.modules {
		if file, err := readModFile(filepath.Join(dir, "go.mod")); err == nil && hasTool(file) {
			return
		}
	}
	e.addProblem(addTool, "go.mod has no tool directive for aiongen, so go tool aiongen does not work")
}

// requiredVersion returns the version of aiongen in go.mod, or "".
func requiredVersion(file *modfile.File) string {
	for _, r := range file.Require {
		if r.Mod.Path == modulePath {
			return r.Mod.Version
		}
	}
	return ""
}

// checkVersions checks that the running program, go.mod and the workspace have the same version of
// aiongen. It ignores versions that are not releases.
func (e *examiner) checkVersions(selected library, required string) {
	release := selected.release()
	if release == "" {
		return
	}
	if semver.IsValid(e.Version) && e.Version != release {
		e.addProblem("run go tool aiongen instead of a program in PATH, or "+addTool,
			"this program is aiongen %s, but the module uses its packages in version %s", e.Version, release)
	}
	if required != "" && required != release {
		e.addProblem("go get -tool "+toolPath+"@"+release,
			"go.mod requires aiongen %s, but the workspace selects %s, so the generated code differs without go.work", required, release)
	}
}

// checkGo checks that the Go version suffices for aiongen.
func (e *examiner) checkGo(m *Module) {
	needed := "go" + m.library.GoVersion
	if !version.IsValid(needed) {
		return
	}
	if version.Compare(e.settings["GOVERSION"], needed) < 0 {
		e.addProblem("install "+needed+", or let the go command download it: go env -w GOTOOLCHAIN=auto",
			"aiongen needs %s, but the go command is %s", needed, e.settings["GOVERSION"])
	}
	if m.Go != "" && version.Compare("go"+m.Go, needed) < 0 {
		e.addProblem("go get go@"+m.library.GoVersion, "aiongen needs %s, but go.mod says go %s", needed, m.Go)
	}
	if built := e.Aiongen.Go; version.Compare(version.Lang(built), version.Lang(e.settings["GOVERSION"])) < 0 {
		e.addProblem("build it again: go install "+toolPath,
			"this program was built with %s and may not understand the packages of %s", built, e.settings["GOVERSION"])
	}
}
