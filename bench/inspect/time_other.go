//go:build !unix

package main

import "time"

var began = time.Now()

// processorTime is the time since the process began, where nobody counts better.
func processorTime() time.Duration { return time.Since(began) }
