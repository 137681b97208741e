package conversation

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/errtype"
	"github.com/aiongen/aiongen/runtime/tool"
)

// resultStore holds the results of all calls of a conversation.
type resultStore struct {
	limit int                        // maximum bytes of a result in a message; negative is unlimited
	tool  string                     // name of the tool that reads results
	long  bool                       // a result was too long to be shown in full
	all   map[string]json.RawMessage // by ID, see resultID
}

// defaultInline is the default length of results in messages, in bytes.
const defaultInline = 16 << 10

// maxErrorLength is the maximum length of errors in messages, in bytes.
const maxErrorLength = 3800

// addResult stores the result of a call and returns the call as a message shows it. The text of an
// error is quoted if it comes from outside the program. A long result is cut, and a note says by
// which ID the model can read the rest. Attachments are only described.
func (r *resultStore) addResult(call *tool.Call, tools []tool.Definition) tool.Call {
	shown := *call
	if shown.Content = nil; call.Err != nil {
		shown.Err = quoteError(call.Err)
		return shown
	}
	shown.Note = call.QuoteAttached(defaultInline)
	id := resultID(call.ID)
	if r.all == nil {
		r.all = map[string]json.RawMessage{}
	}
	r.all[id] = call.Output
	if r.limit < 0 || len(call.Output) <= r.limit {
		return shown
	}
	r.long = true
	part, omitted := r.shortenResult(call, tools)
	shown.Output = part
	note := fmt.Sprintf("The result has %d bytes, and this is a part of it%s. Call %s with the id %q to read more.", len(call.Output), omitted, r.tool, id)
	shown.Note = strings.TrimPrefix(shown.Note+"\n"+note, "\n")
	return shown
}

// resultID returns the ID by which a model refers to a result: the ID of its call without that of the
// run, such as "2/1" for "r/2/1".
func resultID(call string) string { return call[strings.IndexByte(call, '/')+1:] }

// maxParsedResult is the maximum length of a result that is parsed to shorten it, in bytes.
const maxParsedResult = 1 << 20

// shortenResult returns a part of a long result, and a description of what it omits. If possible, the
// part is a valid value with shorter lists and texts. Otherwise it is the beginning of the result as a
// text.
func (r *resultStore) shortenResult(call *tool.Call, tools []tool.Definition) (short json.RawMessage, omitted string) {
	if len(call.Output) <= maxParsedResult {
		var s *jsonschema.Schema
		if i := slices.IndexFunc(tools, func(d tool.Definition) bool { return d.Name == call.Request.Name }); i >= 0 && len(tools[i].Output) > 0 {
			s, _ = jsonschema.Parse(tools[i].Output) // an invalid schema allows everything
		}
		if cut, omitted, err := jsonschema.Truncate(string(call.Output), s, r.limit); err == nil {
			return json.RawMessage(cut), ": " + omitted
		}
	}
	const longestEscape = len(`\ud83d\ude00`)
	head := string(call.Output[:min(len(call.Output), r.limit+longestEscape)])
	if head[0] == '"' {
		head += `"`
	} else {
		head = jsontext.Quote(head)
	}
	return json.RawMessage(jsontext.CutLiteral(head, r.limit)), ", its beginning"
}

// quoteError returns an error whose text for the model is quoted, unless the text is the
// program's own.
func quoteError(err error) error {
	if isOwnText(err) {
		return err
	}
	return &quotedError{err}
}

// isOwnText reports whether the text of an error for the model comes from the program, not from a function.
func isOwnText(err error) bool {
	if e, ok := errtype.As[*tool.PanicError](err); ok {
		silent := &tool.PanicError{Tool: e.Tool}
		return tool.ModelText(e) == tool.ModelText(silent)
	}
	return errtype.Is[*tool.UnknownToolError](err) || errtype.Is[*tool.ArgumentError](err) || errtype.Is[*tool.TruncatedError](err) ||
		errtype.Is[*tool.DeniedError](err) || errtype.Is[*tool.ApprovalError](err) || errtype.Is[*tool.ScopeError](err) || errtype.Is[*tool.OutputError](err)
}

type quotedError struct{ error }

// ModelText returns the quoted text of the error, without the prefix that [tool.ModelText] adds.
func (e *quotedError) ModelText() string {
	return jsontext.QuoteLine(strings.TrimPrefix(tool.ModelText(e.error), "The call failed: "), maxErrorLength)
}
