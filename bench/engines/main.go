// Engines measures how many runs per second several engines execute, and what a run costs, which shows what
// limits them. The engines are journal/file, PostgreSQL, PostgreSQL with River instead of the queue of
// adapters/postgres, and Temporal, with 1, 2 and 4 worker processes. Each worker executes 8 runs at a time, or
// on Temporal as many as its SDK does. A run is a plan of five calls and makes no request to a model. The calls
// are not idempotent, so the journal has a request and an outcome for each.
//
//	../../deploy/postgres /tmp/pg     # a server, which prints its URL
//	../../deploy/temporal /tmp/temporal
//	go run . -postgres "$URL" -temporal 127.0.0.1:7233
//
// It creates a database or task queue for each line of the table. Engines without a server are skipped.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("engines: ")
	var s settings
	flag.StringVar(&s.postgres, "postgres", "", "`URL` of a PostgreSQL server, with a user who may create databases")
	flag.StringVar(&s.temporal, "temporal", "", "`address` of a Temporal server")
	flag.IntVar(&s.runs, "runs", 1000, "`number` of runs for each line")
	only := flag.String("only", "", "`names` of engines, separated by semicolons")
	workers := flag.String("workers", "1,2,4", "`numbers` of workers")
	place := flag.String("work", "", "run as a worker for this `place` of an engine")
	share := flag.String("share", "", "for a worker: which runs it starts itself")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *place != "" {
		exitOnError(runWorker(ctx, *only, *place, *share))
		return
	}
	fmt.Println(heading)
	for _, e := range allEngines() {
		if !e.isAvailable(s) || *only != "" && !slices.Contains(strings.Split(*only, ";"), e.name) {
			continue
		}
		for _, n := range strings.Split(*workers, ",") {
			var workers int
			if _, err := fmt.Sscan(n, &workers); err != nil || workers < 1 {
				log.Fatalf("invalid number of workers %q", n)
			}
			l, err := measureLine(ctx, e, s, workers)
			exitOnError(err)
			fmt.Println(l)
		}
	}
}

// settings are the values of the flags.
type settings struct {
	postgres, temporal string
	runs               int
}

func exitOnError(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
