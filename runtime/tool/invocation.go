package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/aiongen/aiongen/runtime/wire"
)

// Invocation is one run of a tool: it provides the arguments and takes the result or the error. It is valid until
// the function invoke that was passed to [New] returns, and is not safe for concurrent use.
type Invocation struct {
	context        *callContext // of the function
	checkOnly      bool         // the function must not run
	variables      runVariables
	refersToValues bool // any argument may be a reference; see ReferToValues
	decoder        wire.Decoder
	encoder        wire.Encoder

	readingArguments bool               // Arguments was called, but not Ready
	hookArguments    *RepairedArguments // the arguments after hooks; nil if hooks did not change them
	hasResult        bool               // Result was called
	err              error
}

// invocationPool keeps invocations for reuse. Code that resets them writes only pointers that change, because each
// write of a pointer is slower during garbage collection.
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

// Arguments returns the arguments of the call. If they are not JSON or exceed a limit, it returns an absent value.
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

// Ready reports whether to run the function. Call it after reading the arguments. It returns false if the
// arguments have faults, or if the call is only being checked.
func (in *Invocation) Ready() bool {
	faults, count, opaque := in.decoder.Done()
	in.readingArguments = false
	if count > 0 {
		in.err = &ArgumentError{Tool: in.variables.tool.definition.Name, Faults: faults, Count: count}
	}
	in.variables.readsOpaque = opaque
	return in.err == nil && !in.checkOnly
}

// RecordError records err, the error of the function, and reports whether it is not nil. The call fails with a
// [*ToolError] that wraps err, or with the [*AskError] that err wraps if the call waits for answers. If the
// context is done, the ToolError also wraps the error of the context.
func (in *Invocation) RecordError(err error) bool {
	if err == nil {
		return false
	}
	_, _ = err.Error(), ModelText(&ToolError{Err: err}) // the methods of err may panic, for example if it is a nil pointer; here, the panic is recovered
	if askErr, ok := errors.AsType[*AskError](err); ok && !askErr.Nobody {
		in.err = askErr
		return true
	}
	if cause := in.context.Err(); cause != nil && !errors.Is(err, cause) {
		err = fmt.Errorf("%w: %w", cause, err)
	}
	in.err = &ToolError{Tool: in.variables.tool.definition.Name, Err: err}
	return true
}

// Result returns the encoder for the result. Call it at most once. If a call has neither a result nor an error, its
// result is null.
func (in *Invocation) Result() *wire.Encoder {
	in.hasResult = true
	in.encoder.Start(in.variables.tool.settings.Output, &in.variables)
	return &in.encoder
}
