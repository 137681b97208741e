// Servers starts MCP servers that are published as npm packages, makes tools from those they offer,
// and lowers each tool for every target. It prints a Markdown table of how many tools were
// listed and accepted, of how many parts of their schemas are not enforced, and of whether every
// lowered schema is valid in draft 2020-12. It fails if a server does not start, a tool is not
// accepted, or a schema is not valid.
//
//	go run ./servers                   # installs the packages into a temporary folder
//	go run ./servers -packages FOLDER  # installs them into a folder, and uses what is there
//
// It needs Node and npm. Installing takes some minutes, and so do the servers together. No
// server needs an account or the network to list its tools: their keys are placeholders.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/schema"
)

// versions is the file with the version of each package. Its optional dependencies are what the
// servers need in addition to their own: a newer Node than may be installed, and a package that one
// of them expects next to it.
//
//go:embed package.json
var versions []byte

// startTimeout is how long a server has to start and to list its tools.
const startTimeout = time.Minute

func main() {
	log.SetFlags(0)
	folder := flag.String("packages", "", "`folder` for the packages; a temporary one if empty")
	only := flag.String("only", "", "test only the servers whose names contain this `text`")
	flag.Parse()
	bad, err := testServers(*folder, *only)
	if err != nil {
		log.Fatal(err)
	}
	if bad > 0 {
		os.Exit(1)
	}
}

// testServers tests the servers, and returns how many have a problem.
func testServers(folder, only string) (bad int, err error) {
	home, err := os.MkdirTemp("", "servers")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(home)
	if folder == "" {
		folder = filepath.Join(home, "packages")
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return 0, err
	}
	pinned, err := installPackages(folder)
	if err != nil {
		return 0, err
	}
	check, err := newChecker()
	if err != nil {
		return 0, err
	}
	var all []outcome
	for _, s := range servers {
		if !strings.Contains(s.name, only) {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
		o := s.testTools(ctx, folder, home, check)
		cancel()
		o.version = pinned[s.name]
		all = append(all, o)
	}
	return printTable(all), nil
}

// installPackages installs the packages into a folder, unless they are there, and returns their versions.
func installPackages(folder string) (map[string]string, error) {
	var wanted struct{ Dependencies map[string]string }
	if err := json.Unmarshal(versions, &wanted); err != nil {
		return nil, err
	}
	missing := false
	for name, version := range wanted.Dependencies {
		var found struct{ Version string }
		text, err := os.ReadFile(filepath.Join(folder, "node_modules", name, "package.json"))
		missing = missing || err != nil || json.Unmarshal(text, &found) != nil || found.Version != version
	}
	if !missing {
		return wanted.Dependencies, nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "package.json"), versions, 0o666); err != nil {
		return nil, err
	}
	// Scripts of the packages would download browsers, which listing tools does not need. Resolving
	// what so many packages expect next to them would take very long.
	cmd := exec.Command("npm", "install", "--ignore-scripts", "--legacy-peer-deps", "--no-package-lock", "--no-audit", "--no-fund")
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, os.Stderr, os.Stderr
	return wanted.Dependencies, cmd.Run()
}

// printTable prints the outcome for each server and returns how many have a problem.
func printTable(all []outcome) (bad int) {
	fmt.Println("| server | version | listed | accepted | losses logged | lowered schemas | valid |")
	fmt.Println("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
	var sum outcome
	for _, o := range all {
		fmt.Printf("| %s | %s | %d | %d | %d | %d | %d |\n", o.name, o.version, o.listed, o.accepted, o.losses, o.schemas, o.valid)
		sum.listed, sum.accepted, sum.losses = sum.listed+o.listed, sum.accepted+o.accepted, sum.losses+o.losses
		sum.schemas, sum.valid = sum.schemas+o.schemas, sum.valid+o.valid
		if len(o.problems) > 0 {
			bad++
		}
	}
	fmt.Printf("| %d servers | | %d | %d | %d | %d | %d |\n", len(all), sum.listed, sum.accepted, sum.losses, sum.schemas, sum.valid)
	var targets []string
	for _, t := range schema.Targets() {
		targets = append(targets, string(t))
	}
	fmt.Printf("\nEach schema was lowered for %s.\n", strings.Join(targets, ", "))
	for _, o := range all {
		for _, p := range slices.Concat(o.refused, o.problems) {
			fmt.Printf("\n%s: %s\n", o.name, p)
		}
	}
	return bad
}
