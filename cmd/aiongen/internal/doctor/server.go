package doctor

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/internal/words"
)

// A Served is a module as the language server sees it.
type Served struct {
	Dir       string    `json:"dir"`
	Packages  []Package `json:"packages"`
	Documents int       `json:"documents"`
	Tools     int       `json:"tools"`
	Errors    int       `json:"errors"`
	Warnings  int       `json:"warnings"`
	Load      int64     `json:"load_ms"` // how long loading and compiling took, in milliseconds
}

// A Package is one with .aion files.
type Package struct {
	Path       string   `json:"path"`
	Documents  int      `json:"documents"`
	Directives []string `json:"directives"` // places of the go:generate lines
}

// maxNames limits the files that a problem lists.
const maxNames = 4

// compileModule compiles a module, and checks that its packages are in order.
func (e *examiner) compileModule(dir string) Served {
	start := time.Now()
	session := gen.NewSession(gen.Config{Dir: dir, Patterns: []string{"./..."}})
	ctx, cancel := context.WithTimeout(e.ctx, e.goTimeout)
	defer cancel()
	result, faults := session.Generate(ctx)
	served := Served{
		Dir: e.shown.hide(dir), Packages: []Package{}, Load: time.Since(start).Milliseconds(),
		Documents: len(session.Documents()), Tools: len(session.Tools()),
	}
	var first *diag.Diagnostic
	for _, fault := range faults {
		switch {
		case fault.Code == "no-packages": // a module may have no Go files
		case fault.Severity == diag.Error:
			if served.Errors++; first == nil {
				first = fault
			}
		case fault.Severity == diag.Warning:
			served.Warnings++
		}
	}
	var paths []string
	for _, p := range session.Packages() {
		shown := Package{Path: e.shown.hide(p.Path), Documents: p.Documents, Directives: []string{}}
		for _, at := range p.Directives {
			shown.Directives = append(shown.Directives, e.shown.hide(fmt.Sprintf("%s:%d", at.File, at.Start.Line)))
		}
		served.Packages, paths = append(served.Packages, shown), append(paths, p.Path)
	}
	if first != nil && (first.Code != "go-list" || len(e.Problems) == 0) { // go.mod may have its problem already
		e.addProblem("run go tool aiongen check ./... in "+dir, "%s in %s, such as: %v", words.Count(served.Errors, "error"), dir, first)
	}
	if len(result.Changes) > 0 {
		var names []string
		for _, change := range result.Changes {
			names = append(names, change.Name)
		}
		e.addProblem("run go tool aiongen ./... in "+dir, "generated code in %s is out of date: %s", dir, words.Join(names, " and ", maxNames))
	}
	e.checkBuild(dir, paths)
	return served
}

// checkBuild checks that packages compile.
func (e *examiner) checkBuild(dir string, paths []string) {
	if len(paths) == 0 {
		return
	}
	_, failure := e.runGo(dir, append([]string{"build", "-o", os.DevNull, "--"}, paths...)...)
	// Packages for other systems or tags do not matter here.
	if failure != "" && !strings.Contains(failure, "build constraints exclude all Go files") {
		e.addProblem("run go build ./... in "+dir+" and fix the errors", "packages in %s do not compile: %s", dir, failure)
	}
}
