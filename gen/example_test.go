package gen_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/runtime/schema"
)

// Generate compiles a package. Its changes can be inspected, shown as a diff, or written.
func ExampleGenerate() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"go.mod":     "module example.com/hello\n",
		"hello.go":   "package hello\n\n// Greet says hello.\nfunc Greet(name string) string { return \"Hello, \" + name }\n",
		"hello.aion": `[ { name --> "greet", function --> "Greet" --> {} } ]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	result, faults := gen.Generate(context.Background(), gen.Config{Dir: dir})
	if err := faults.Err(); err != nil {
		log.Fatal(err)
	}
	for _, c := range result.Changes {
		fmt.Println(c.Name, "is", c.State())
	}
	if err := result.Write(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// hello.aion.go is missing
	// aion_register.go is missing
}

// Lint reports what a provider will refuse or drop of the tools, before a model is asked.
func ExampleLint() {
	find := gen.Tool{
		Name:        "find_user",
		Description: strings.Repeat("Find a user. ", 100),
		Input:       json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"}},"additionalProperties":false}`),
	}
	for _, d := range gen.Lint([]gen.Tool{find}, schema.OpenAI, schema.MCP) {
		fmt.Println(d)
	}
	// Output:
	// warning: find_user: openai drops the description after its first 1024 characters [target-drops]
}

// Explain describes each code that a diagnostic may have.
func ExampleExplain() {
	d, ok := gen.Explain("empty-text")
	fmt.Println(d.Summary, ok)
	_, ok = gen.Explain("no-such-code")
	fmt.Println(ok)
	// Output:
	// A text is empty. true
	// false
}

// A Session compiles after each edit like Generate, but loads only what has changed.
func ExampleSession() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	write("go.mod", "module example.com/hello\n")
	write("hello.go", "package hello\n\n// Greet says hello.\nfunc Greet(name string) string { return \"Hello, \" + name }\n")
	session := gen.NewSession(gen.Config{Dir: dir})
	for _, function := range []string{"Great", "Greet"} {
		write("hello.aion", `[ { name --> "greet", function --> "`+function+`" --> {} } ]`)
		result, faults := session.Generate(context.Background())
		for _, d := range faults {
			fmt.Println(d)
		}
		fmt.Println(len(result.Changes), "changes")
	}
	// Output:
	// hello.aion:1:36: error: ghost tool: there is no function Great in package hello [ghost-tool]
	// 0 changes
	// 2 changes
}
