//go:build !linux

package main

import "errors"

// measure fails: peaks of memory are read from /proc.
func measure(func() error) sample {
	return sample{Failure: errors.ErrUnsupported.Error()}
}
