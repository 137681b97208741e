// Package doctor describes an installation of aiongen for a bug report, and finds common problems.
//
// Examine collects the Report, and Report.WriteText prints it. A Report contains no secrets: URLs
// have no user, path or query, and ~ replaces the home directory.
package doctor

import (
	"context"
	"runtime"
	"time"
)

// Config describes what Examine examines.
type Config struct {
	Dir     string // absolute path of a directory, usually in a module
	Version string // of the running aiongen
	Commit  string // from which it was built; "" if unknown
}

// maxGoTime limits the time of each run of the go command, which may compile packages.
const maxGoTime = 5 * time.Minute

// Examine examines a directory and the environment of the process. It runs the go command, compiles
// the packages of the workspace, and writes nothing but temporary files.
func Examine(ctx context.Context, cfg Config) *Report {
	e := &examiner{Config: cfg, Report: newReport(), ctx: ctx, shown: newHider(), goTimeout: maxGoTime}
	e.Aiongen = Build{Version: cfg.Version, Go: runtime.Version(), Commit: cfg.Commit}
	e.findPrograms()
	if e.readSettings() {
		e.findModules()
		e.readModule()
		for _, dir := range e.modules {
			e.Server = append(e.Server, e.compileModule(dir))
		}
	}
	e.examineCaches()
	return e.Report
}
