// Real makes tools from Go packages that were not written for aiongen, and prints the results in Markdown:
// which functions can become tools, whether the generated code compiles and is clean, how many of the
// tools are offered to a model, and which arguments they lose. Run it in the folder of the module. The
// arguments are names in packages.txt; "patterns" stands for the packages with patterns. Without arguments it
// takes all of them, which takes half an hour on two cores.
//
//	go run ./real cron decimal
//	go run ./real -dir /tmp/real patterns
//
// With -kept, it does the same with the packages in kept.txt, for which a person has edited a draft: it drafts the
// tools again, builds the edited file, tests its tools against servers or fakes, and prints how many lines were
// edited. After a change of the drafts, -update replaces them.
//
// Each package is used from a temporary module, so that nothing else depends on it. The exit status is 1 if a
// package could not be downloaded or a step failed.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

func main() {
	log.SetFlags(0)
	keep := flag.String("dir", "", "create the modules here and keep them and their outcomes, which the next run with this folder reuses; by default they are temporary")
	kept := flag.Bool("kept", false, "build the edited drafts of the packages in kept.txt")
	update := flag.Bool("update", false, "with -kept, replace the drafts")
	flag.Parse()
	ok, err := run(*keep, *kept, *update)
	if err != nil {
		log.Fatal(err)
	}
	if !ok {
		os.Exit(1)
	}
}

// run processes the subjects that the command line names, in modules below dir or, if dir is "", in
// temporary ones. It reports whether all steps succeeded.
func run(dir string, kept, update bool) (ok bool, err error) {
	if dir == "" {
		if dir, err = os.MkdirTemp("", "real"); err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
	}
	m, err := buildProgram(dir)
	if err != nil {
		return false, err
	}
	if kept {
		subjects, err := chooseKept(flag.Args())
		if err != nil {
			return false, err
		}
		return processKept(os.Stdout, subjects, m, update)
	}
	subjects, err := chooseSubjects(flag.Args())
	if err != nil {
		return false, err
	}
	return processSubjects(subjects, m)
}

// buildProgram builds aiongen in a folder. The module it returns is the folder of the modules.
func buildProgram(dir string) (m module, err error) {
	if m.root, err = filepath.Abs(".."); err != nil {
		return m, err
	}
	if m.dir, err = filepath.Abs(dir); err != nil {
		return m, err
	}
	if err := os.MkdirAll(m.dir, 0o777); err != nil {
		return m, err
	}
	m.program = filepath.Join(m.dir, "aiongen")
	build := exec.Command("go", "build", "-o", m.program, "./cmd/aiongen")
	build.Dir = m.root
	if out, err := build.CombinedOutput(); err != nil {
		return m, fmt.Errorf("aiongen does not build: %w\n%s", err, out)
	}
	return m, nil
}

// inFolder returns the module in a folder of m.
func (m module) inFolder(name string) module {
	m.dir = filepath.Join(m.dir, name)
	return m
}

// processSubjects processes the subjects one after another and prints the outcomes. It reports whether all
// steps succeeded.
func processSubjects(subjects []subject, m module) (ok bool, err error) {
	var outcomes []*outcome
	for _, s := range subjects {
		start := time.Now()
		o, err := m.inFolder(s.name).reuseOutcome(s)
		if err != nil {
			return false, fmt.Errorf("%s: %w", s.name, err)
		}
		outcomes = append(outcomes, o)
		if o.Missing != "" {
			log.Printf("%s: cannot be downloaded: %s", s.name, o.Missing)
		}
		log.Printf("%s: %.0f s", s.name, time.Since(start).Seconds())
	}
	return printReport(os.Stdout, outcomes), nil
}
