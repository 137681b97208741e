package agenttest

import (
	"bytes"
	"context"
	"iter"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/replay"
)

// Recording returns a model that answers from the recording in a file, see package replay. The test
// fails if it ends before all answers were used.
//
// If update is set, the test asks the model that the function live returns and writes the file,
// with its folder, when it ends. Tests usually take update from a flag of their own:
//
//	var update = flag.Bool("update", false, "record the answers of the model again")
//
// If a request to the model failed, and the test too, the file stays as it was.
func Recording(t testing.TB, file string, update bool, live func() llm.Model, options ...replay.Option) llm.Model {
	t.Helper()
	if update {
		return record(t, file, live())
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatalf("agenttest: %v; record the answers first", err)
	}
	defer f.Close()
	model, err := replay.Read(f, options...)
	if err != nil {
		t.Fatalf("agenttest: %s: %v", file, err)
	}
	t.Cleanup(func() {
		t.Helper()
		if n := model.Unused(); n > 0 && !t.Failed() {
			t.Errorf("agenttest: %s has %d answers that were not used; record the answers again if this change is intended", file, n)
		}
	})
	return model
}

// record returns a model that records another one in a file at the end of the test.
func record(t testing.TB, file string, live llm.Model) llm.Model {
	t.Helper()
	var b bytes.Buffer
	watched := &watchedModel{Model: live}
	model := replay.Record(&b, watched)
	t.Cleanup(func() {
		t.Helper()
		if t.Failed() && watched.failed.Load() {
			t.Logf("agenttest: %s stays as it was, because a request to the model failed", file)
			return
		}
		err := os.MkdirAll(filepath.Dir(file), 0o777)
		if err == nil {
			err = os.WriteFile(file, b.Bytes(), 0o666)
		}
		if err != nil {
			t.Errorf("agenttest: %v", err)
		}
	})
	return model
}

// watchedModel is a model that remembers whether a request failed.
type watchedModel struct {
	llm.Model
	failed atomic.Bool
}

// Name returns the name of the model; see [llm.Name].
func (m *watchedModel) Name() string { return llm.Name(m.Model) }

// Generate implements [llm.Model].
func (m *watchedModel) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	response, err := m.Model.Generate(ctx, req)
	if err != nil {
		m.failed.Store(true)
	}
	return response, err
}

// Stream implements [llm.Streamer].
func (m *watchedModel) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		for chunk, err := range llm.Stream(ctx, m.Model, req) {
			if err != nil {
				m.failed.Store(true)
			}
			if !yield(chunk, err) {
				return
			}
		}
	}
}
