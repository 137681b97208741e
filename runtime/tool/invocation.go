package tool

import "encoding/json"

// Invocation is one run of a tool, as generated code sees it: arguments come
// from it, the result or the error goes to it. It is good until the function
// that was given to [New] returns, and not for concurrent use.
type Invocation struct {
	call     *Call
	checking bool // do not run the function
	decoder  *decoder
	encoder  *Encoder
	err      error
}

// Arguments returns the arguments of the call. They are absent if they are no
// JSON or beyond a limit. It is called once.
func (in *Invocation) Arguments() Value {
	var root Value
	in.decoder, root = newDecoder(in.call.Arguments, in.call.limits)
	return root
}

// Ready reports, after the arguments were read, whether the function is to run.
// It is not if there were faults, which are then recorded on the call, or if the
// call is only checked.
func (in *Invocation) Ready() bool {
	if d := in.decoder; d != nil {
		if d.count > 0 {
			in.err = &ArgumentError{Tool: in.call.Request.Name, Faults: d.faults, Count: d.count}
		}
		in.decoder = nil
		d.release()
	}
	return in.err == nil && !in.checking
}

// Failed reports whether err, the function's own, is one, and if so records it
// on the call as [*ToolError].
func (in *Invocation) Failed(err error) bool {
	if err == nil {
		return false
	}
	in.err = &ToolError{Tool: in.call.Request.Name, Err: err}
	return true
}

// Result returns the encoder that the result is to be written with. It is called
// once. A call that has neither result nor error has the result null.
func (in *Invocation) Result() *Encoder {
	in.encoder = newEncoder(in.call.limits)
	return in.encoder
}

// outcome returns what came of the run.
func (in *Invocation) outcome() (json.RawMessage, error) {
	if in.err != nil {
		return nil, in.err
	}
	if in.encoder == nil {
		return json.RawMessage("null"), nil
	}
	output, bad := in.encoder.finish()
	if bad != nil {
		bad.Tool = in.call.Request.Name
		return nil, bad
	}
	return output, nil
}
