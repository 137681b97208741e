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

// A ServedModule is a module as the language server sees it.
type ServedModule struct {
	Dir       string    `json:"dir"`
	Packages  []Package `json:"packages"`
	Documents int       `json:"documents"`
	Tools     int       `json:"tools"`
	Errors    int       `json:"errors"`
	Warnings  int       `json:"warnings"`
	Load      int64     `json:"load_ms"` // how long loading and compiling took, in milliseconds
}

// A Package is a package with .aion files.
type Package struct {
	Path       string   `json:"path"`
	Documents  int      `json:"documents"`
	Directives []string `json:"directives"` // the go:generate lines, as file:line
}

// maxNames limits the files that a problem lists.
const maxNames = 4

// compileModule compiles a module as the language server does. It adds problems about errors, about
// generated code that is out of date, and about packages that do not compile.
func (e *examiner) compileModule(dir string) ServedModule {
	start := time.Now()
	session := gen.NewSession(gen.Config{Dir: dir, Patterns: []string{"./..."}})
	ctx, cancel := context.WithTimeout(e.ctx, e.goTimeout)
	defer cancel()
	result, faults := session.Generate(ctx)
	served := ServedModule{
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
	if first != nil && (first.Code != "go-list" || len(e.Problems) == 0) { // an earlier problem, such as one of go.mod, may explain an error of go list
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
	// Packages for other systems or build tags cannot be built here.
	if failure != "" && !strings.Contains(failure, "build constraints exclude all Go files") {
		e.addProblem("run go build ./... in "+dir+" and fix the errors", "packages in %s do not compile: %s", dir, failure)
	}
}
