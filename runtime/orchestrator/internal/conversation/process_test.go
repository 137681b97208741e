//go:build linux || darwin

package conversation_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/conversation"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Environment variables of a process that executes the conversation: the place of the journal, and the
// call during which the process stops itself.
const (
	placeVariable = "TALK_PLACE"
	stopsVariable = "TALK_STOPS"
)

const payments = 12

// atPlace is the world of a process, with everything in a folder.
func atPlace(t *testing.T, place string) *world {
	j, err := file.Open(filepath.Join(place, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.env.Journal = j
	w.script = func(turn int, r llm.Request) (llm.Response, error) {
		question, _ := json.Marshal(transcript(r.Messages))
		jot(t, place, "asked", string(question))
		if turn < payments {
			return replyCalls(request("x", "pay", fmt.Sprintf(`{"n":%d}`, turn))), nil
		}
		return replyText("Done."), nil
	}
	w.env.Tools = caller(func(r tool.Request) *tool.Call {
		jot(t, place, "effects", r.ID)
		if r.ID == os.Getenv(stopsVariable) {
			woken := make(chan os.Signal, 1)
			signal.Notify(woken, syscall.SIGCONT)
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			<-woken // the process may continue for a moment and even lock the journal
		}
		return &tool.Call{ID: r.ID, Request: r, Status: tool.StatusCompleted, Output: json.RawMessage(`"paid"`)}
	})
	return w
}

// jot appends a line to a file of effects.
func jot(t *testing.T, place, name, line string) {
	f, err := os.OpenFile(filepath.Join(place, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(line + "\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// TestProcesses stops a process in a call. Another one continues the conversation while this one sends
// messages, and then the first one wakes up. All messages must be read, and a replay must read them at
// the same points.
func TestProcesses(t *testing.T) {
	if place := os.Getenv(placeVariable); place != "" {
		w := atPlace(t, place)
		result, err := w.env.Execute(t.Context(), "r", w.Run, nil)
		fmt.Printf("\nworker: %+v %v\n", result, err)
		return
	}
	place := t.TempDir()
	w := atPlace(t, place)
	w.begin(t, task.Task{Request: "Pay all."})
	start := func(stops string) (*exec.Cmd, *bytes.Buffer) {
		var out bytes.Buffer
		cmd := exec.Command(os.Args[0], "-test.run=^TestProcesses$")
		cmd.Env = append(os.Environ(), placeVariable+"="+place, stopsVariable+"="+stops)
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, &out
	}
	said := 0
	say := func() { w.send(t, user(fmt.Sprintf("Message %d.", said))); said++ }

	first, firstSays := start("r/4/1")
	defer func() { _ = first.Process.Kill() }()
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(first.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the first process has not stopped: %v, %s", err, firstSays)
	}
	say()
	second, says := start("")
	if err := second.Wait(); err != nil || !strings.Contains(says.String(), "{Call:r/4/1 For:decision ") {
		t.Fatalf("the second process: %v, %s", err, says)
	}
	say()
	w.send(t, run.Supply("r/4/1", json.RawMessage(`"I have looked it up"`)))
	third, says := start("")
	for range 5 {
		say()
	}
	if err := third.Wait(); err != nil || !strings.Contains(says.String(), "WaitsFor:message") {
		t.Fatalf("the third process: %v, %s", err, says)
	}
	if err := first.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err != nil || !strings.Contains(firstSays.String(), "is driven by worker") {
		t.Errorf("the process that woke up: %v, %s", err, firstSays)
	}
	w.execute(t, run.ForMessage) // the message for which the third process came too early
	w.heardAll(t, place, said)
}

// heardAll checks that each payment was made once, that each message was read once, and that the model
// was shown the messages of the replay.
func (w *world) heardAll(t *testing.T, place string, said int) {
	t.Helper()
	lines := func(name string) []string {
		text, err := os.ReadFile(filepath.Join(place, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	effects := map[string]int{}
	for _, e := range lines("effects") {
		effects[e]++
	}
	for turn := 1; turn <= payments; turn++ {
		if id := fmt.Sprintf("r/%d/1", turn); effects[id] != 1 {
			t.Errorf("%s happened %d times", id, effects[id])
		}
	}
	var messages []llm.Message
	fold := func(e run.Event) {
		if s, ok := e.What.(conversation.MessagesAdded); ok {
			messages = append(messages, s.Messages...)
		}
	}
	if result, err := w.env.Replay(t.Context(), "r", w.Run, fold); err != nil || string(result.Answer) != `"Done."` {
		t.Fatalf("replayed it is %+v, %v", result, err)
	}
	all := transcript(messages)
	for n := range said {
		if text := fmt.Sprintf("user: Message %d.\n", n); strings.Count(all, text) != 1 {
			t.Errorf("message %d is there %d times:\n%s", n, strings.Count(all, text), all)
		}
	}
	for _, line := range lines("asked") {
		var question string
		if err := json.Unmarshal([]byte(line), &question); err != nil || !strings.HasPrefix(all, question) {
			t.Errorf("%v: the model was asked\n%s\nwhere replay has\n%s", err, question, all)
		}
	}
}
