// Real makes tools of Go packages that nobody wrote with aiongen in mind, and
// prints how that went, in Markdown: which functions can be tools, whether what is
// generated compiles and is clean, and how many of the tools a model is ever
// offered. Run it in the folder of the module; each argument is a name in
// packages.txt, and without any it takes them all, which is half an hour of two cores.
//
//	go run ./real cron decimal
//
// A package is used from a module of its own, made for it, so that it reaches
// nobody else. It exits with status 1 if a package could not be had, or a step
// failed on one.
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
	keep := flag.String("dir", "", "make the modules here, and keep them; else in a temporary directory")
	flag.Parse()
	subjects, err := choose(flag.Args())
	if err != nil {
		log.Fatal(err)
	}
	ok, err := run(subjects, *keep)
	if err != nil {
		log.Fatal(err)
	}
	if !ok {
		os.Exit(1)
	}
}

// run puts subjects through the pipe, one after the other, and prints what came
// of it. It reports whether all went well.
func run(subjects []subject, dir string) (ok bool, err error) {
	root, err := filepath.Abs("..")
	if err != nil {
		return false, err
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "real"); err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return false, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return false, err
	}
	program := filepath.Join(dir, "aiongen")
	build := exec.Command("go", "build", "-o", program, "./cmd/aiongen")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return false, fmt.Errorf("aiongen does not build: %w\n%s", err, out)
	}
	var outcomes []*outcome
	for _, s := range subjects {
		start := time.Now()
		m := module{dir: filepath.Join(dir, s.name), root: root, program: program}
		o, err := m.try(s)
		if err != nil {
			return false, fmt.Errorf("%s: %w", s.name, err)
		}
		outcomes = append(outcomes, o)
		if o.missing != "" {
			log.Printf("%s: could not be had: %s", s.name, o.missing)
		}
		log.Printf("%s: %.0f s", s.name, time.Since(start).Seconds())
	}
	return report(os.Stdout, outcomes), nil
}
