package load_test

import (
	"os"
	"testing"
)

// TestMain removes flags for the go command, such as -race, that apply to the tests but not to the
// packages that they read.
func TestMain(m *testing.M) {
	if err := os.Unsetenv("GOFLAGS"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
