package responses

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// Optional parameters of a request. The values are the names in error messages.
const (
	temperature      = "temperature"
	topP             = "top_p"
	encrypted        = "include"
	reasoningSummary = "reasoning.summary"
	outputSchemas    = "output_schema"
	laterTools       = "additional_tools"
	earlierItems     = "encrypted_content" // the items of earlier answers
)

// unsupported matches error messages about a parameter that the model or the endpoint does not
// support with any value.
var unsupported = regexp.MustCompile(`(?i)unsupported|not supported|does not support|unknown|unrecognized|not permitted|must be verified|invalid value: '(additional_tools|reasoning\.encrypted_content)'`)

// addRefused adds the optional parameters that the endpoint does not support according to an error report to p, the
// omitted parameters. It reports whether it has added any, so that another attempt makes sense.
func addRefused(p endpoint.Parameters, report errorReport, r *request) bool {
	if status := r.answer.Status(); status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return false
	}
	before := len(p)
	for _, name := range r.optional {
		switch {
		case p.Has(name):
		case name == earlierItems:
			if report.refusesItems() {
				p[name] = false
			}
		case report.refuses(name):
			p[name] = true
		}
	}
	return len(p) > before
}

// refuses reports whether the error means that the endpoint does not support a parameter.
func (r errorReport) refuses(name string) bool {
	isMentioned := r.param == name || strings.HasSuffix(r.param, "."+name) || strings.Contains(r.message, "'"+name+"'")
	return unsupported.MatchString(r.message) && (isMentioned || name == laterTools && strings.Contains(r.message, name))
}

// refusesItems reports whether the error means that the endpoint cannot read the items of earlier
// answers, for example because they were encrypted for another account.
func (r errorReport) refusesItems() bool {
	return r.code == "invalid_encrypted_content" || strings.Contains(r.message, "could not be verified") || strings.Contains(r.message, "Items are not persisted")
}
