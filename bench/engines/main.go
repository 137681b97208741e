// Engines prints how many runs a second engines carry out, what that costs, and so what
// limits them: on journal/file, on PostgreSQL, on River in the place of the queue of
// adapters/postgres, and on Temporal; with 1, 2 and 4 workers, each a process that drives 8
// runs at a time, or on Temporal as many as its SDK does. A run is a plan of five calls that
// may do anything, so that each has a request and an outcome in the journal, without an
// answer of a model.
//
//	../../deploy/postgres /tmp/pg     # a server, which says its URL
//	../../deploy/temporal /tmp/temporal
//	go run . -postgres "$URL" -temporal 127.0.0.1:7233
//
// It makes a database or a task queue of its own for each line. A server that is not named
// is not measured.
//
// Its layers, from top to bottom:
//
//	main                               what is measured, and the table
//	line                               one line of it: workers, their work, what it costs
//	files, postgres, river, temporal   the engines
//	desk                               what runs do
//	cost                               what processes and servers take
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
	flag.StringVar(&s.postgres, "postgres", "", "`URL` of a PostgreSQL whose user may make databases")
	flag.StringVar(&s.temporal, "temporal", "", "`address` of a Temporal")
	flag.IntVar(&s.runs, "runs", 1000, "`number` of runs for each line")
	only := flag.String("only", "", "`names` of engines, with semicolons between them")
	workers := flag.String("workers", "1,2,4", "`numbers` of workers")
	place := flag.String("work", "", "be a worker: `place` of an engine")
	share := flag.String("share", "", "of a worker: which of the runs are its own")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *place != "" {
		must(work(ctx, *only, *place, *share))
		return
	}
	fmt.Println(heading)
	for _, e := range engines() {
		if !e.there(s) || *only != "" && !slices.Contains(strings.Split(*only, ";"), e.name) {
			continue
		}
		for _, n := range strings.Split(*workers, ",") {
			var workers int
			if _, err := fmt.Sscan(n, &workers); err != nil || workers < 1 {
				log.Fatalf("%q is no number of workers", n)
			}
			l, err := measure(ctx, e, s, workers)
			must(err)
			fmt.Println(l)
		}
	}
}

// settings are what the flags say.
type settings struct {
	postgres, temporal string
	runs               int
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
