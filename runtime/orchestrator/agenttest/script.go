package agenttest

import (
	"errors"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/tool"
)

// scriptAnswer converts the response or the error of a model to an answer of package scripted.
func scriptAnswer(r llm.Response, err error) scripted.Answer {
	if err != nil {
		return scripted.Fail(err)
	}
	return scripted.Respond(r)
}

// scriptOutcome converts a recorded call to an outcome for [Tools].
func scriptOutcome(c *tool.Call) Outcome {
	pattern := writeCall(c.Request.Name, c.Request.Arguments)
	if isPlain(c) {
		return Returns(pattern, string(c.Output))
	}
	if err := simpleError(c); err != nil {
		return Fails(pattern, err)
	}
	return Recorded(pattern, recordCall(c))
}

// isPlain reports whether a call has nothing but an output.
func isPlain(c *tool.Call) bool {
	return c.Err == nil && c.Note == "" && c.Content == nil && c.Meta == nil && c.Repairs == nil && jsontext.EqualTexts(c.Arguments, orNoArguments(c.Request.Arguments), jsontext.Depth)
}

// simpleError returns the error of a call if [Fails] can reproduce it: a [*tool.ApprovalError], or
// an error that has nothing but a text. Otherwise it returns nil.
func simpleError(c *tool.Call) error {
	if c.Status != tool.StatusFailed || c.Note != "" || c.Repairs != nil {
		return nil
	}
	switch err := c.Err.(type) { //nolint:errorlint // an error that wraps one of these is another error
	case *tool.ApprovalError:
		return err
	case *tool.ToolError:
		text := errors.New(err.Err.Error())
		simple := &tool.ToolError{Tool: c.Request.Name, Err: text}
		if err.Tool == simple.Tool && tool.Code(err) == tool.Code(simple) && tool.Code(err.Err) == tool.Code(text) && tool.ModelText(err) == tool.ModelText(simple) && !tool.Retryable(err) {
			return text
		}
	}
	return nil
}

// recordCall returns a call as JSON, without what differs between processes.
func recordCall(c *tool.Call) string {
	bare := &tool.Call{
		Request: tool.Request{Name: c.Request.Name, Arguments: c.Request.Arguments}, Arguments: c.Arguments, Status: c.Status,
		Output: c.Output, Err: c.Err, Repairs: c.Repairs, Note: c.Note, Content: c.Content, Meta: c.Meta,
	}
	text, err := jsontext.Marshal(bare, "")
	if err != nil {
		panic(err) // the call comes from a journal
	}
	return string(text)
}
