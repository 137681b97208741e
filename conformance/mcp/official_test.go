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

// revisions are those of the protocol with required scenarios: how many there are, and which are known
// to fail.
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

// Reasons why scenarios fail.
const (
	noReplay = "not scored: no stream is taken up again after it broke; the next revision has no such thing"
	noTasks  = "not scored: the tasks extension is not there"
)

type revision struct {
	name   string
	scored int
	fails  map[string]string // why, by scenario
}

// suiteCheck is a check of a scenario, as the suite reports it.
type suiteCheck struct{ ID, Status, ErrorMessage string }

// TestOfficial runs the official suite, in all revisions at one URL. Warnings count as failures.
func TestOfficial(t *testing.T) {
	t.Parallel()
	modules, url := packages(t), serveHTTP(t)
	for _, r := range revisions {
		t.Run(r.name, func(t *testing.T) {
			reported, unscored := r.runScenarios(t, modules, url)
			if scored := len(reported) - len(unscored); scored != r.scored {
				t.Errorf("%d scenarios were scored, want %d", scored, r.scored)
			}
			passed := r.scored
			for _, scenario := range slices.Sorted(maps.Keys(reported)) {
				t.Run(scenario, func(t *testing.T) { r.checkScenario(t, scenario, reported[scenario]) })
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

// runScenarios runs the scenarios of a revision and returns the checks of each, and the scenarios that
// do not count.
func (r revision) runScenarios(t *testing.T, modules, url string) (reported map[string][]suiteCheck, unscored []string) {
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
	reported = map[string][]suiteCheck{}
	for _, file := range files {
		name := stamp.FindStringSubmatch(filepath.Base(filepath.Dir(file)))
		text, err := os.ReadFile(file)
		var checks []suiteCheck
		if err != nil || name == nil || json.Unmarshal(text, &checks) != nil {
			t.Fatalf("%s: %v: %s", file, err, text)
		}
		reported[name[1]] = checks
	}
	return reported, unscored
}

// checkScenario fails if a scenario fails unexpectedly, or passes although it is known to fail.
func (r revision) checkScenario(t *testing.T, scenario string, checks []suiteCheck) {
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
