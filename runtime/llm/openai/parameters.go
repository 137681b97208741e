package openai

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// Optional parameters of a request. The token limit has an old name, which most endpoints know,
// and a new one, which newer models at OpenAI require.
const (
	temperature = "temperature"
	topP        = "top_p"
	oldLimit    = "max_tokens"
	newLimit    = "max_completion_tokens"
	streaming   = "stream_options"
)

// wrongValue matches error messages about a parameter that the endpoint supports but whose value it
// rejects.
var wrongValue = regexp.MustCompile(`(?i)too (large|small|high|low|many|long)|at (most|least)|between|range|exceed|less than|greater than|maximum|minimum`)

// addRefused returns p with the parameters that the endpoint named in an error. It reports
// whether the request can be sent again without them. The value of a parameter is false if later
// requests may send it with another value.
func addRefused(p endpoint.Parameters, x *exchange, e *llm.Error, sent []string) (endpoint.Parameters, bool) {
	refused := x.status == http.StatusBadRequest || x.status == http.StatusUnprocessableEntity || e.Kind == llm.BadRequest && !isFailure(x.status)
	if !refused || x.complaint == "" {
		return p, false
	}
	always := !wrongValue.MatchString(x.complaint)
	more := endpoint.Parameters{}
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

// isElsewhere matches a path that does not lead to a parameter of the request, such as
// tools[0].function.parameters.properties.
var isElsewhere = regexp.MustCompile(`tool|function|param|propert|schema|argument|message`)

// isNamed reports whether a text contains a name as a word, in upper or lower case. A part of
// another name, or of a path such as properties.temperature, does not count.
func isNamed(text, name string) bool {
	text = strings.ToLower(text)
	for i := 0; ; {
		at := strings.Index(text[i:], name)
		if at < 0 {
			return false
		}
		start, end := i+at, i+at+len(name)
		endsWord := end == len(text) || !isNamePart(text[end]) || text[end] == '.' && (end+1 == len(text) || !isNamePart(text[end+1]))
		path := text[strings.LastIndexFunc(text[:start], func(r rune) bool {
			return !strings.ContainsRune("_.$[]", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})+1 : start]
		begins := start == 0 || !isNamePart(text[start-1]) || text[start-1] == '.'
		if begins && endsWord && !isElsewhere.MatchString(path) {
			return true
		}
		i = end
	}
}

// isNamePart reports whether a byte of a text in lower case belongs to a name or a path.
func isNamePart(c byte) bool {
	return c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
}

// limitNames returns the names of the token limit in the order in which they are tried.
func (m *model) limitNames() []string {
	if m.reasoning || m.isOpenAI() || isReasoningModel(m.name) {
		return []string{newLimit, oldLimit}
	}
	return []string{oldLimit, newLimit}
}

// limitName returns the name of the token limit to send; "" if the endpoint refuses both.
func (m *model) limitName(without endpoint.Parameters) string {
	for _, name := range m.limitNames() {
		if !without.Has(name) {
			return name
		}
	}
	return ""
}

// reasoningModel matches the names of OpenAI's models that reason before they answer.
var reasoningModel = regexp.MustCompile(`^(o[1-9]|gpt-([5-9]|[1-9][0-9]))([^0-9].*)?$`)

// isReasoningModel reports whether the name is that of a model which reasons before it answers.
// Such a model requires the new name of the token limit. The name may have a provider as its
// prefix, as in openai/gpt-5.
func isReasoningModel(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	name = strings.TrimPrefix(name, "ft:")
	return reasoningModel.MatchString(name) && !slices.Contains(strings.Split(name, "-"), "chat")
}
