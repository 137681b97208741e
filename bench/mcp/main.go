//go:build linux

// Mcp measures MCP servers over HTTP under many clients, each server as a process of
// its own, so that its processor time is: aiongen, the official SDK and mcp-go, with the
// same tool, which sleeps for 5 ms, in both kinds of the protocol.
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
	as := flag.String("serve", "", "be the server of this `name`, for the process that measures")
	clients := flag.Int("clients", 200, "how many there are")
	calls := flag.Int("calls", 50, "that each makes, one after the other")
	runs := flag.Int("runs", 3, "of each server, in turns; shown are the medians")
	flag.Parse()
	if *as != "" {
		must(serve(*as))
		return
	}
	results := map[string][]measured{}
	for range *runs {
		for _, name := range names {
			for _, version := range versions {
				m, err := measure(name, version, *clients, *calls)
				if err != nil {
					log.Fatal(name, " ", version, ": ", err)
				}
				results[name+version] = append(results[name+version], m)
			}
		}
	}
	show(results)
}

// show prints the medians as a table, beside the official SDK.
func show(results map[string][]measured) {
	fmt.Println("| server | protocol | µs of CPU a call | × go-sdk | calls/s | peak MiB |")
	fmt.Println("| --- | --- | --- | --- | --- | --- |")
	for _, version := range versions {
		base := median(results["go-sdk"+version], func(m measured) float64 { return m.cpu })
		for _, name := range names {
			r := results[name+version]
			cpu := median(r, func(m measured) float64 { return m.cpu })
			fmt.Printf("| %s | %s | %.0f | %.2f | %.0f | %.0f |\n", name, version, cpu, cpu/base,
				median(r, func(m measured) float64 { return m.rate }), median(r, func(m measured) float64 { return m.peak }))
		}
	}
}

func median(all []measured, of func(measured) float64) float64 {
	var values []float64
	for _, m := range all {
		values = append(values, of(m))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
