package main

import (
	"fmt"
	"slices"
	"strings"
)

const usage = `aiongen compiles .aion files into typed Go.

Usage:

	aiongen [flags] [packages]          write the generated files
	aiongen check [flags] [packages]    compare them with what is there
	aiongen fix [flags] [packages]      mend .aion files as errors and warnings say
	aiongen fmt [flags] [files]         format .aion files
	aiongen new [flags] package [functions]
	                                    write a .aion file for functions, named or by
	                                    patterns; without any, list what there is
	aiongen list [flags] [packages]     show the tools
	aiongen breaking -against base [packages]
	                                    say which changes break callers
	aiongen explain [code]              say what the code of an error means
	aiongen version                     print the version

Flags of all that take some:

	-C dir          change to dir first
	-format name    report errors as text, json, sarif or github
	-color when     colour text always, never or, by default, auto

Flags for generating and checking:

	-a              look at all again, also where nothing seems to have changed
	-o dir          write to dir, as a package of its own
	-tags list      build tags, as go build takes them
	-lint targets   warn of what anthropic, anthropic-strict, gemini, mcp, ollama,
	                openai or openai-strict will refuse or drop

Flag for generating alone:

	-watch          stay, and generate again whenever a file is saved

Flags of fix:

	-d              show what fixing would change, and write nothing
	-guess codes    make guesses, too, for errors and warnings with these codes
	-o dir          as when generating
	-tags list      build tags, as go build takes them

Flags of fmt:

	-l              list the files that are not formatted
	-d              show what formatting would change

Flags of new:

	-all            for all that is exported, as far as it can be a tool
	-o file         write to file, which must not exist, instead of standard output
	-tags list      build tags, as go build takes them

Flags of list:

	-json           show all that is known of them, as JSON
	-schema target  show them as a target of -lint receives them
	-o file         write to file instead of standard output
	-tags list      build tags, as go build takes them

Flags of breaking:

	-against base   compare with a git revision, or a file of list -schema mcp
	-tags list      build tags, as go build takes them
`

// commands are the words that say what to do; without one of them aiongen
// generates.
var commands = []string{"breaking", "check", "explain", "fix", "fmt", "help", "list", "new", "version", "-version", "--version"}

// takeName takes the name of the command out of the arguments. Flags that all
// commands share may stand in front of it.
func (c *command) takeName(args []string) (rest []string) {
	n := 0
	for n < len(args) && strings.HasPrefix(args[n], "-") {
		flag, _, whole := strings.Cut(strings.TrimLeft(args[n], "-"), "=")
		if c.flags.Lookup(flag) == nil {
			break
		}
		if n++; !whole {
			n++ // its value
		}
	}
	if n < len(args) && slices.Contains(commands, args[n]) {
		c.name = args[n]
		return slices.Concat(args[:n], args[n+1:])
	}
	return args
}

// help prints the usage of the command.
func (c *command) help() int {
	fmt.Fprint(c.stdout, usageOf(c.name))
	return exitOK
}

// helpFor prints the usage of a command that is named, or of all.
func (c *command) helpFor(args []string) int {
	switch {
	case len(args) == 0:
		c.name = ""
	case len(args) == 1 && slices.Contains(commands, args[0]):
		c.name = args[0]
	default:
		return c.misuse("help takes the name of one command")
	}
	return c.help()
}

// flagHeadings are where the flags of commands stand in the usage. Those that are
// not here take none.
var flagHeadings = map[string]string{
	"breaking": "Flags of breaking:",
	"check":    "Flags for generating and checking:",
	"fix":      "Flags of fix:",
	"fmt":      "Flags of fmt:",
	"list":     "Flags of list:",
	"new":      "Flags of new:",
}

const sharedFlags = "Flags of all that take some:"

// usageOf is the part of the usage that is about a command; all of it for none.
func usageOf(command string) string {
	lines, about := "", false
	for line := range strings.Lines(part("Usage:")) {
		if strings.HasPrefix(line, "\taiongen") {
			about = strings.HasPrefix(line, "\taiongen "+command+" ")
		}
		if about {
			lines += line
		}
	}
	if lines == "" {
		return usage
	}
	text := "Usage:\n\n" + lines
	if heading, ok := flagHeadings[command]; ok {
		text += "\n" + heading + "\n\n" + part(heading) + "\n" + sharedFlags + "\n\n" + part(sharedFlags)
	}
	return text
}

// part is what stands below a heading of the usage.
func part(heading string) string {
	_, text, _ := strings.Cut(usage, "\n"+heading+"\n\n")
	text, _, _ = strings.Cut(text, "\n\n")
	return strings.TrimSuffix(text, "\n") + "\n"
}

func (c *command) misuse(format string, args ...any) int {
	fmt.Fprintf(c.stderr, "aiongen: "+format+"\n", args...)
	fmt.Fprintln(c.stderr, "run 'aiongen help' for usage")
	return exitUsage
}
