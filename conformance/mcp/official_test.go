package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// revisions are those of the protocol that have required scenarios: how many, and which
// are known to fail.
var revisions = []revision{
	{"2025-11-25", 30, map[string]string{
		"server-sse-polling": noReplay,
	}},
	{"2026-07-28", 37, map[string]string{
		"tasks-lifecycle":              noTasks,
		"tasks-capability-negotiation": noTasks,
		"tasks-wire-fields":            noTasks,
		"tasks-request-state-removal":  noTasks,
		"tasks-mrtr-input":             noTasks,
		"tasks-request-headers":        noTasks,
		"tasks-dispatch-and-envelope":  noTasks,
		"tasks-required-task-error":    noTasks,
		"tasks-mrtr-composition":       noTasks,
	}},
}

// Why scenarios fail.
const (
	noReplay = "not scored: no stream is taken up again after it broke; the next revision has no such thing"
	noTasks  = "not scored: the tasks extension is not there"
)

type revision struct {
	name   string
	scored int
	fails  map[string]string // why, by scenario
}

// check is one of a scenario, as the suite reports it.
type check struct{ ID, Status, ErrorMessage string }

// TestOfficial runs the official suite, in all revisions at one URL. What it warns of
// counts as what fails.
func TestOfficial(t *testing.T) {
	t.Parallel()
	modules, url := packages(t), serveHTTP(t)
	for _, r := range revisions {
		t.Run(r.name, func(t *testing.T) {
			reported, unscored := r.run(t, modules, url)
			if scored := len(reported) - len(unscored); scored != r.scored {
				t.Errorf("%d scenarios were scored, want %d", scored, r.scored)
			}
			passed := r.scored
			for _, scenario := range slices.Sorted(maps.Keys(reported)) {
				t.Run(scenario, func(t *testing.T) { r.judge(t, scenario, reported[scenario]) })
				if r.fails[scenario] != "" && !slices.Contains(unscored, scenario) {
					passed--
				}
			}
			t.Logf("%d of %d", passed, r.scored)
			for scenario := range r.fails {
				if reported[scenario] == nil {
					t.Errorf("%s is known to fail, and did not run", scenario)
				}
			}
		})
	}
}

// run runs the scenarios of a revision and returns what was checked in each, and those
// that count for nothing.
func (r revision) run(t *testing.T, modules, url string) (reported map[string][]check, unscored []string) {
	t.Helper()
	results := t.TempDir()
	cmd := exec.CommandContext(t.Context(), node(modules), filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"),
		"server", "--url", url, "--requirements", r.name, "-o", results)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output() // an error if anything fails
	for _, line := range regexp.MustCompile(`(?m)^  [✓✗] (\S+) \(.+\)$`).FindAllSubmatch(out, -1) {
		unscored = append(unscored, string(line[1]))
	}
	files, _ := filepath.Glob(filepath.Join(results, "server-*", "checks.json"))
	if len(files) == 0 {
		t.Fatalf("nothing was run: %v: %s", err, out)
	}
	stamp := regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$`)
	reported = map[string][]check{}
	for _, file := range files {
		name := stamp.FindStringSubmatch(filepath.Base(filepath.Dir(file)))
		text, err := os.ReadFile(file)
		var checks []check
		if err != nil || name == nil || json.Unmarshal(text, &checks) != nil {
			t.Fatalf("%s: %v: %s", file, err, text)
		}
		reported[name[1]] = checks
	}
	return reported, unscored
}

// judge fails for a scenario that is not known to fail and does, or the other way round.
func (r revision) judge(t *testing.T, scenario string, checks []check) {
	var wrong []string
	for _, c := range checks {
		if c.Status != "SUCCESS" && c.Status != "SKIPPED" && c.Status != "INFO" {
			wrong = append(wrong, c.ID+": "+c.Status+": "+c.ErrorMessage)
		}
	}
	switch why := r.fails[scenario]; {
	case why == "" && len(wrong) > 0:
		t.Error(strings.Join(wrong, "\n"))
	case why != "" && len(wrong) == 0:
		t.Errorf("it passes, but is listed to fail: %s", why)
	}
}
