package main

import (
	"os"
	"testing"
)

// TestMain: flags of the go command that runs the tests, such as -race, are not for what
// they read.
func TestMain(m *testing.M) {
	if err := os.Unsetenv("GOFLAGS"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
