// Aiongen compiles .aion files, which declare the tools that a language model may call, into
// typed Go.
//
// Go generate usually runs it, from a line in one of the package's files:
//
//	//go:generate go tool aiongen
//
// Usage:
//
//	go tool aiongen [flags] [packages]
//	go tool aiongen check [flags] [packages]
//	go tool aiongen fix [flags] [packages]
//	go tool aiongen fmt [flags] [files or directories]
//	go tool aiongen new [flags] package [functions]
//	go tool aiongen list [flags] [packages]
//	go tool aiongen catalog [flags] [packages]
//	go tool aiongen breaking -against base [flags] [packages]
//	go tool aiongen explain [code]
//	go tool aiongen lsp
//	go tool aiongen doctor [flags]
//	go tool aiongen version
//
// Packages are given as for go build; the default is the package in the current
// directory. For users.aion aiongen writes users.aion.go, and for each package
// aion_register.go. It prints nothing on success.
//
// The go:generate lines in a package's own files determine -o and -tags for that
// package, so that the commands ./... and check ./... need neither flag. Flags on
// the command line take precedence. If a package has two lines with different flags,
// both are executed.
//
// Check writes nothing. If generated files are stale, missing or no longer needed, it
// prints a diff and exits with status 1. It also exits with status 1 if there are
// warnings, from the compiler or from -lint, although they do not prevent generation.
//
// Fix applies the edits that errors and warnings suggest for .aion files where the
// intent is certain, and reports the remaining problems. Guesses, such as the nearest
// existing name, are only applied for the codes given with -guess. Fix repeats this
// until nothing changes. It does not apply an edit that would lead to more errors in
// the file, and does not write a file that has changed in the meantime.
//
// Fmt rewrites .aion files in canonical form. A directory stands for all .aion files
// in it and its subdirectories, except vendor, node_modules and names that begin with
// . or _. Without arguments, or for -, it formats standard input to standard output.
// It does not change files with errors.
//
// New writes an .aion file with a tool for each given function of a package, based on
// the functions' signatures and comments: to standard output, or with -o to a new
// file. Functions are named as in the property function, FindUser or Store.Find, or
// by patterns in which * stands for any text without a dot: 'Store.*',
// '(*Store).Find*'. Without functions, new lists those of the package. If a function
// cannot become a tool, new reports why: as an error, and without writing anything, if
// the function was named, and as a note if a pattern matched it. For a function with a
// variant that takes a context, patterns choose the variant.
//
// List shows the tools: a table of their names, arguments, places and links, or
// the definitions that a model's provider receives.
//
// Catalog writes web pages about the tools into a directory: a list with search, and a
// page for each tool with its arguments and result, the definition that each provider
// receives, its place in the source, and what -lint reports. It removes pages of tools
// that no longer exist, and does not overwrite files that it did not write.
//
// Breaking compares the contract of the tools, that is their names, arguments and
// results, with a snapshot or a git revision. It reports each change: as an error if it
// breaks callers, otherwise as a note. It exits with status 1 if there is an error. It
// does not change the checkout or the index. A snapshot is the output of list -schema
// mcp, or an MCP server's response to tools/list.
//
// Explain describes the code in brackets after an error message, with a wrong and a
// correct example, or lists all codes.
//
// Lsp is a language server for editors. It speaks the Language Server Protocol over
// standard input and output.
//
// Doctor describes the installation, the module and what the language server sees of it,
// and reports common problems and how to fix them. Paste its output into bug reports:
// it contains no keys, and URLs have no user, path or query.
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
//		whether to color text: auto, the default, does so on a terminal if
//		NO_COLOR is empty and TERM is not dumb
//
// When generating or checking:
//
//	-a
//		ignore the cache. Without this flag, if nothing has changed since a
//		successful run, aiongen only repeats the warnings of that run. It compares
//		the files of the packages and of dependencies without a version, the
//		generated files, the toolchain and its settings, and aiongen itself. The
//		checksums are in the user's cache directory
//	-o dir
//		write the generated files to dir, as a separate package
//	-tags list
//		build tags, as go build takes them
//	-lint targets
//		warn about parts of the tools that these targets reject or ignore; targets
//		are separated by commas: anthropic, anthropic-strict, gemini, mcp, ollama,
//		openai and openai-strict
//
// When generating only:
//
//	-watch
//		keep running, and generate again whenever a file that affects the result is
//		saved, until interrupted. Written files and errors are reported each time
//
// When fixing:
//
//	-d
//		print the changes as a diff and write nothing; the exit status is 1 if there
//		are any changes
//	-guess codes
//		also apply the most likely guess for errors and warnings with these codes,
//		separated by commas
//	-o dir, -tags list
//		as when generating
//
// When formatting, either of these writes no file and exits with status 1 if a file
// is not formatted:
//
//	-l
//		list the files that are not formatted
//	-d
//		print the changes that formatting would make, as a diff
//
// When writing an .aion file with new:
//
//	-all
//		write a tool for each exported function that can become one
//	-helpers
//		with -all, or a pattern such as Client.*, also write tools
//		for accessors and other helpers
//	-o file
//		write to file, which must not exist, instead of standard output
//	-tags list
//		build tags, as go build takes them
//
// With doctor:
//
//	-json
//		print the report as a JSON object
//
// When listing tools:
//
//	-json
//		print everything known about the tools as a JSON array, sorted by name:
//		name, title, description, link, arguments (name, required, place), input
//		and output (JSON Schemas), example, variables (values passed by reference),
//		annotations (read_only, additive, idempotent, closed_world), package, place
//		and source (note and function, as file and line)
//	-notes
//		print the notes about the tools, each with its place. Generating prints notes
//		only when they are new, and one line for several that say the same
//	-schema target
//		print the definitions that a target of -lint receives, as a JSON array,
//		sorted by name
//	-o file
//		write to file, atomically, instead of standard output
//	-tags list
//		build tags, as go build takes them
//
// When writing a catalog:
//
//	-o dir
//		write to dir instead of the directory catalog
//	-lint targets
//		show what these targets receive, reject and ignore instead of all targets
//	-tags list
//		build tags, as go build takes them
//
// When comparing with breaking:
//
//	-against base
//		the file name of a snapshot or, if there is no such file, a git revision
//		such as main, v1.2.0 or HEAD~1
//	-tags list
//		build tags, as go build takes them
//
// The exit status is 0 on success; 1 if the input has errors (for check: or warnings)
// or files are stale or not formatted, or doctor has found problems; 2 for incorrect usage;
// and 3 for an internal failure of aiongen.
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

