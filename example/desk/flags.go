package desk

import (
	"flag"
	"slices"
	"strings"
)

// settings are the values of the flags.
type settings struct {
	program                 string // the command line that starts the program
	url, model, memory, log string
	providerName            string
	provider                Provider
	json, yes, talk, mcp    bool
	mcpHTTP                 string
	inspect                 pageAddress
	caseOf                  string // ID of the run for which a test is printed
	ttl                     int
	places                  []namedPlace
}

// namedPlace is a place with the value of its flag.
type namedPlace struct {
	Place
	at string
}

// declareFlags returns the flags and the settings that they set.
func declareFlags(program string, b Backends) (*settings, *flag.FlagSet) {
	s := &settings{program: program, places: make([]namedPlace, len(b.Places))}
	flags := flag.NewFlagSet(programName(program), flag.ContinueOnError)
	flags.StringVar(&s.url, "model-url", "", "base `URL` of an endpoint, such as http://127.0.0.1:8000/v1")
	flags.StringVar(&s.model, "model", "", "`name` of a model at the endpoint or provider")
	flags.StringVar(&s.providerName, "provider", "", "`name` of a provider of models: anthropic, gemini, openai or responses, with the key in the environment")
	flags.StringVar(&s.memory, "memory", "", "store runs and tickets in a `folder`, and continue an interrupted run")
	flags.StringVar(&s.log, "log", "", "append a line of JSON for each cycle to a `file`")
	flags.BoolVar(&s.json, "json", false, "print events as lines of JSON")
	flags.BoolVar(&s.yes, "yes", false, "approve all calls that need approval")
	flags.BoolVar(&s.talk, "talk", false, "hold a conversation instead of executing a plan")
	flags.IntVar(&s.ttl, "ttl", 0, "limit the number of `steps`; 0 means 50")
	flags.BoolVar(&s.mcp, "mcp", false, "serve the tools over MCP at standard input and output")
	flags.StringVar(&s.mcpHTTP, "mcp-http", "", "serve the tools over MCP at an `address` such as :8080, which means 127.0.0.1:8080")
	flags.Var(&s.inspect, "inspect", "serve a page about the tools and runs at http://"+defaultPage+", or with -inspect=`address` at an address such as :8090")
	flags.StringVar(&s.caseOf, "case", "", "print a Go test that repeats the stored run with an `ID`")
	for i, p := range b.Places {
		s.places[i].Place = p
		flags.StringVar(&s.places[i].at, p.Flag, "", p.Usage)
	}
	return s, flags
}

// isCommand reports whether the first word is the name of a command. Words after -- are always a request.
func isCommand(args, words []string) bool {
	if len(words) == 0 || slices.Contains(args[:slices.Index(args, words[0])], "--") {
		return false
	}
	_, found := findCommand(words[0])
	return found || words[0] == "runs" || words[0] == workCommand
}

// usageError returns an error message about the arguments, or "".
func (s settings) usageError(args, words, given []string) string {
	for _, p := range s.places {
		if p.at != "" && p.Open == nil {
			return unavailableMessage(p.Flag, p.at)
		}
	}
	switch {
	case s.caseOf != "" && (s.runsFlag() == "" || len(words) > 0 || len(given) > 2):
		return "-case needs -memory" + s.placeFlags() + ", and takes no request and no other flag"
	case s.caseOf != "":
		return ""
	case !isCommand(args, words):
		return s.requestUsageError(words, given)
	case words[0] == workCommand:
		return s.workUsageError(words)
	case s.runsFlag() == "" || len(given) > 1:
		return words[0] + " needs -memory" + s.placeFlags() + ", and takes no other flag"
	}
	return ""
}

// requestUsageError returns an error message about the arguments of a request, or "".
//
//nolint:gocyclo // a list of independent conditions
func (s settings) requestUsageError(words, given []string) string {
	request := strings.TrimSpace(strings.Join(words, " "))
	serves := s.mcp || s.mcpHTTP != ""
	switch {
	case serves && (len(given) > 1 || len(words) > 0):
		return "-mcp and -mcp-http cannot be combined with each other, a request or other flags"
	case s.isRemote() && (s.memory != "" || s.log != ""):
		return "-memory and -log are for a run that is executed here, or for work"
	case s.inspect != "" && (s.json || s.yes):
		return "-inspect takes neither -json nor -yes: the page shows events and asks you for decisions"
	case s.isRemote() && request == "" && s.inspect == "":
		return "there is no request"
	case s.ttl < 0:
		return "-ttl must not be negative"
	case request == "" && len(words) > 0:
		return "the request is empty"
	case request == "" && s.memory == "" && !serves && s.inspect == "" && len(given) > 0:
		return "there is no request for " + strings.Join(given, ", ")
	}
	return ""
}

// workCommand is the command that runs a worker.
const workCommand = "work"

// workUsageError returns an error message about the arguments of work, or "".
func (s settings) workUsageError(words []string) string {
	switch {
	case !s.isRemote():
		return "work needs" + strings.TrimPrefix(s.placeFlags(), " or") + ": without such a flag, the process that makes a request executes the run"
	case len(words) > 1 || s.yes || s.talk || s.json || s.ttl != 0 || s.mcp || s.mcpHTTP != "" || s.inspect != "":
		return "work takes no words, and no flags but those of places, of the model, and -log"
	}
	return ""
}

// placeFlags lists the flags of places.
func (s settings) placeFlags() (text string) {
	for _, p := range s.places {
		text += " or -" + p.Flag
	}
	return text
}

// isRemote reports whether workers execute the runs.
func (s settings) isRemote() bool {
	return slices.ContainsFunc(s.places, func(p namedPlace) bool { return p.at != "" })
}

// runsFlag returns the flag that selects where runs are stored, or "" if they are not.
func (s settings) runsFlag() string {
	for _, p := range slices.Backward(s.places) {
		if p.at != "" {
			return "-" + p.Flag + " …" // the value may contain a password
		}
	}
	if s.memory != "" {
		return "-memory " + s.memory
	}
	return ""
}

// parseFlags parses flags, including those after other words, and returns the words. Words after -- are not flags.
func parseFlags(flags *flag.FlagSet, args []string) (words []string, err error) {
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		ended := flags.NArg() < len(args) && args[len(args)-flags.NArg()-1] == "--"
		if args = flags.Args(); ended {
			return append(words, args...), nil
		}
		if len(args) > 0 {
			words, args = append(words, args[0]), args[1:]
		}
	}
	return words, nil
}

// setFlags returns the names of the flags that were set.
func setFlags(flags *flag.FlagSet) (names []string) {
	flags.Visit(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
	return names
}
