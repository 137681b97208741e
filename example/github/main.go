// Github is an MCP server: issues, pull requests and repositories at GitHub, as
// tools for a language model, by the client that others wrote for it,
// github.com/google/go-github.
//
//	export GITHUB_TOKEN=github_pat_…
//	go run . -write 'comment_issue,create_*'
//
// It serves one client by its standard input and output or, with -http, many over
// HTTP. A model may read what the token may read, and write with the tools that
// -write names alone. The log goes to standard error, without arguments and results.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/google/go-github/v74/github"

	"github.com/aiongen/aiongen/runtime/guard"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/toollog"
)

//go:generate go tool aiongen

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Getenv, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "github:", err)
		os.Exit(1)
	}
}

// run serves until the input ends, or ctx does.
func run(ctx context.Context, args []string, env func(string) string, stderr io.Writer) error {
	flags := flag.NewFlagSet("github", flag.ContinueOnError)
	flags.SetOutput(stderr)
	base := flags.String("base-url", "", "`URL` of a GitHub Enterprise server, as https://github.example.com")
	write := flags.String("write", "", "tools that may write, as comment_issue,create_*; the `names` may have stars")
	address := flags.String("http", "", "serve over HTTP at an `address`, as :8080, which is on 127.0.0.1; clients show the token in MCP_TOKEN")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%s is no flag", flags.Arg(0))
	}
	client, err := newClient(env("GITHUB_TOKEN"), *base)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	registry, err := newRegistry(client, patterns(*write), log)
	if err != nil {
		return err
	}
	options := []mcp.Option{mcp.Name("github", ""), mcp.Logger(log), mcp.Prompts(SystemPrompt, Rules(), nil)}
	if *address != "" {
		options = append(options, mcp.Token(env("MCP_TOKEN")))
	}
	server, err := mcp.New(registry, options...)
	if err != nil {
		return err
	}
	if *address != "" {
		return server.ListenAndServe(ctx, *address)
	}
	return server.ServeStdio(ctx)
}

// patterns splits a list of names.
func patterns(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// newClient returns a client that shows the token, if there is one: what is public
// can be read without.
func newClient(token, base string) (*github.Client, error) {
	client := github.NewClient(nil)
	if token != "" {
		client = client.WithAuthToken(token)
	}
	if base == "" {
		return client, nil
	}
	return client.WithEnterpriseURLs(base, base)
}

// newRegistry returns the tools, of which those that write may do so if one of the
// patterns names them.
func newRegistry(client *github.Client, write []string, log *slog.Logger) (*tool.Registry, error) {
	registry := tool.NewRegistry(
		tool.Use(
			toollog.Calls(log),
			guard.Gate(guard.Allow(guard.Is(tool.ReadOnly)), guard.Allow(guard.Named(write...))),
			guard.Timeout(time.Minute),
			guard.Trim(48<<10), // bytes, some 12,000 tokens
			named,
			explain,
		),
		tool.Tolerant(repair.Arguments), // reads "7" as 7
	)
	if err := Register(registry, Deps{Client: client}); err != nil {
		return nil, err
	}
	return registry, checkPatterns(write, registry.All())
}

// checkPatterns reports a pattern that names no tool that writes: a slip, or one of
// a version that had another tool.
func checkPatterns(patterns []string, tools []tool.Definition) error {
	writing := slices.DeleteFunc(tools, guard.Is(tool.ReadOnly))
	for _, p := range patterns {
		if !slices.ContainsFunc(writing, guard.Named(p)) {
			var names []string
			for _, d := range writing {
				names = append(names, d.Name)
			}
			return fmt.Errorf("-write %s names no tool that writes; there are %s", p, strings.Join(names, ", "))
		}
	}
	return nil
}
