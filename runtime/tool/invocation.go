package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/aiongen/aiongen/runtime/tool/internal/store"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Invocation is one run of a tool, as generated code sees it: arguments come
// from it, the result or the error goes to it. It is good until the function that [New]
// takes returns, and not for concurrent use.
type Invocation struct {
	context *callContext // of the function
	check   bool         // the function is not to run
	vars    variables
	refers  bool // to variables also where there could be values
	decoder wire.Decoder
	encoder wire.Encoder

	begun   bool     // the arguments are being read
	changed *Reading // the arguments that hooks have left, if those are others
	written bool     // there is a result
	err     error
}

// invocations keeps the memory of those that are over. What is in it is changed one
// by one: each pointer costs a little while garbage is collected.
var invocations = sync.Pool{New: func() any { return new(Invocation) }}

// run runs the tool, and returns what came of it.
func (in *Invocation) run() (output json.RawMessage, err error) {
	ctx := context.Context(in.context)
	if in.check {
		ctx = context.Background()
	}
	in.vars.tool.invoke(ctx, in)
	switch {
	case in.err != nil:
		return nil, in.err
	case !in.written:
		return json.RawMessage("null"), nil
	}
	output, pointer, err := in.encoder.Done()
	if err != nil {
		return nil, &OutputError{Tool: in.vars.tool.definition.Name, Pointer: pointer, Err: err}
	}
	return output, nil
}

// release gives the memory back that an invocation has, which is over.
func (in *Invocation) release() {
	if in.begun {
		in.decoder.Done()
	}
	if in.vars.Variables != nil {
		in.vars.Access = store.Access{}
	}
	if in.err != nil {
		in.err = nil
	}
	in.context, in.begun, in.written = nil, false, false
	invocations.Put(in)
}

// Arguments returns the arguments of the call. They are absent if they are no
// JSON or beyond a limit. It is called once.
func (in *Invocation) Arguments() (root wire.Value) {
	var vars wire.Variables
	if in.vars.Variables != nil {
		vars = &in.vars
	}
	arguments := asRead(in.context.came)
	if in.context.reading != nil {
		arguments = in.context.reading.Value
	}
	in.begun = true
	return in.decoder.Read(arguments, &in.vars.tool.settings.Limits, vars, in.refers)
}

// Ready reports, after the arguments were read, whether the function is to run.
// It is not if there were faults, or if the call is only checked.
func (in *Invocation) Ready() bool {
	faults, count, referred := in.decoder.Done()
	in.begun = false
	if count > 0 {
		in.err = &ArgumentError{Tool: in.vars.tool.definition.Name, Faults: faults, Count: count}
	}
	if referred {
		in.vars.Read = true
	}
	return in.err == nil && !in.check
}

// Failed reports whether err, the function's own, is one, and if so keeps it as
// [*ToolError], or the [*AskError] in it if an answer is still to come. Where the
// context is done, that is in the error even if the function did not wrap it.
func (in *Invocation) Failed(err error) bool {
	if err == nil {
		return false
	}
	_, _ = err.Error(), ModelText(&ToolError{Err: err}) // if it panics, as that of a nil pointer may, let it do so here
	if asks, ok := errors.AsType[*AskError](err); ok && !asks.Nobody {
		in.err = asks
		return true
	}
	if cause := in.context.Err(); cause != nil && !errors.Is(err, cause) {
		err = fmt.Errorf("%w: %w", cause, err)
	}
	in.err = &ToolError{Tool: in.vars.tool.definition.Name, Err: err}
	return true
}

// Result returns the encoder that the result is to be written with. It is called
// once. A call that has neither result nor error has the result null.
func (in *Invocation) Result() *wire.Encoder {
	in.written = true
	in.encoder.Start(in.vars.tool.settings.Output, &in.vars)
	return &in.encoder
}
