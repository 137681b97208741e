package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"testing"
)

// TestWatch starts the command with -watch, saves files and reads its output.
func TestWatch(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/hello\n\ngo 1.26\n")
	write("hello.go", "package hello\n\n// Greet says hello.\nfunc Greet(name string) string { return name }\n")
	tool := func(function, note string) {
		write("hello.aion", `[ { name --> "greet", function --> "`+function+`" --> { arg-1 --> "`+note+`" } } ]`+"\n")
	}
	tool("Greet", "str (whom)")
	ctx, cancel := context.WithCancel(t.Context())
	said, stderr := io.Pipe()
	ended := make(chan int)
	go func() {
		status := runCommand(ctx, []string{"-watch"}, nil, io.Discard, stderr)
		stderr.Close()
		ended <- status
	}()
	lines := bufio.NewScanner(said)
	for _, step := range []struct {
		save func()
		want string
	}{
		{func() {}, "wrote hello.aion.go, aion_register.go"},
		{func() { tool("Great", "str (whom)") }, "hello.aion:1:36: error: ghost tool: there is no function Great in package hello [ghost-tool]"},
		{func() {}, "nothing is written until these errors are fixed"},
		{func() { tool("Greet", "str (whom)") }, "no errors left, all files are up to date"},
		{func() { tool("Greet", "str (who it is)") }, "wrote hello.aion.go"},
		{func() {
			if err := os.Remove("hello.aion"); err != nil {
				t.Error(err)
			}
		}, "removed aion_register.go, hello.aion.go"},
	} {
		step.save()
		for lines.Scan() && lines.Text() != step.want {
			t.Log(lines.Text())
		}
	}
	cancel()
	go func() {
		for lines.Scan() {
		}
	}()
	if status := <-ended; status != exitOK {
		t.Errorf("status %d", status)
	}
}
