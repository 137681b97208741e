package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/aiongen/aiongen/runtime/wire"
)

// Invocation is one run of a tool for generated code: it provides the arguments and takes the result or the
// error. It is valid until the invoke function passed to [New] returns, and is not safe for concurrent use.
type Invocation struct {
	context        *callContext // of the function
	checkOnly      bool         // the function must not run
	variables      runVariables
	refersToValues bool // arguments may be references where JSON could carry the value
	decoder        wire.Decoder
	encoder        wire.Encoder

	readingArguments bool               // Arguments was called, Ready was not
	hookArguments    *RepairedArguments // the arguments after a hook changed them
	hasResult        bool               // Result was called
	err              error
}

// invocationPool keeps invocations for reuse. Fields are reset one by one: each write of a pointer costs a
// little during garbage collection.
var invocationPool = sync.Pool{New: func() any { return new(Invocation) }}

// runTool runs the tool and returns its result or its error.
func (in *Invocation) runTool() (output json.RawMessage, err error) {
	ctx := context.Context(in.context)
	if in.checkOnly {
		ctx = context.Background()
	}
	in.variables.tool.invoke(ctx, in)
	switch {
	case in.err != nil:
		return nil, in.err
	case !in.hasResult:
		return json.RawMessage("null"), nil
	}
	output, pointer, err := in.encoder.Done()
	if err != nil {
		return nil, &OutputError{Tool: in.variables.tool.definition.Name, Pointer: pointer, Err: err}
	}
	return output, nil
}

// returnToPool makes the memory of a finished invocation available for other calls.
func (in *Invocation) returnToPool() {
	if in.readingArguments {
		in.decoder.Done()
	}
	if in.variables.scope != nil {
		in.variables.scopeAccess = scopeAccess{}
	}
	if in.err != nil {
		in.err = nil
	}
	in.context, in.readingArguments, in.hasResult = nil, false, false
	invocationPool.Put(in)
}

// Arguments returns the arguments of the call. The value is absent if they are not JSON or exceed a limit.
// Call it once.
func (in *Invocation) Arguments() (root wire.Value) {
	var vars wire.Variables
	if in.variables.scope != nil {
		vars = &in.variables
	}
	arguments := normalizeArguments(in.context.requestArguments)
	if in.context.replacement != nil {
		arguments = in.context.replacement.Value
	}
	in.readingArguments = true
	return in.decoder.Read(arguments, &in.variables.tool.settings.Limits, vars, in.refersToValues)
}

// Ready reports, after the arguments were read, whether to run the function. It returns false if the
// arguments have faults or the call is only checked.
func (in *Invocation) Ready() bool {
	faults, count, opaque := in.decoder.Done()
	in.readingArguments = false
	if count > 0 {
		in.err = &ArgumentError{Tool: in.variables.tool.definition.Name, Faults: faults, Count: count}
	}
	in.variables.readsOpaque = opaque
	return in.err == nil && !in.checkOnly
}

// RecordError reports whether err, the error of the function, is not nil, and records it as a [*ToolError],
// or as the [*AskError] that it wraps if the call waits for answers. If the context is done, the recorded
// error wraps its cause even if err does not.
func (in *Invocation) RecordError(err error) bool {
	if err == nil {
		return false
	}
	_, _ = err.Error(), ModelText(&ToolError{Err: err}) // if err panics, as a nil pointer may, let it panic here
	if asks, ok := errors.AsType[*AskError](err); ok && !asks.Nobody {
		in.err = asks
		return true
	}
	if cause := in.context.Err(); cause != nil && !errors.Is(err, cause) {
		err = fmt.Errorf("%w: %w", cause, err)
	}
	in.err = &ToolError{Tool: in.variables.tool.definition.Name, Err: err}
	return true
}

// Result returns the encoder for the result. Call it once. A call with neither a result nor an error has the
// result null.
func (in *Invocation) Result() *wire.Encoder {
	in.hasResult = true
	in.encoder.Start(in.variables.tool.settings.Output, &in.variables)
	return &in.encoder
}
