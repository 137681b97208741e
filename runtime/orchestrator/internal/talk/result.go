package talk

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/trim"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/tool"
)

// results are those of all calls of a conversation.
type results struct {
	limit int                        // in bytes, of what is in a message; below 0 there is none
	tool  string                     // that reads them
	long  bool                       // there is one of which a message has a part only
	all   map[string]json.RawMessage // by the reference to them
}

// inline is how much of a result is in a message if nobody says it, in bytes.
const inline = 16 << 10

// longestError bounds what of an error a message has, in bytes.
const longestError = 3800

// take returns a call as a message has it: an error that is not of the program's own
// words in quotes, of a long result a part, and a reference to it; what is attached in
// words.
func (r *results) take(call *tool.Call, tools []tool.Definition) tool.Call {
	shown := *call
	if shown.Content = nil; call.Err != nil {
		shown.Err = quoted(call.Err)
		return shown
	}
	shown.Note = quote.Beside(call, inline)
	id := reference(call.ID)
	if r.all == nil {
		r.all = map[string]json.RawMessage{}
	}
	r.all[id] = call.Output
	if r.limit < 0 || len(call.Output) <= r.limit {
		return shown
	}
	r.long = true
	part, lost := r.part(call, tools)
	shown.Output = part
	note := fmt.Sprintf("The result has %d bytes, and this is a part of it%s. Call %s with the id %q to read more.", len(call.Output), lost, r.tool, id)
	shown.Note = strings.TrimPrefix(shown.Note+"\n"+note, "\n")
	return shown
}

// reference returns by what a model refers to a result: the ID of its call in the run.
func reference(call string) string { return call[strings.IndexByte(call, '/')+1:] }

// longestFitted bounds what is read as a whole to be shown in part, in bytes.
const longestFitted = 1 << 20

// part returns what a message has of a long result, and in words what it has not: a
// value with shorter lists and texts if that can be, else the beginning as a text.
func (r *results) part(call *tool.Call, tools []tool.Definition) (part json.RawMessage, lost string) {
	if len(call.Output) <= longestFitted {
		var s *jsonschema.Schema
		if i := slices.IndexFunc(tools, func(d tool.Definition) bool { return d.Name == call.Request.Name }); i >= 0 && len(tools[i].Output) > 0 {
			s, _ = jsonschema.Parse(tools[i].Output) // what is none allows all
		}
		if cut, lost, err := trim.Fit(string(call.Output), s, r.limit); err == nil {
			return json.RawMessage(cut), ": " + lost
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

// quoted returns an error whose words for the model are in quotes, unless they are the
// program's own.
func quoted(err error) error {
	switch e := err.(type) {
	case *tool.UnknownToolError, *tool.ArgumentError, *tool.TruncatedError, *tool.DeniedError, *tool.ApprovalError, *tool.ScopeError, *tool.OutputError:
		return err
	case *tool.PanicError:
		if silent := (&tool.PanicError{Tool: e.Tool}); tool.ModelText(e) == tool.ModelText(silent) {
			return err
		}
	}
	return &quotedError{err}
}

type quotedError struct{ error }

// ModelText is without what [tool.ModelText] says before it itself.
func (e *quotedError) ModelText() string {
	return quote.Text(strings.TrimPrefix(tool.ModelText(e.error), "The call failed: "), longestError)
}
