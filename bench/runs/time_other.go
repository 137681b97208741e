//go:build !unix

package main

import "time"

var began = time.Now()

// processorTime returns the time since the process began, because this system does not report CPU time.
func processorTime() time.Duration { return time.Since(began) }
