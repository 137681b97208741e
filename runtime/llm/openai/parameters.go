package openai

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// Optional parameters of a request. The token limit has an old name, which most endpoints support,
// and a new name, which newer models at OpenAI require.
const (
	temperature = "temperature"
	topP        = "top_p"
	oldLimit    = "max_tokens"
	newLimit    = "max_completion_tokens"
	streaming   = "stream_options"
)

// wrongValue matches error messages that reject only the value of a parameter. The endpoint supports
// the parameter itself.
var wrongValue = regexp.MustCompile(`(?i)too (large|small|high|low|many|long)|at (most|least)|between|range|exceed|less than|greater than|maximum|minimum`)

// addRefused adds the parameters that the endpoint mentions in an error to p, the omitted parameters. It
// reports whether it has added any, so that another attempt makes sense. The value of an added parameter is
// false if the endpoint rejects only its current value.
func addRefused(p endpoint.Parameters, x *exchange, e *llm.Error, sent []string) bool {
	status := x.answer.Status()
	refused := status == http.StatusBadRequest || status == http.StatusUnprocessableEntity || e.Kind == llm.BadRequest && !isFailure(status)
	if !refused || x.complaint == "" {
		return false
	}
	unsupported := !wrongValue.MatchString(x.complaint)
	before := len(p)
	for _, name := range sent {
		isLimit := name == oldLimit || name == newLimit
		mentioned := isMentioned(x.complaint, name) || isLimit && (isMentioned(x.complaint, oldLimit) || isMentioned(x.complaint, newLimit))
		switch {
		case mentioned && isLimit && !unsupported: // the value would be rejected under the other name too
			p[oldLimit], p[newLimit] = false, false
		case mentioned:
			p[name] = unsupported
		}
	}
	return len(p) > before
}

// otherPath matches the beginning of a path into a tool or a message, such as
// tools[0].function.parameters.properties, where a name is not that of a request parameter.
var otherPath = regexp.MustCompile(`tool|function|param|propert|schema|argument|message`)

// isMentioned reports whether a text mentions a request parameter, in upper or lower case. Names inside
// a longer name or in a path such as properties.temperature do not count.
func isMentioned(text, name string) bool {
	text = strings.ToLower(text)
	for i := 0; ; {
		offset := strings.Index(text[i:], name)
		if offset < 0 {
			return false
		}
		start, end := i+offset, i+offset+len(name)
		endsWord := end == len(text) || !isNamePart(text[end]) || text[end] == '.' && (end+1 == len(text) || !isNamePart(text[end+1]))
		path := text[strings.LastIndexFunc(text[:start], func(r rune) bool {
			return !strings.ContainsRune("_.$[]", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})+1 : start]
		begins := start == 0 || !isNamePart(text[start-1]) || text[start-1] == '.'
		if begins && endsWord && !otherPath.MatchString(path) {
			return true
		}
		i = end
	}
}

// isNamePart reports whether a byte of a lower-case text can be part of a name or a path.
func isNamePart(c byte) bool {
	return c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
}

// limitName returns the name under which the token limit is sent, or "" if the endpoint rejected
// both names.
func (m *model) limitName(omit endpoint.Parameters) string {
	names := []string{oldLimit, newLimit}
	if m.reasoning || m.isOpenAI() || isReasoningModel(m.name) {
		names = []string{newLimit, oldLimit}
	}
	for _, name := range names {
		if !omit.Has(name) {
			return name
		}
	}
	return ""
}

// reasoningModel matches the names of OpenAI's models that reason before they answer.
var reasoningModel = regexp.MustCompile(`^(o[1-9]|gpt-([5-9]|[1-9][0-9]))([^0-9].*)?$`)

// isReasoningModel reports whether the named model of OpenAI reasons before it answers, and
// therefore requires the new name of the token limit. The name may begin with a provider, as in
// openai/gpt-5.
func isReasoningModel(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	name = strings.TrimPrefix(name, "ft:")
	return reasoningModel.MatchString(name) && !slices.Contains(strings.Split(name, "-"), "chat")
}
