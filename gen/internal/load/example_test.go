package load_test

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/load"
)

// Only lines that run aiongen count, whatever the name of the program.
func Example_readPackage() {
	const source = "package tools\n\n" + // go generate reads every line that begins like this
		"//go:generate stringer -type=Kind\n" +
		"//go:generate go tool aiongen -o ../gen -tags linux\n"
	for _, run := range load.ReadDirectives("tools/tools.go", "tools", []byte(source)) {
		fmt.Printf("line %d: in %s to %s with %s\n", run.Line, run.Dir, run.Output, run.Tags)
	}
	// Output:
	// line 4: in tools to ../gen with linux
}
