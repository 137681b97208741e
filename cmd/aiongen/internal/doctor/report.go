package doctor

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aiongen/aiongen/internal/words"
)

// A Report describes an installation. The order of its lists does not vary between runs.
type Report struct {
	Aiongen     Build          `json:"aiongen"`
	Go          string         `json:"go"`               // version and platform; "" if the go command fails
	Environment []string       `json:"environment"`      // the settings of the go command, as NAME=VALUE
	Module      *Module        `json:"module,omitempty"` // nil outside of a module
	Workspace   string         `json:"workspace"`        // the go.work file, or ""
	Programs    []Build        `json:"programs"`         // the programs called aiongen in PATH
	Caches      []Cache        `json:"caches"`
	Server      []ServedModule `json:"server"` // the modules that the language server compiles

	Problems []Problem `json:"problems"`
}

// A Build describes an aiongen program.
type Build struct {
	Path    string `json:"path,omitempty"`
	Version string `json:"version"`
	Go      string `json:"go,omitempty"` // the Go version that built the program
	Commit  string `json:"commit,omitempty"`
}

// A Module is the main module of the directory.
type Module struct {
	Path      string `json:"path"`
	Dir       string `json:"dir"`
	Go        string `json:"go,omitempty"`        // from go.mod
	Toolchain string `json:"toolchain,omitempty"` // from go.mod
	Aiongen   string `json:"aiongen,omitempty"`   // the selected version or its replacement; "" if it is not required
	IsTool    bool   `json:"is_tool"`             // go.mod has the tool directive

	library library // the version of aiongen that the go command selects
}

// A Problem is something that keeps aiongen from working well.
type Problem struct {
	Message string `json:"message"`
	Fix     string `json:"fix"` // what to do
}

// An examiner collects a report.
type examiner struct {
	Config
	*Report
	ctx      context.Context
	shown    hider
	settings map[string]string // of the go command
	modules  []string          // directories of the modules that the server compiles

	goTimeout time.Duration // of each run of the go command
}

// newReport returns a report whose lists are empty arrays in JSON.
func newReport() *Report {
	return &Report{Environment: []string{}, Programs: []Build{}, Caches: []Cache{}, Server: []ServedModule{}, Problems: []Problem{}}
}

// addProblem adds a problem unless the report already has it. It hides private data in the message and
// the fix, because they may quote files and the output of programs.
func (e *examiner) addProblem(fix, format string, args ...any) {
	message := words.Cut(e.shown.hide(fmt.Sprintf(format, args...)), maxMessage)
	if p := (Problem{message, e.shown.hide(fix)}); !slices.Contains(e.Problems, p) {
		e.Problems = append(e.Problems, p)
	}
}

// maxMessage limits the length of a message, in bytes.
const maxMessage = 300
