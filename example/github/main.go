// Github is an MCP server with tools for issues, pull requests and repositories at GitHub. The tools are functions of
// the existing client github.com/google/go-github.
//
//	export GITHUB_TOKEN=github_pat_…
//	go run . -write 'comment_issue,create_*'
//
// It serves one client at standard input and output or, with -http, many over HTTP. A model may read whatever the token
// may read, but write only with the tools named by -write. The log goes to standard error, without arguments and
// results.
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

	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

//go:generate go tool aiongen

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := runServer(ctx, os.Args[1:], os.Getenv, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "github:", err)
		os.Exit(1)
	}
}

// runServer serves until the input ends or ctx is done.
func runServer(ctx context.Context, args []string, env func(string) string, stderr io.Writer) error {
	flags := flag.NewFlagSet("github", flag.ContinueOnError)
	flags.SetOutput(stderr)
	base := flags.String("base-url", "", "`URL` of a GitHub Enterprise server, such as https://github.example.com")
	write := flags.String("write", "", "`names` of tools that may write, such as comment_issue,create_*; * matches any text")
	address := flags.String("http", "", "serve over HTTP at an `address` such as :8080, which means 127.0.0.1:8080; clients send the token in MCP_TOKEN")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %s", flags.Arg(0))
	}
	client, err := newClient(env("GITHUB_TOKEN"), *base)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	registry, err := newRegistry(client, splitPatterns(*write), log)
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

// splitPatterns splits a list of patterns at commas.
func splitPatterns(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// newClient returns a client that authenticates with the token. Without a token, it can read only public data.
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

// newRegistry returns the tools. It allows tools that write only if one of the patterns in write matches their names.
func newRegistry(client *github.Client, write []string, log *slog.Logger) (*tool.Registry, error) {
	registry := tool.NewRegistry(
		tool.Use(
			middleware.LogCalls(log),
			middleware.Gate(middleware.Allow(middleware.HasAnnotation(tool.ReadOnly)), middleware.Allow(middleware.NameMatches(write...))),
			middleware.Timeout(time.Minute),
			middleware.Trim(48<<10), // bytes, about 12,000 tokens
			checkNames,
			explainErrors,
		),
		tool.Tolerant(repair.Arguments), // reads "7" as 7
	)
	if err := Register(registry, Deps{Client: client}); err != nil {
		return nil, err
	}
	return registry, checkPatterns(write, registry.All())
}

// checkPatterns returns an error for a pattern that matches no tool that writes, such as a misspelled name.
func checkPatterns(patterns []string, tools []tool.Definition) error {
	writing := slices.DeleteFunc(tools, middleware.HasAnnotation(tool.ReadOnly))
	for _, p := range patterns {
		if !slices.ContainsFunc(writing, middleware.NameMatches(p)) {
			var names []string
			for _, d := range writing {
				names = append(names, d.Name)
			}
			return fmt.Errorf("-write %s does not match any tool that writes; these are %s", p, strings.Join(names, ", "))
		}
	}
	return nil
}
