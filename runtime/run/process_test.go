//go:build linux || darwin

package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Environment variables of a process that executes a run: the folder of the journal, the name of the
// worker, and the payment during which it stops itself.
const (
	workerPlace = "RUN_WORKER_PLACE"
	workerName  = "RUN_WORKER_NAME"
	workerStops = "RUN_WORKER_STOPS"
)

const payments = 12

// shop pays, and reads messages between payments.
func shop(fx run.Effects, _ run.Input) (json.RawMessage, error) {
	var heard []string
	for step := range payments {
		if _, err := fx.Call(request(fmt.Sprint(step), "pay", fmt.Sprint(`{"a":`, step, `}`))); err != nil {
			return nil, err
		}
		for {
			m, err := fx.Wait(run.WaitOptions{Poll: true})
			if err != nil {
				return nil, err
			}
			if m == nil {
				break
			}
			heard = append(heard, m.Text)
		}
	}
	return json.Marshal(heard)
}

// work executes the run in a separate process.
func work(t *testing.T, place string) {
	j, err := file.Open(filepath.Join(place, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	pay := func(_ context.Context, r tool.Request) *tool.Call {
		tell(t, place, os.Getenv(workerName)+" "+r.ID)
		if r.ID == os.Getenv(workerStops) {
			woken := make(chan os.Signal, 1)
			signal.Notify(woken, syscall.SIGCONT)
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			<-woken // the process may continue for a moment and even lock the journal
		}
		return &tool.Call{ID: r.ID, Request: r, Status: tool.StatusCompleted, Output: json.RawMessage(`"paid"`)}
	}
	env := &run.Env{Journal: j, Tools: caller(pay)}
	result, err := env.Execute(t.Context(), "r", shop, nil)
	fmt.Printf("\nworker: %+v %v\n", result, err)
}

// tell appends a line to the record of effects.
func tell(t *testing.T, place, line string) {
	f, err := os.OpenFile(filepath.Join(place, "effects"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(line + "\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// TestProcesses stops a process during a payment. Another one continues the run, this one sends it
// messages, and then the first one wakes up.
func TestProcesses(t *testing.T) {
	if place := os.Getenv(workerPlace); place != "" {
		work(t, place)
		return
	}
	place := t.TempDir()
	j, err := file.Open(filepath.Join(place, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	createRun(t, &run.Env{Journal: j}, run.Limits{})
	start := func(name, stops string) (*exec.Cmd, *bytes.Buffer) {
		var out bytes.Buffer
		cmd := exec.Command(os.Args[0], "-test.run=^TestProcesses$")
		cmd.Env = append(os.Environ(), workerPlace+"="+place, workerName+"="+name, workerStops+"="+stops)
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, &out
	}
	effects := func() string { b, _ := os.ReadFile(filepath.Join(place, "effects")); return string(b) }

	first, firstSays := start("first", "r/4/1")
	defer func() { _ = first.Process.Kill() }()
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(first.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the first process has not stopped: %v, %s", err, firstSays)
	}
	send(t, j, run.Say(llm.Message{Text: "hello"}))
	second, says := start("second", "")
	if err := second.Wait(); err != nil || !strings.Contains(says.String(), "{Call:r/4/1 For:decision ") {
		t.Fatalf("the second process: %v, %s", err, says)
	}
	send(t, j, run.Supply("r/4/1", json.RawMessage(`"I have looked it up"`)))
	third, says := start("third", "")
	said := []string{"hello"}
	for n := range 3 { // the message may arrive too late
		text := fmt.Sprint("message ", n)
		if run.SendSignal(t.Context(), j, "r", time.Now(), run.Say(llm.Message{Text: text}), nil) == nil {
			said = append(said, text)
		}
	}
	if err := third.Wait(); err != nil || !strings.Contains(says.String(), "Status:completed") {
		t.Fatalf("the third process: %v, %s", err, says)
	}
	if err := first.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err != nil || !strings.Contains(firstSays.String(), "is driven by worker") {
		t.Errorf("the process that woke up: %v, %s", err, firstSays)
	}
	for step := range payments {
		if n := strings.Count(effects(), fmt.Sprintf(" r/%d/1\n", step)); n != 1 {
			t.Errorf("payment %d was made %d times", step, n)
		}
	}
	result, err := (&run.Env{Journal: j}).Replay(t.Context(), "r", shop, nil)
	if err != nil || result.Status != run.Completed {
		t.Fatalf("replayed it is %+v, %v", result, err)
	}
	var heard []string
	if err := json.Unmarshal(result.Answer, &heard); err != nil || len(heard) == 0 || !slices.Equal(heard, said[:len(heard)]) {
		t.Errorf("of %q it heard %q", said, heard)
	}
}
