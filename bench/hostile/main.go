// Hostile runs every command of aiongen on inputs that nobody would write, of 0.5 and
// 1 MB, and prints the CPU time and the peak of memory of each. It runs on Linux:
//
//	go run ./hostile
//	go run ./hostile -shape 'quotes|braces' -command 'fix'
//
// The larger input may take at most 2.5 times the CPU of the smaller one, unless it takes
// less than 50 ms, and neither may need more than 300 MB. Hostile exits with status 1 if
// a command misses one of these goals, fails, or takes more CPU than -timeout.
//
// One process runs all commands, so that caches are warm. Commands that begin with the
// same work, such as check and generate, share it: their cost is that of the work and of
// what each of them does with its outcome. Where the larger input takes more than 50 ms and
// the smaller one less than 200 ms, times are means of as many runs as take 200 ms, so that
// each garbage collection is shared by the runs that caused it. A command that misses
// a goal is measured up to three times, then up to three times in a process of its own, and
// its least cost counts; misses are also logged at once. If a command takes too much, the process ends, and a new one runs the rest.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	smallSize = 500_000
	largeSize = 1_000_000

	maxRatio      = 2.5
	maxMemory     = 300 << 20
	minGrowthTime = 50 * time.Millisecond // CPU time below which growth cannot be measured
)

// maxTime limits the CPU time of a command on one input.
var maxTime time.Duration

// A sample is the cost of one command on one input.
type sample struct {
	CPU     time.Duration
	Peak    int64 // bytes that were resident at most
	Failure string
}

// A row is a line of the table.
type row struct {
	Shape, Command string
	Small, Large   sample
}

func main() {
	log.SetFlags(0)
	shapePattern := flag.String("shape", "", "run only shapes whose names match this regular expression")
	commandPattern := flag.String("command", "", "run only commands whose names match this regular expression")
	flag.DurationVar(&maxTime, "timeout", 20*time.Second, "end a command that takes more CPU time")
	all := flag.Bool("all", false, "print every row, not only the most expensive ones")
	child := flag.Int("child", -1, "run the commands from this one on (for hostile itself)")
	alone := flag.Bool("alone", false, "end after the first command (for hostile itself)")
	dir := flag.String("dir", "", "directory of the module to compile (for hostile itself)")
	flag.Parse()
	units := matchingUnits(*shapePattern, *commandPattern)
	if *child >= 0 {
		if *alone {
			units = units[:*child+1]
		}
		runUnits(*dir, units, *child)
		return
	}
	rows, err := measureUnits(units)
	if err != nil {
		log.Fatal(err)
	}
	if !printTable(os.Stdout, rows, *all) {
		os.Exit(1)
	}
}

// measureUnits runs units in a new module.
func measureUnits(units []unit) (rows []row, err error) {
	dir, err := os.MkdirTemp("", "hostile")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	root, err := filepath.Abs("..")
	if err != nil {
		return nil, err
	}
	if err := writeModule(dir, root); err != nil {
		return nil, err
	}
	for next := 0; next < len(units); next++ {
		found, last, failure, err := startChild(dir, next)
		if err != nil {
			return nil, err
		}
		rows, next = append(rows, found...), last
		if failure == "" {
			continue
		}
		for _, c := range units[last].stage.commands {
			rows = append(rows, row{Shape: units[last].shape.name, Command: c.name, Large: sample{Failure: failure}})
		}
	}
	return rows, remeasureMisses(dir, units, rows)
}

// remeasureMisses measures each unit with a row that misses a goal once more, in a new process:
// collections and page faults that other units caused do not count there.
func remeasureMisses(dir string, units []unit, rows []row) error {
	missed := func(u unit) bool {
		return slices.ContainsFunc(rows, func(r row) bool { return u.hasRow(r) && r.missedGoal() != "" })
	}
	for i, u := range units {
		if !missed(u) {
			continue
		}
		found, _, _, err := startChild(dir, i, "-alone")
		if err != nil {
			return err
		}
		for _, again := range found {
			j := slices.IndexFunc(rows, func(r row) bool { return r.Shape == again.Shape && r.Command == again.Command })
			rows[j].Small, rows[j].Large = minSample(rows[j].Small, again.Small), minSample(rows[j].Large, again.Large)
		}
	}
	return nil
}

// hasRow reports whether a row was measured by a unit.
func (u unit) hasRow(r row) bool {
	return r.Shape == u.shape.name && slices.ContainsFunc(u.stage.commands, func(c command) bool { return c.name == r.Command })
}

// startChild runs the units from a number on in a new process. It returns their rows, the
// last unit that was started, and why that one has no rows, if it has none.
func startChild(dir string, from int, flags ...string) (rows []row, last int, failure string, err error) {
	args := slices.Concat([]string{"-child", strconv.Itoa(from), "-dir", dir}, flags, os.Args[1:])
	cmd := exec.Command(os.Args[0], args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, from, "", err
	}
	var stack strings.Builder
	cmd.Stderr = &stack
	if err := cmd.Start(); err != nil {
		return nil, from, "", err
	}
	last = from
	for reports := json.NewDecoder(out); ; {
		var r report
		if err := reports.Decode(&r); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, last, "", errors.Join(err, cmd.Process.Kill(), cmd.Wait())
		}
		rows, last = append(rows, r.Rows...), r.Unit
		for _, found := range r.Rows {
			if problem := found.missedGoal(); problem != "" {
				log.Printf("%s: %s: %s", found.Shape, found.Command, problem)
			}
		}
	}
	if err := cmd.Wait(); err != nil {
		first, _, _ := strings.Cut(stack.String(), "\n")
		failure = fmt.Sprintf("%v: %s", err, first)
	}
	return rows, last, failure, nil
}
