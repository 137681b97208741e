package main

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
)

// BenchmarkLiveRun executes a run of 1,000 steps, alone and with its page open. Compare the processor times.
func BenchmarkLiveRun(b *testing.B) {
	for name, watch := range map[string]bool{"alone": false, "watched": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run, shown := measureRun(new(journal.Map), watch)
				b.ReportMetric(float64(run.Microseconds())/1000, "cpu-ms")
				b.ReportMetric(float64(shown.Microseconds())/1000, "shown-cpu-ms")
			}
		})
	}
}

// BenchmarkList shows the first page of a list of 10,000 runs, and reads 50 of them directly.
func BenchmarkList(b *testing.B) {
	j := new(journal.Map)
	fillJournal(j)
	page := newPage(j)
	b.Run("page", func(b *testing.B) {
		for b.Loop() {
			getPage(page, "/runs")
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			readRunsOf(j)
		}
	})
}
