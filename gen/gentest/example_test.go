package gentest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/gen/gentest"
)

// report shows the errors of a test. A test has a *testing.T instead.
type report struct{ testing.TB }

func (report) Helper()                           {}
func (report) Context() context.Context          { return context.Background() }
func (report) Errorf(format string, args ...any) { fmt.Printf(format, args...) }

// The code in the directory of the example was generated from the .aion files in another one.
func ExampleCheckCurrent() {
	gentest.CheckCurrent(report{}, "github.com/aiongen/aiongen/example/tools")
	fmt.Println("current")
	// Output: current
}
