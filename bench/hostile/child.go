package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// The files of the module that a command finds.
const (
	inputFile    = "input.aion"
	goFile       = "input.go"
	snapshotFile = "snapshot.json"
)

// maxAttempts limits how often a unit that misses a goal is measured. The least cost of
// the attempts counts, since other programs and the garbage collector only add to it.
const maxAttempts = 3

// A report is what a child writes about a unit: first that it has started, and in the end
// its rows.
type report struct {
	Unit int
	Rows []row
}

// runUnits measures units from a number on, in a directory, and writes reports to stdout.
func runUnits(dir string, units []unit, from int) {
	if err := os.Chdir(dir); err != nil {
		log.Fatal(err)
	}
	reports := json.NewEncoder(os.Stdout)
	ready := map[string]bool{} // commands that have run in this process
	for i := from; i < len(units); i++ {
		u := units[i]
		if err := reports.Encode(report{Unit: i}); err != nil {
			log.Fatal(err)
		}
		if name := u.stage.commands[0].name; !ready[name] {
			ready[name] = true
			u.measureCommands(1000)
		}
		if err := reports.Encode(report{i, u.measureRows()}); err != nil {
			log.Fatal(err)
		}
	}
}

// meanTime is the CPU time over which the cost of a command is averaged. A garbage collection,
// or page faults when the heap grows, can take more time than a cheap command itself. If each
// run started after a collection that has returned the free pages, the larger input might cause
// both and the smaller one neither.
const meanTime = 200 * time.Millisecond

// maxRuns limits the runs over which a cost is averaged.
const maxRuns = 100

// measureRows measures the commands of a unit until all of them meet the goals, at most
// maxAttempts times.
func (u unit) measureRows() (rows []row) {
	for range maxAttempts {
		small, large := u.measureCommands(smallSize), u.measureCommands(largeSize)
		if slices.ContainsFunc(large, func(s sample) bool { return s.CPU > minGrowthTime }) {
			u.averageTimes(small, large)
		}
		missed := false
		for i, c := range u.stage.commands {
			r := row{Shape: u.shape.name, Command: c.name, Small: small[i], Large: large[i]}
			if i < len(rows) {
				r.Small, r.Large = minSample(r.Small, rows[i].Small), minSample(r.Large, rows[i].Large)
				rows[i] = r
			} else {
				rows = append(rows, r)
			}
			missed = missed || r.missedGoal() != ""
		}
		if !missed {
			break
		}
	}
	return rows
}

// minSample returns the lower cost of two measurements.
func minSample(a, b sample) sample {
	return sample{CPU: min(a.CPU, b.CPU), Peak: min(a.Peak, b.Peak), Failure: a.Failure}
}

// averageTimes replaces the CPU time of both sizes, where the smaller one takes less than
// meanTime, by the mean of more runs, which take at least meanTime together.
func (u unit) averageTimes(small, large []sample) {
	isCheap := func(s sample) bool { return s.CPU < meanTime }
	if !slices.ContainsFunc(small, isCheap) {
		return
	}
	smallMeans, largeMeans := u.meanTimes(smallSize), u.meanTimes(largeSize)
	for i, s := range small {
		if isCheap(s) {
			small[i].CPU, large[i].CPU = smallMeans[i], largeMeans[i]
		}
	}
}

// meanTimes returns the mean CPU time of each command on an input of a size. No collection is
// forced before the runs.
func (u unit) meanTimes(size int) []time.Duration {
	total := make([]time.Duration, len(u.stage.commands))
	runs := 0
	for ; slices.Min(total) < meanTime && runs < maxRuns; runs++ {
		for i, s := range u.runCommands(size, measureCPU) {
			total[i] += s.CPU
		}
	}
	for i := range total {
		total[i] /= time.Duration(runs)
	}
	return total
}

// measureCommands returns the cost of each command on an input of a size.
func (u unit) measureCommands(size int) []sample { return u.runCommands(size, measure) }

// runCommands runs all commands on an input of a size and measures each.
func (u unit) runCommands(size int, measure func(f func() error) sample) (samples []sample) {
	if err := writeInput(u.shape, size); err != nil {
		log.Fatal(err)
	}
	stop := watchLimits(maxTime)
	defer stop()
	var o outcome
	before := measure(func() error {
		o = u.stage.run(context.Background())
		return o.err
	})
	for _, c := range u.stage.commands {
		s := measure(func() error { return c.finish(o) })
		s.CPU += before.CPU
		s.Peak = max(s.Peak, before.Peak)
		if before.Failure != "" {
			s.Failure = before.Failure
		}
		samples = append(samples, s)
	}
	return samples
}

// watchLimits ends the process when it has taken too much CPU time or memory from now on. Stop
// ends watching.
func watchLimits(limit time.Duration) (stop func()) {
	start, cpu := time.Now(), cpuTime()
	done := make(chan struct{})
	go func() {
		for ticker := time.NewTicker(50 * time.Millisecond); ; {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			switch {
			case cpuTime()-cpu > limit, time.Since(start) > 20*limit:
				fmt.Fprintf(os.Stderr, "takes more than %v of CPU\n", limit)
				os.Exit(1)
			case peakMemory() > 5*maxMemory:
				fmt.Fprintf(os.Stderr, "needs more than %d MB\n", 5*maxMemory>>20)
				os.Exit(1)
			}
		}
	}()
	return func() { close(done) }
}

// writeModule writes the files of the module that are the same for all shapes.
func writeModule(dir, root string) error {
	mod := "module example.com/m\n\ngo 1.26.0\n\nrequire github.com/aiongen/aiongen v0.0.0\n\nreplace github.com/aiongen/aiongen => " + root + "\n"
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666),
		os.WriteFile(filepath.Join(dir, "m.go"), []byte(goSource), 0o666),
	)
}

// writeInput writes the input of a shape and removes the one before, with what was
// generated from it.
func writeInput(s shape, size int) error {
	for _, pattern := range []string{"*.aion.go", "aion_register.go", goFile, snapshotFile} {
		old, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, name := range old {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	files := map[string]string{inputFile: plainTool, snapshotFile: "[]", goFile: "package m\n"}
	files[s.file] = s.text(size)
	var errs []error
	for name, text := range files {
		errs = append(errs, os.WriteFile(name, []byte(text), 0o666))
	}
	return errors.Join(errs...)
}
