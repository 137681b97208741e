package openai

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/aiongen/aiongen/runtime/llm"
)

// Parameters of a request that an answer can do without. The limit on tokens has an
// old name, which most endpoints know, and a new one, which the newer models at OpenAI
// insist on.
const (
	temperature = "temperature"
	topP        = "top_p"
	oldLimit    = "max_tokens"
	newLimit    = "max_completion_tokens"
	streaming   = "stream_options"
)

// parameters is a set of parameters.
type parameters map[string]bool

// refusedParameters are the parameters that an endpoint was found to refuse. It is safe
// for concurrent use.
type refusedParameters struct {
	mu    sync.Mutex
	names parameters
}

func (r *refusedParameters) load() parameters {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.names)
}

// store adds the parameters without which a request succeeded, except those of which
// only the value was wrong.
func (r *refusedParameters) store(without parameters) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, always := range without {
		if always {
			if r.names == nil {
				r.names = parameters{}
			}
			r.names[name] = true
		}
	}
}

// wrongValue matches what endpoints write about a parameter that they know, but whose
// value they do not accept.
var wrongValue = regexp.MustCompile(`(?i)too (large|small|high|low|many|long)|at (most|least)|between|range|exceed|less than|greater than|maximum|minimum`)

// add returns p and the parameters of a request that the endpoint named in an error. It
// reports whether the request can be sent again without them. The value of a parameter is
// false if later requests may send it with another value.
func (p parameters) add(x *exchange, e *llm.Error, sent []string) (parameters, bool) {
	refused := x.status == http.StatusBadRequest || x.status == http.StatusUnprocessableEntity || e.Kind == llm.BadRequest && !isFailure(x.status)
	if !refused || x.complaint == "" {
		return p, false
	}
	always := !wrongValue.MatchString(x.complaint)
	more := parameters{}
	maps.Copy(more, p)
	for _, name := range sent {
		isLimit := name == oldLimit || name == newLimit
		named := isNamed(x.complaint, name) || isLimit && (isNamed(x.complaint, oldLimit) || isNamed(x.complaint, newLimit))
		switch {
		case named && isLimit && !always: // the other name would not help
			more[oldLimit], more[newLimit] = false, false
		case named:
			more[name] = always
		}
	}
	return more, len(more) > len(p)
}

// isElsewhere matches a path to a place that is not a parameter of the request, such as
// tools[0].function.parameters.properties.
var isElsewhere = regexp.MustCompile(`tool|function|param|propert|schema|argument|message`)

// isNamed reports whether a text contains a name as a word, in upper or lower case. A part of
// another name, or of a path such as properties.temperature, does not count.
func isNamed(text, name string) bool {
	text = strings.ToLower(text)
	isPart := func(c byte) bool {
		return c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	for i := 0; ; {
		at := strings.Index(text[i:], name)
		if at < 0 {
			return false
		}
		start, end := i+at, i+at+len(name)
		endsWord := end == len(text) || !isPart(text[end]) || text[end] == '.' && (end+1 == len(text) || !isPart(text[end+1]))
		path := text[strings.LastIndexFunc(text[:start], func(r rune) bool {
			return !strings.ContainsRune("_.$[]", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})+1 : start]
		begins := start == 0 || !isPart(text[start-1]) || text[start-1] == '.'
		if begins && endsWord && !isElsewhere.MatchString(path) {
			return true
		}
		i = end
	}
}

// limitNames returns the names of the limit on tokens in the order in which they are
// tried.
func (m *model) limitNames() []string {
	if m.reasoning || m.isOpenAI() || isReasoningModel(m.name) {
		return []string{newLimit, oldLimit}
	}
	return []string{oldLimit, newLimit}
}

// limitName returns the name of the limit on tokens in a request; "" if the endpoint
// takes none.
func (m *model) limitName(without parameters) string {
	for _, name := range m.limitNames() {
		if _, refused := without[name]; !refused {
			return name
		}
	}
	return ""
}

// reasoningModel matches the names of OpenAI's models that reason before they answer.
var reasoningModel = regexp.MustCompile(`^(o[1-9]|gpt-([5-9]|[1-9][0-9]))([^0-9].*)?$`)

// isReasoningModel reports whether a model is known by its name to reason before it
// answers: it takes no temperature, and the limit on tokens has its new name. The name
// may have a provider in front, as in openai/gpt-5.
func isReasoningModel(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	name = strings.TrimPrefix(name, "ft:")
	return reasoningModel.MatchString(name) && !slices.Contains(strings.Split(name, "-"), "chat")
}
