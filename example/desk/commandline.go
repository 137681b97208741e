package desk

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

// CommandLine returns the command with which the user started this program, for messages that show commands. It is go
// run with the package if go run has built the program, and os.Args[0] otherwise.
func CommandLine() string {
	info, ok := debug.ReadBuildInfo()
	executable, err := os.Executable()
	if !ok || err != nil || !isBuiltByGoRun(executable) {
		return os.Args[0]
	}
	dir, err := os.Getwd()
	if err != nil {
		return os.Args[0]
	}
	return goRunCommand(dir, os.Getenv("PWD"), findModule(dir), strings.TrimPrefix(info.Path, info.Main.Path))
}

// goRunPath matches the paths of programs that go run has built, in the build cache or in a temporary directory.
var goRunPath = regexp.MustCompile(`/[0-9a-f]{64}-d/[^/]+$|/b[0-9]+/exe/[^/]+$`)

func isBuiltByGoRun(executable string) bool {
	return goRunPath.MatchString(filepath.ToSlash(executable))
}

// findModule returns the closest directory with a go.mod file, or "".
func findModule(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// goRunCommand returns the command that runs the package with the path pkg in a module. dir is the working directory of
// the program, and shellDir that of the shell. They differ if go run has the flag -C.
func goRunCommand(dir, shellDir, module, pkg string) string {
	command := "go run"
	if real, err := filepath.EvalSymlinks(shellDir); err == nil && real != dir {
		if rel, err := filepath.Rel(real, dir); err == nil {
			command += " -C " + filepath.ToSlash(rel)
		}
	}
	rel, err := filepath.Rel(dir, filepath.Join(module, filepath.FromSlash(pkg)))
	if err != nil || module == "" {
		return command + " ."
	}
	rel = filepath.ToSlash(rel)
	if rel != "." && !strings.HasPrefix(rel, "../") {
		rel = "./" + rel
	}
	return command + " " + rel
}

// programName returns the name of the program in a command line.
func programName(commandLine string) string {
	return path.Base(filepath.ToSlash(commandLine[strings.LastIndexByte(commandLine, ' ')+1:]))
}
