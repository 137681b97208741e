package main

import (
	"fmt"
	"slices"
	"strings"
)

const usageText = `aiongen compiles .aion files into typed Go.

Usage:

	go tool aiongen [flags] [packages]        write the generated files
	go tool aiongen check [flags] [packages]  compare them with the existing files
	go tool aiongen fix [flags] [packages]    apply suggested fixes to .aion files
	go tool aiongen fmt [flags] [files]       format .aion files
	go tool aiongen new [flags] package [functions]
	                                          write an .aion file for functions, given
	                                          by name or pattern; without any, list
	                                          them
	go tool aiongen list [flags] [packages]   show the tools
	go tool aiongen catalog [flags] [packages]
	                                          write web pages about the tools
	go tool aiongen breaking -against base [packages]
	                                          report changes that break callers
	go tool aiongen explain [code]            explain the code of an error
	go tool aiongen lsp                       serve an editor, over standard input and
	                                          output
	go tool aiongen doctor [flags]            describe the installation and find
	                                          problems, for bug reports
	go tool aiongen version                   print the version

Flags of all commands that take flags:

	-C dir          change to dir first
	-format name    report errors as text, json, sarif or github
	-color when     color text always, never or, by default, auto

Flags for generating and checking:

	-a              ignore the cache of earlier runs
	-o dir          write to dir, as a separate package
	-tags list      build tags, as go build takes them
	-lint targets   warn about parts that anthropic, anthropic-strict, gemini, mcp,
	                ollama, openai or openai-strict reject or ignore

Flag for generating only:

	-watch          keep running and generate again whenever a file is saved

Flag of doctor:

	-json           print the report as JSON

Flags of fix:

	-d              print the changes as a diff, and write nothing
	-guess codes    also apply guesses for errors and warnings with these codes
	-o dir          as when generating
	-tags list      build tags, as go build takes them

Flags of fmt:

	-l              list the files that are not formatted
	-d              print the changes as a diff, and write nothing

Flags of new:

	-all            write a tool for each exported function that can become one
	-helpers        with -all, or a pattern such as Client.*, also write
	                tools for accessors and other helpers
	-o file         write to a new file instead of standard output
	-tags list      build tags, as go build takes them

Flags of list:

	-json           print everything known about the tools, as JSON
	-notes          print the notes about the tools, each with its place
	-schema target  print the definitions that a target of -lint receives
	-o file         write to file instead of standard output
	-tags list      build tags, as go build takes them

Flags of catalog:

	-o dir          write to dir instead of the directory catalog
	-lint targets   show what these targets receive, reject and ignore, instead of
	                all targets
	-tags list      build tags, as go build takes them

Flags of breaking:

	-against base   a git revision, or a file written by list -schema mcp
	-tags list      build tags, as go build takes them
`

// commands lists the names of all commands. Without a command, aiongen generates files.
var commands = []string{"breaking", "catalog", "check", "doctor", "explain", "fix", "fmt", "help", "list", "lsp", "new", "version", "-version", "--version"}

// takeName sets the name of the command and returns the arguments without it. Flags that all commands
// share may precede the name.
func (c *command) takeName(args []string) (rest []string) {
	n := 0
	for n < len(args) && strings.HasPrefix(args[n], "-") {
		flag, _, hasValue := strings.Cut(strings.TrimLeft(args[n], "-"), "=")
		if c.flags.Lookup(flag) == nil {
			break
		}
		if n++; !hasValue {
			n++ // skip the value, which is the next argument
		}
	}
	if n < len(args) && slices.Contains(commands, args[n]) {
		c.name = args[n]
		return slices.Concat(args[:n], args[n+1:])
	}
	return args
}

// printHelp prints the usage of the command.
func (c *command) printHelp() int {
	fmt.Fprint(c.stdout, usageFor(c.name))
	return exitOK
}

// helpCommand prints the usage of the named command, or of all commands.
func (c *command) helpCommand(args []string) int {
	switch {
	case len(args) == 0:
		c.name = ""
	case len(args) == 1 && slices.Contains(commands, args[0]):
		c.name = args[0]
	default:
		return c.usageError("help takes the name of one command")
	}
	return c.printHelp()
}

// flagHeadings maps the name of each command that has flags to their heading in usageText.
var flagHeadings = map[string]string{
	"breaking": "Flags of breaking:",
	"catalog":  "Flags of catalog:",
	"check":    "Flags for generating and checking:",
	"doctor":   "Flag of doctor:",
	"fix":      "Flags of fix:",
	"fmt":      "Flags of fmt:",
	"list":     "Flags of list:",
	"new":      "Flags of new:",
}

const sharedFlags = "Flags of all commands that take flags:"

// usageFor returns the part of usageText about a command, or all of it if there is no such part.
func usageFor(command string) string {
	lines, isAbout := "", false
	for line := range strings.Lines(usageSection("Usage:")) {
		if strings.HasPrefix(line, "\tgo tool aiongen") {
			isAbout = strings.HasPrefix(line, "\tgo tool aiongen "+command+" ")
		}
		if isAbout {
			lines += line
		}
	}
	if lines == "" {
		return usageText
	}
	text := "Usage:\n\n" + lines
	if heading, ok := flagHeadings[command]; ok {
		text += "\n" + heading + "\n\n" + usageSection(heading) + "\n" + sharedFlags + "\n\n" + usageSection(sharedFlags)
	}
	return text
}

// usageSection returns the text below a heading of usageText.
func usageSection(heading string) string {
	_, text, _ := strings.Cut(usageText, "\n"+heading+"\n\n")
	text, _, _ = strings.Cut(text, "\n\n")
	return strings.TrimSuffix(text, "\n") + "\n"
}

func (c *command) usageError(format string, args ...any) int {
	fmt.Fprintf(c.stderr, "aiongen: "+format+"\n", args...)
	fmt.Fprintln(c.stderr, "run 'go tool aiongen help' for usage")
	return exitUsage
}
