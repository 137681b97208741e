//go:build linux

// Mcp measures MCP servers over HTTP with many clients: aiongen, the official SDK and mcp-go, with the same tool, which
// sleeps for 5 ms, in the last version with sessions and the first without. Each server is a separate process, so that
// its CPU time can be measured.
//
//	go run ./mcp            # the table of bench/README.md
//	go run ./mcp -runs 1    # quicker
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
)

func main() {
	as := flag.String("serve", "", "run the server with this `name` (for mcp itself)")
	clients := flag.Int("clients", 200, "number of clients")
	calls := flag.Int("calls", 50, "number of calls of each client, one after another")
	runs := flag.Int("runs", 3, "number of runs of each server, in turns; the medians are printed")
	flag.Parse()
	if *as != "" {
		exitOnError(serveUntilEOF(*as))
		return
	}
	results := map[string][]measurement{}
	for range *runs {
		for _, name := range serverNames {
			for _, version := range versions {
				m, err := measureServer(name, version, *clients, *calls)
				if err != nil {
					log.Fatal(name, " ", version, ": ", err)
				}
				results[name+version] = append(results[name+version], m)
			}
		}
	}
	printMedians(results)
}

// printMedians prints the medians as a table. A ratio is the median of the ratios within each run, because the load of the
// machine varies between runs.
func printMedians(results map[string][]measurement) {
	fmt.Println("| server | protocol | µs of CPU a call | × go-sdk | × mcp-go checked | calls/s | peak MiB |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- |")
	for _, version := range versions {
		for _, name := range serverNames {
			r := results[name+version]
			ratio := func(base string) float64 {
				var all []float64
				for run, m := range r {
					all = append(all, m.cpu/results[base+version][run].cpu)
				}
				return median(all)
			}
			fmt.Printf("| %s | %s | %.0f | %.2f | %.2f | %.0f | %.0f |\n", name, version, medianOf(r, func(m measurement) float64 { return m.cpu }),
				ratio("go-sdk"), ratio("mcp-go checked"), medianOf(r, func(m measurement) float64 { return m.rate }), medianOf(r, func(m measurement) float64 { return m.peak }))
		}
	}
}

func medianOf(all []measurement, of func(measurement) float64) float64 {
	var values []float64
	for _, m := range all {
		values = append(values, of(m))
	}
	return median(values)
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

func exitOnError(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
