package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestArchitecture checks that ARCHITECTURE.md names every package of the module except the
// examples, and no package that does not exist.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var packages []string
	for _, path := range strings.Fields(string(out)) {
		if name := strings.TrimPrefix(path, module); !strings.HasPrefix(name, "example") {
			packages = append(packages, name)
		}
	}
	mentioned := map[string]bool{}
	for _, match := range regexp.MustCompile("`((?:aion|gen|runtime|internal|cmd)(?:/[a-z]+)*)`").FindAllStringSubmatch(string(text), -1) {
		mentioned[match[1]] = true
	}
	for _, name := range packages {
		if !mentioned[name] {
			t.Errorf("ARCHITECTURE.md does not mention package %s", name)
		}
	}
	for name := range mentioned {
		if !slices.Contains(packages, name) && !slices.Contains([]string{"cmd", "internal", "runtime", "runtime/orchestrator/internal"}, name) {
			t.Errorf("ARCHITECTURE.md mentions %s, which is not a package", name)
		}
	}
}
