package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// cost is what runs used of a server and its disk. Unknown values are -1.
type cost struct {
	entries   int           // of journals, or events of histories
	bytes     int           // on disk
	written   int           // bytes, including logs
	syncs     int           // of the disk
	commits   int           // transactions; of Temporal, transitions of a workflow's state
	processor time.Duration // of the server
}

func (c cost) subtract(before cost) cost {
	c.entries, c.bytes, c.written = c.entries-before.entries, c.bytes-before.bytes, c.written-before.written
	c.processor -= before.processor
	if c.syncs >= 0 {
		c.syncs -= before.syncs
	}
	if c.commits >= 0 {
		c.commits -= before.commits
	}
	return c
}

var processors = float64(runtime.NumCPU())

const tick = 10 * time.Millisecond // unit of CPU times in /proc

// idleTime returns the total idle time of all processors since the machine was started, or 0 if unknown.
func idleTime() time.Duration {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text)) // "cpu", user, nice, system, idle, iowait
	if len(fields) < 6 {
		return 0
	}
	return time.Duration(parseNumber(fields[4])+parseNumber(fields[5])) * tick
}

func parseNumber(s string) int { n, _ := strconv.Atoi(s); return n }

// processorTime returns the CPU time of a process and its children, including those that have exited, or 0
// if unknown.
func processorTime(pid int) (sum time.Duration) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(text), ") ") // skip "pid (command"
		fields := strings.Fields(rest)                // state, parent, … utime, stime, cutime, cstime from 11 on
		if len(fields) < 15 {
			continue
		}
		own := time.Duration(parseNumber(fields[11])+parseNumber(fields[12])) * tick
		switch {
		case filepath.Base(filepath.Dir(name)) == fmt.Sprint(pid):
			sum += own + time.Duration(parseNumber(fields[13])+parseNumber(fields[14]))*tick
		case fields[1] == fmt.Sprint(pid):
			sum += own
		}
	}
	return sum
}

// sizeOf returns the total size of the files in a folder.
func sizeOf(folder string) (sum int, err error) {
	err = filepath.WalkDir(folder, func(_ string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			sum += int(info.Size())
		}
		return err
	})
	return sum, err
}
