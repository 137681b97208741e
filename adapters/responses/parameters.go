package responses

import (
	"maps"
	"net/http"
	"regexp"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// Optional parameters of a request, by the names with which errors refer to them.
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
// support, whatever its value is.
var unsupported = regexp.MustCompile(`(?i)unsupported|not supported|does not support|unknown|unrecognized|not permitted|must be verified|invalid value: '(additional_tools|reasoning\.encrypted_content)'`)

// addRefused adds to p the optional parameters that the endpoint does not support according to an error report.
// It returns the result, and reports whether the request can be sent again without these parameters.
func addRefused(p endpoint.Parameters, report errorReport, r *request) (endpoint.Parameters, bool) {
	if status := r.answer.Status(); status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return p, false
	}
	more := endpoint.Parameters{}
	maps.Copy(more, p)
	for _, name := range r.optional {
		switch {
		case p.Has(name):
		case name == earlierItems:
			if report.refusesItems() {
				more[name] = false
			}
		case report.refuses(name):
			more[name] = true
		}
	}
	return more, len(more) > len(p)
}

// refuses reports whether the endpoint does not support a parameter.
func (r errorReport) refuses(name string) bool {
	isNamed := r.param == name || strings.HasSuffix(r.param, "."+name) || strings.Contains(r.message, "'"+name+"'")
	return unsupported.MatchString(r.message) && (isNamed || name == laterTools && strings.Contains(r.message, name))
}

// refusesItems reports whether the endpoint cannot read the items of earlier answers, which were
// encrypted for another account, for example.
func (r errorReport) refusesItems() bool {
	return r.code == "invalid_encrypted_content" || strings.Contains(r.message, "could not be verified") || strings.Contains(r.message, "Items are not persisted")
}
