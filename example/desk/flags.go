package desk

import (
	"flag"
	"slices"
	"strings"
)

// settings are what the flags say.
type settings struct {
	program                 string // as one calls it
	url, model, memory, log string
	json, yes, talk, mcp    bool
	mcpHTTP                 string
	ttl                     int
	places                  []named
}

// named is a place, and where the flag says that it is.
type named struct {
	Place
	at string
}

// declare returns the flags, and what they will say.
func declare(program string, places []Place) (*settings, *flag.FlagSet) {
	s := &settings{program: program, places: make([]named, len(places))}
	flags := flag.NewFlagSet(program, flag.ContinueOnError)
	flags.StringVar(&s.url, "model-url", "", "base `URL` of an endpoint, as http://127.0.0.1:8000/v1")
	flags.StringVar(&s.model, "model", "", "`name` of a model there")
	flags.StringVar(&s.memory, "memory", "", "keep runs and tickets in a `folder`, and go on with a run that was interrupted")
	flags.StringVar(&s.log, "log", "", "append a line of JSON for each cycle to a `file`")
	flags.BoolVar(&s.json, "json", false, "write what happens as lines of JSON")
	flags.BoolVar(&s.yes, "yes", false, "approve all calls that need approval")
	flags.BoolVar(&s.talk, "talk", false, "hold a conversation instead of making a plan")
	flags.IntVar(&s.ttl, "ttl", 0, "execute at most so many `steps`; 0 is 50")
	flags.BoolVar(&s.mcp, "mcp", false, "serve the tools over MCP at standard input and output")
	flags.StringVar(&s.mcpHTTP, "mcp-http", "", "serve the tools over MCP at an `address`, as :8080, which is on 127.0.0.1")
	for i, p := range places {
		s.places[i].Place = p
		flags.StringVar(&s.places[i].at, p.Flag, "", p.Usage)
	}
	return s, flags
}

// isCommand tells whether the first word is a command; behind -- it is a request.
func isCommand(args, words []string) bool {
	if len(words) == 0 || slices.Contains(args[:slices.Index(args, words[0])], "--") {
		return false
	}
	_, found := find(words[0])
	return found || words[0] == "runs" || words[0] == work
}

// misuse says what is wrong with the arguments; nothing if they make sense.
func (s settings) misuse(args, words, given []string) string {
	for _, p := range s.places {
		if p.at != "" && p.Open == nil {
			return missing(p.Flag, p.at)
		}
	}
	request := strings.TrimSpace(strings.Join(words, " "))
	serves := s.mcp || s.mcpHTTP != ""
	switch {
	case isCommand(args, words) && words[0] == work:
		return s.misuseOfWork(words, given)
	case isCommand(args, words) && (s.where() == "" || len(given) > 1):
		return words[0] + " needs -memory" + s.others() + ", and takes no other flag"
	case isCommand(args, words):
		return ""
	case (s.url == "") != (s.model == ""):
		return "-model-url and -model need each other"
	case serves && (len(given) > 1 || len(words) > 0):
		return "-mcp and -mcp-http exclude each other, a request and all other flags"
	case s.remote() && (s.memory != "" || s.log != ""):
		return "-memory and -log are for a run that is executed here, or for work"
	case s.remote() && request == "":
		return "there is no request"
	case s.ttl < 0:
		return "-ttl must not be negative"
	case request == "" && len(words) > 0:
		return "the request is empty"
	case request == "" && s.memory == "" && !serves && len(given) > 0:
		return "there is no request for " + strings.Join(given, ", ")
	}
	return ""
}

// work is the command that drives runs.
const work = "work"

// misuseOfWork says what is wrong with the arguments of work.
func (s settings) misuseOfWork(words, given []string) string {
	switch {
	case !s.remote():
		return "work needs" + strings.TrimPrefix(s.others(), " or") + ": without, a run is executed where it is asked for"
	case len(words) > 1 || s.yes || s.talk || s.json || s.ttl != 0 || s.mcp || s.mcpHTTP != "":
		return "work takes no words, and no flags but those of places, of the model, and -log"
	case (s.url == "") != (s.model == ""):
		return "-model-url and -model need each other"
	}
	return ""
}

// others lists the flags of places.
func (s settings) others() (text string) {
	for _, p := range s.places {
		text += " or -" + p.Flag
	}
	return text
}

// remote tells whether workers drive the runs.
func (s settings) remote() bool {
	return slices.ContainsFunc(s.places, func(p named) bool { return p.at != "" })
}

// where says by which flag the runs are found again; nothing if they are not.
func (s settings) where() string {
	for _, p := range slices.Backward(s.places) {
		if p.at != "" {
			return "-" + p.Flag + " …" // which may have a password
		}
	}
	if s.memory != "" {
		return "-memory " + s.memory
	}
	return ""
}

// parse parses flags, also behind words that are none, and returns these. What
// follows -- is no flag.
func parse(flags *flag.FlagSet, args []string) (words []string, err error) {
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

// given are the flags that were given.
func given(flags *flag.FlagSet) (names []string) {
	flags.Visit(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
	return names
}
