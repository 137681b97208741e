package record

import (
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Event tells what happens in a run. What is one of the types below, or what its
// function emits.
type Event struct {
	Run  string
	Step string // if it is about one
	Time time.Time
	What any
}

type (
	// Claimed tells that a worker drives the run from here on.
	Claimed struct {
		Kind     string // of the run
		Status   string // that ends: running for a new run, or one whose worker is gone
		WaitsFor string
	}
	// ModelStart tells that the model is asked.
	ModelStart struct{ For string }
	// ModelEnd tells what it answered.
	ModelEnd struct {
		For    string
		Answer Answer
	}
	// Chunk tells of a piece of an answer while it is made.
	Chunk struct{ For, Text, Reasoning string }
	// Again tells that the chunks since the last ModelStart come to nothing: the stream
	// broke, or what came is no answer.
	Again struct{ For string }
	// CallStart tells that a tool is called, maybe not for the first time.
	CallStart struct {
		Request tool.Request
		Attempt int
	}
	// CallEnd tells what came of a call.
	CallEnd struct{ Call *tool.Call }
	// Dropped tells of an outcome that came after somebody decided about the call.
	Dropped struct{ Call *tool.Call }
	// Stopped tells that the run ended, waits or was interrupted.
	Stopped struct{ Result *Result }
)
