package directive_test

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/directive"
)

// Only lines that run aiongen count, whatever the name of the program.
func ExampleRead() {
	const source = "package tools\n\n" + // go generate reads any line that begins so
		"//go:generate stringer -type=Kind\n" +
		"//go:generate go tool aiongen -o ../gen -tags linux\n"
	for _, run := range directive.Read("tools/tools.go", "tools", []byte(source)) {
		fmt.Printf("line %d: in %s to %s with %s\n", run.Line, run.Dir, run.Output, run.Tags)
	}
	// Output:
	// line 4: in tools to ../gen with linux
}
