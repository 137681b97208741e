package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// settingNames are the settings of the go command that a report shows, sorted.
var settingNames = []string{
	"CGO_ENABLED", "GO111MODULE", "GOARCH", "GODEBUG", "GOEXPERIMENT", "GOFLAGS", "GOOS", "GOPROXY", "GOTOOLCHAIN", "GOWORK",
}

// readSettings reads the settings of the go command. If the go command fails, readSettings adds a
// problem and returns false.
func (e *examiner) readSettings() bool {
	out, failure := e.runGo(e.Dir, append([]string{"env", "-json", "GOVERSION", "GOMOD", "GOCACHE"}, settingNames...)...)
	if failure == "" && json.Unmarshal(out, &e.settings) != nil {
		failure = "go env does not print JSON"
	}
	if failure != "" {
		e.addProblem(explainFailure(failure), "the go command fails: %s", failure)
		return false
	}
	e.shown.secrets = findSecrets(e.settings["GOFLAGS"], e.settings["GOPROXY"])
	e.Go = e.shown.hide(e.settings["GOVERSION"] + " " + e.settings["GOOS"] + "/" + e.settings["GOARCH"])
	for _, name := range settingNames {
		if value := e.settings[name]; value != "" && name != "GOOS" && name != "GOARCH" {
			e.Environment = append(e.Environment, name+"="+e.shown.hideSetting(name, value))
		}
	}
	return true
}

// runGo runs the go command in a directory. It returns the output of the command or, if the command
// fails or takes too long, the first line of the error.
func (e *examiner) runGo(dir string, args ...string) (out []byte, failure string) {
	var stderr bytes.Buffer
	ctx, cancel := context.WithTimeout(e.ctx, e.goTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stderr = dir, &stderr
	cmd.WaitDelay = time.Second // programs that the go command has started may keep the output open
	out, err := cmd.Output()
	if err == nil {
		return out, ""
	}
	if ctx.Err() != nil && e.ctx.Err() == nil {
		return nil, fmt.Sprintf("go %s does not end within %v", args[0], e.goTimeout)
	}
	for line := range strings.Lines(stderr.String()) {
		// The go command names each package before the errors of the compiler.
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return nil, line
		}
	}
	return nil, err.Error()
}

// explainFailure returns what to do about an error of the go command.
func explainFailure(failure string) string {
	switch {
	case strings.Contains(failure, "executable file not found"):
		return "install Go as go.dev/doc/install describes, and add its bin folder to PATH"
	case strings.Contains(failure, "requires go >="), strings.Contains(failure, "toolchain not available"):
		return "install that version of Go, or let the go command download it: go env -w GOTOOLCHAIN=auto"
	case strings.Contains(failure, "does not end within"):
		return "run go env and go list ./... to see what they wait for, such as the network or a slow disk"
	case strings.Contains(failure, "updates to go.mod needed"):
		return "run go mod tidy"
	}
	return "run go list ./... and fix the errors that it reports"
}
