// Aiongen compiles .aion files, which say what tools a language model may call,
// into typed Go.
//
// It is usually run by go generate, from a line in one of the package's files:
//
//	//go:generate go tool aiongen
//
// Usage:
//
//	aiongen [flags] [packages]
//	aiongen check [flags] [packages]
//	aiongen fix [flags] [packages]
//	aiongen fmt [flags] [files or directories]
//	aiongen new [flags] package [functions]
//	aiongen list [flags] [packages]
//	aiongen breaking -against base [flags] [packages]
//	aiongen explain [code]
//	aiongen version
//
// Packages are given as to go build; the default is the one in the current
// directory. For users.aion aiongen writes users.aion.go, and once a package
// aion_register.go. It prints nothing on success.
//
// What -o and -tags are for a package stands in the go:generate lines of its own
// files, so that aiongen ./... and aiongen check ./... need neither. Where they are
// given, they win. Two lines that differ both apply.
//
// Check writes nothing; where files are stale, missing or left over it prints a
// diff and exits with status 1. So it does where there is a warning, which keeps
// aiongen from nothing: of a slip in a .aion file, or of what -lint found.
//
// Fix makes the edits that errors and warnings carry in .aion files, where it is certain
// what was meant, and reports what is left. A guess, such as the nearest name in place of
// one that there is not, it makes for the codes of -guess alone. It looks at the files
// again until there is no more to do. An edit after which a file had more errors is not
// made, and no file is written that changed meanwhile.
//
// Fmt rewrites .aion files in canonical form; a directory stands for those in it
// and below, but for vendor, node_modules and what begins with . or _. Without a
// name, or for -, it formats standard input to standard output. A file with errors
// is left alone.
//
// New writes a .aion file with a tool for each function of a package, from the
// functions' signatures and comments: to standard output, or with -o to a file
// that does not exist yet. Functions are named as in the property function,
// FindUser, Store.Find, or by patterns, in which * stands for any text without a
// dot: 'Store.*', '(*Store).Find*'. Without any, new lists what there is. It says of
// each that cannot be a tool why: of one that was named, and then nothing is written,
// as an error; of one that a pattern matched, and the rest is written, as a note.
//
// List shows the tools: a table of their names, arguments, places and links, or
// what a model's provider receives of them.
//
// Breaking compares what callers are promised of the tools with what they were
// promised in a snapshot or at a git revision: which tools there are, what
// arguments they take and what they return. It reports each change, as an error
// where it breaks callers, else as a note, and exits with status 1 if there is an
// error. Neither the checkout nor the index changes. A snapshot is what list
// -schema mcp writes, or what an MCP server answers to tools/list.
//
// Explain prints what the code in brackets behind an error means, with a wrong and
// a right example, or lists all codes.
//
// The flags are:
//
//	-C dir
//		change to dir before doing anything else
//	-format text|json|sarif|github
//		how to report errors and warnings: as text for people, on standard
//		error; or on standard output, as a JSON array, as a SARIF 2.1.0 log, or
//		as annotations of GitHub Actions
//	-color auto|always|never
//		whether text is coloured; auto, the default, does so on a terminal, if
//		NO_COLOR is empty and TERM is not dumb
//
// When generating or checking:
//
//	-a
//		look at all again. Without it, a run ends at once where nothing has
//		changed since one that went well: no file of the packages, nor of others
//		that they depend on and that no version names, no generated file, nor the
//		toolchain, its settings or aiongen. It goes by what files hold, which it
//		keeps sums of in the user's cache folder, and says again what there was to
//		say
//	-o dir
//		write the generated files to dir, as a package of its own
//	-tags list
//		build tags, as go build takes them
//	-lint targets
//		warn of what targets, with commas between them, will refuse or drop of
//		the tools. Targets are anthropic, anthropic-strict, gemini, mcp, ollama,
//		openai and openai-strict
//
// When generating alone:
//
//	-watch
//		stay, and generate again whenever a file is saved that the outcome depends
//		on, until interrupted. What is written, and what is wrong, is reported as it
//		comes; errors do not end it
//
// When fixing:
//
//	-d
//		show what fixing would change, as a diff, and write nothing; the exit status
//		is 1 if there is anything
//	-guess codes
//		make the likeliest guess, too, for errors and warnings with these codes, with
//		commas between them
//	-o dir, -tags list
//		as when generating
//
// When formatting, both write no file, and exit with status 1 if there is one that
// is not formatted:
//
//	-l
//		list the files that are not formatted
//	-d
//		show what formatting would change, as a diff
//
// When writing a .aion file with new:
//
//	-all
//		for all that is exported, as far as it can be a tool
//	-o file
//		write to file, which must not exist, instead of standard output
//	-tags list
//		build tags, as go build takes them
//
// When listing tools:
//
//	-json
//		print all that is known of them as a JSON array, sorted by name: name,
//		title, description, link, arguments (name, required, place), input and
//		output (JSON Schemas), example, annotations (read_only, additive,
//		idempotent, closed_world), package and place
//	-schema target
//		print the tools as a target of -lint receives them, as a JSON array,
//		sorted by name
//	-o file
//		write to file, whole or not at all, instead of standard output
//	-tags list
//		build tags, as go build takes them
//
// When comparing with breaking:
//
//	-against base
//		a snapshot, or where there is no such file a git revision, such as
//		main, v1.2.0 or HEAD~1
//	-tags list
//		build tags, as go build takes them
//
// The exit status is 0 if all is well; 1 if there are errors in the input, under
// check warnings, or files that are stale or not formatted; 2 for wrong usage; and
// 3 for a failure of aiongen itself.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// exitOnInterrupt ends the process at the next interrupt, as a shell reports that signal.
func exitOnInterrupt() {
	second := make(chan os.Signal, 1)
	signal.Notify(second, os.Interrupt)
	<-second
	os.Exit(128 + int(syscall.SIGINT))
}

func main() {
	collectLate()
	ignored := signal.Ignored(os.Interrupt) // as a shell script makes its background jobs do
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { // the second signal ends the process, whatever it is doing
		stop()
		if ignored {
			exitOnInterrupt()
		}
	})
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is aiongen; a panic in it is a mistake of ours, not of the input.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "aiongen: internal failure: %v\n\n%s\n", p, debug.Stack())
			fmt.Fprintln(stderr, "Please report this at https://github.com/aiongen/aiongen/issues, with the .aion file.")
			status = exitInternal
		}
	}()
	c := newCommand(stdin, stdout, stderr)
	args = c.takeName(args)
	switch c.name {
	case "breaking":
		return c.breaking(ctx, args)
	case "check":
		return c.compile(ctx, args, c.check, exitFindings)
	case "fix":
		return c.fix(ctx, args)
	case "fmt":
		return c.formatFiles(args)
	case "list":
		return c.list(ctx, args)
	case "new":
		return c.new(ctx, args)
	case "explain":
		return c.explain(args)
	case "version", "-version", "--version":
		return c.version(args)
	case "help":
		return c.helpFor(args)
	}
	return c.compile(ctx, args, c.write, exitOK)
}
