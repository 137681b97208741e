package openai

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
)

// errorReport is an error that an endpoint reports.
type errorReport struct {
	message    string
	kind, code string
}

// parseErrorReport returns the error in a response body; ok is false if there is none. The protocol
// defines {"error": {"message": …}}. parseErrorReport also accepts:
//   - {"error": "…"} (Ollama)
//   - [{"error": {"message": …}}] (Gemini)
//   - {"message": …} (vLLM)
//   - {"detail": …} (FastAPI, which many endpoints use)
func parseErrorReport(body []byte) (c errorReport, ok bool) {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var report struct {
		Error, Detail, Message json.RawMessage
	}
	_ = json.Unmarshal(body, &report) // a value other than an object reports no error
	switch {
	case hasValue(report.Error):
		return readErrorReport(report.Error), true
	case hasValue(report.Message):
		return readErrorReport(body), true
	case hasValue(report.Detail):
		return readErrorReport(report.Detail), true
	}
	return errorReport{}, false
}

// readErrorReport reads an object with a message, a type or a code. It treats any other value as
// the message.
func readErrorReport(raw json.RawMessage) errorReport {
	var report struct {
		Message, Type, Code json.RawMessage
	}
	if json.Unmarshal(raw, &report) != nil || report.Message == nil && report.Type == nil && report.Code == nil {
		report.Message = raw
	}
	return errorReport{messageText(report.Message), messageText(report.Type), messageText(report.Code)}
}

// messageText returns the text of a value: a string as it is, a list of strings joined by commas, or
// the JSON of any other value.
func messageText(raw json.RawMessage) string {
	var text string
	var texts []string
	switch {
	case !hasValue(raw):
		return ""
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &texts) == nil:
		return strings.Join(texts, ", ")
	}
	return string(raw)
}

// hasValue reports whether a member has a value that is not null, false, zero or empty.
func hasValue(member json.RawMessage) bool {
	switch string(bytes.Join(bytes.Fields(member), nil)) {
	case "", "null", "false", "0", `""`, "{}", "[]":
		return false
	}
	return true
}

// String returns the message, or the kind and the code if there is no message.
func (c errorReport) String() string {
	if rest := strings.TrimSpace(c.kind + " " + c.code); strings.TrimSpace(c.message) == "" && rest != "" {
		return "the endpoint reports only: " + rest
	}
	return c.message
}

// errorKind returns the kind of [llm.Error]. If the error arrives in the middle of a stream, status
// is 200, but the code of the report may be an HTTP status, which is then used instead.
func (c errorReport) errorKind(status int) string {
	if n, err := strconv.Atoi(c.code); err == nil && !isFailure(status) && isFailure(n) {
		status = n
	}
	switch {
	case c.code == "insufficient_quota" || c.kind == "insufficient_quota":
		return llm.QuotaExceeded
	case c.isTooLong() && status != http.StatusTooManyRequests:
		return llm.ContextFull
	case isFailure(status):
		return llm.StatusKind(status)
	case c.code == "rate_limit_exceeded" || strings.HasPrefix(c.kind, "rate_limit"):
		return llm.RateLimited
	case c.kind == "invalid_request_error":
		return llm.BadRequest
	}
	return llm.ServerError
}

// isTooLong reports whether the request was too long for the model.
func (c errorReport) isTooLong() bool {
	return llm.IsContextFull(c.code + "\n" + c.kind + "\n" + c.message)
}

// isFailure reports whether a response with this status is an error. A redirect that was not followed is
// read as an answer.
func isFailure(status int) bool {
	return status < http.StatusOK || status >= http.StatusBadRequest
}