// exitOnInterrupt waits for an interrupt and exits with the status that shells use for it.
func exitOnInterrupt() {
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)
	<-interrupt
	os.Exit(128 + int(syscall.SIGINT))
}

func main() {
	endDelay := delayCollection()
	ignored := signal.Ignored(os.Interrupt) // shell scripts do so for background jobs
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { // from now on, a second signal ends the process at once
		stop()
		if ignored {
			exitOnInterrupt()
		}
	})
	defer stop()
	status := runCommand(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	endDelay()
	os.Exit(status)
}

// runCommand runs aiongen and returns its exit status. A panic is a bug in aiongen.
func runCommand(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
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
		return c.compareTools(ctx, args)
	case "catalog":
		return c.writeCatalog(ctx, args)
	case "check":
		return c.compilePackages(ctx, args, c.checkFiles, exitFindings)
	case "doctor":
		return c.examineSetup(ctx, args)
	case "fix":
		return c.fixFiles(ctx, args)
	case "fmt":
		return c.formatFiles(args)
	case "list":
		return c.listTools(ctx, args)
	case "lsp":
		return c.serveEditor(ctx, args)
	case "new":
		return c.scaffoldFile(ctx, args)
	case "explain":
		return c.explainCode(args)
	case "version", "-version", "--version":
		return c.printVersion(args)
	case "help":
		return c.helpCommand(args)
	}
	return c.compilePackages(ctx, args, c.writeFiles, exitOK)
}
