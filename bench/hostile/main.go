// Hostile runs every command of aiongen on inputs that nobody would write, of 0.5 and
// 1 MB, and prints the CPU time and the peak of memory of each. It runs on Linux:
//
//	go run ./hostile
//	go run ./hostile -shape 'quotes|braces' -command 'fix'
//
// The larger input may take at most 2.5 times the CPU of the smaller one, unless it takes
// less than 50 ms, and neither may need more than 300 MB. Hostile exits with status 1 if
// a command misses one of these goals, fails, or takes longer than -timeout.
//
// Each shape has a process of its own, which runs the commands one after the other, the
// first time on a small input, so that caches are warm.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	smallSize = 500_000
	largeSize = 1_000_000

	maxRatio  = 2.5
	maxMemory = 300 << 20
	ignored   = 50 * time.Millisecond // of CPU, which says nothing about growth
)

// maxTime limits the time of a command on one input.
var maxTime time.Duration

// A sample is the cost of one command on one input.
type sample struct {
	Command string
	Size    int
	CPU     time.Duration
	Peak    int64 // bytes that were resident at most
	Failure string
}

// A row is a line of the table.
type row struct {
	shape, command string
	small, large   sample
}

func main() {
	log.SetFlags(0)
	shapePattern := flag.String("shape", "", "run only shapes whose names match this regular expression")
	commandPattern := flag.String("command", "", "run only commands whose names match this regular expression")
	flag.DurationVar(&maxTime, "timeout", time.Minute, "kill a command that takes longer")
	all := flag.Bool("all", false, "print every row, not only the most expensive ones")
	child := flag.String("child", "", "run the commands on this shape (for hostile itself)")
	dir := flag.String("dir", "", "directory of the module to compile (for hostile itself)")
	flag.Parse()
	names := matching(commandNames(), *commandPattern)
	if *child != "" {
		runShape(*dir, *child, names)
		return
	}
	var rows []row
	for _, s := range shapes() {
		if !regexp.MustCompile(*shapePattern).MatchString(s.name) {
			continue
		}
		found, err := measureShape(s.name, names)
		if err != nil {
			log.Fatal(err)
		}
		rows = append(rows, found...)
	}
	if !printTable(os.Stdout, rows, *all) {
		os.Exit(1)
	}
}

// matching returns the names that match a pattern.
func matching(names []string, pattern string) []string {
	re := regexp.MustCompile(pattern)
	return slices.DeleteFunc(names, func(name string) bool { return !re.MatchString(name) })
}

// measureShape runs the commands on a shape. A command that fails or takes too long ends
// its process; the commands after it run in a new one.
func measureShape(shape string, commands []string) (rows []row, err error) {
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
	for len(commands) > 0 {
		pattern := "^("
		for i, name := range commands {
			if i > 0 {
				pattern += "|"
			}
			pattern += regexp.QuoteMeta(name)
		}
		samples, failure, err := startChild(dir, shape, pattern+")$")
		if err != nil {
			return nil, err
		}
		for len(samples) >= 2 {
			rows = append(rows, row{shape, commands[0], samples[0], samples[1]})
			samples, commands = samples[2:], commands[1:]
		}
		if len(commands) > 0 {
			r := row{shape: shape, command: commands[0]}
			r.large.Failure = failure
			if len(samples) == 1 {
				r.small = samples[0]
			}
			rows = append(rows, r)
			commands = commands[1:]
		}
	}
	return rows, nil
}

// startChild runs commands in a new process. It returns the samples and, if one is missing,
// why. It kills a process that prints no sample for too long.
func startChild(dir, shape, commands string) (samples []sample, failure string, err error) {
	cmd := exec.Command(os.Args[0], "-child", shape, "-dir", dir, "-command", commands)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	stack, err := os.Create(filepath.Join(dir, "stack.txt"))
	if err != nil {
		return nil, "", err
	}
	defer stack.Close()
	cmd.Stderr = stack
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	timer := time.AfterFunc(maxTime, func() { cmd.Process.Kill() })
	for lines := bufio.NewScanner(out); lines.Scan(); timer.Reset(maxTime) {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, "", errors.Join(err, cmd.Process.Kill(), cmd.Wait())
		}
		samples = append(samples, s)
	}
	timer.Stop()
	if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() > 0 {
		text, _ := os.ReadFile(stack.Name())
		first, _, _ := strings.Cut(string(text), "\n")
		failure = fmt.Sprintf("ended with status %d: %s", cmd.ProcessState.ExitCode(), first)
	} else if err != nil {
		failure = fmt.Sprintf("no result after %v", maxTime)
	}
	return samples, failure, nil
}
