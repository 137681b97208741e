package desk

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
)

// newWaitingRun returns a folder with a run that waits for approval, because nobody was there to ask, and its ID.
func newWaitingRun(t *testing.T) (folder, id string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "desk")
	status, stdout, stderr := runExample(t.Context(), &person{}, "-memory", folder, vpn)
	found := regexp.MustCompile(`example approve -memory \S+ (\S+), or example deny`).FindStringSubmatch(stderr)
	if status != 1 || found == nil {
		t.Fatalf("exit status %d: %s%s", status, stdout, stderr)
	}
	return folder, found[1]
}

// TestCommands decides about a call from another process and continues.
func TestCommands(t *testing.T) {
	for name, test := range map[string]struct {
		words        []string
		status       int
		stdout, then string // of the command, and of the run
	}{
		"approve":          {[]string{"approve"}, 0, "approve notify", `complete (tool) in`},
		"approve by ID":    {[]string{"approve", "ID"}, 0, "ID: approve notify", `complete (tool) in`},
		"edit":             {[]string{"approve", `{"user": "grace",`, `"message": "It works again."}`}, 0, "approve notify", `call     notify {"user":"grace","message":"It works again."}`},
		"deny":             {[]string{"deny", "ID", "he", "knows"}, 0, "deny notify", "not allowed: he knows"},
		"cancel":           {[]string{"cancel", "enough"}, 0, "cancel Tell linus", ""},
		"no JSON":          {[]string{"approve", "ID", "please"}, 1, "the arguments are not valid JSON: please", ""},
		"no conversation":  {[]string{"say", "hello"}, 1, "there are 0 runs to say; name one that example runs -memory", ""},
		"nothing is known": {[]string{"redo"}, 1, "there are 0 runs to redo", ""},
	} {
		t.Run(name, func(t *testing.T) {
			folder, id := newWaitingRun(t)
			args := []string{}
			for _, word := range test.words {
				args = append(args, strings.ReplaceAll(word, "ID", id))
			}
			status, stdout, stderr := runExample(t.Context(), &person{}, append(args, "-memory", folder)...)
			if status != test.status || !strings.Contains(stdout+stderr, strings.ReplaceAll(test.stdout, "ID", id)) {
				t.Fatalf("exit status %d: %s%s", status, stdout, stderr)
			}
			if test.then == "" {
				return
			}
			if _, stdout, stderr = runExample(t.Context(), &person{}, "-memory", folder); !strings.Contains(stdout, test.then) || !strings.Contains(stdout, "continuing: "+vpn) {
				t.Errorf("the run says %s%s", stdout, stderr)
			}
		})
	}
}

// TestRuns lists runs, what they wait for, and their outcomes.
func TestRuns(t *testing.T) {
	folder, id := newWaitingRun(t)
	list := func() string {
		t.Helper()
		status, stdout, stderr := runExample(t.Context(), &person{}, "-memory", folder, "runs")
		if status != 0 {
			t.Fatalf("exit status %d: %s", status, stderr)
		}
		return stdout
	}
	want := regexp.MustCompile(`(?s)RUN +STATUS +DONE +REQUEST\n` + id + ` +waiting for approval +0 of 1 steps are done +` + regexp.QuoteMeta(vpn) + `\n +notify {"user":"linus","message":"The VPN is down."}\n`)
	if got := list(); !want.MatchString(got) {
		t.Errorf("the list is\n%s", got)
	}
	if _, _, stderr := runExample(t.Context(), &person{}, "cancel", "-memory", folder, "enough"); stderr != "" {
		t.Error(stderr)
	}
	if got := list(); !strings.Contains(got, id+"  cancelled  0 of 1 steps are done") {
		t.Errorf("the list is\n%s", got)
	}
	nowhere := filepath.Join(folder, "nowhere")
	if status, _, stderr := runExample(t.Context(), &person{}, "runs", "-memory", nowhere); status != 1 || !strings.Contains(stderr, nowhere+": no such file") {
		t.Errorf("where there are no runs: exit status %d: %s", status, stderr)
	}
	for _, args := range [][]string{{"runs"}, {"approve", "-memory", folder, "-yes"}} {
		if status, _, stderr := runExample(t.Context(), &person{}, args...); status != 2 || !strings.Contains(stderr, args[0]+" needs -memory or -postgres or -temporal, and takes no other flag") {
			t.Errorf("%q: exit status %d: %s", args, status, stderr)
		}
	}
}

// writerFunc calls a function for everything written.
type writerFunc func(text string)

func (f writerFunc) Write(b []byte) (int, error) { f(string(b)); return len(b), nil }

// TestTwoTerminals checks that a decision made elsewhere counts while a terminal asks.
func TestTwoTerminals(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "desk")
	asked := make(chan struct{}, 1)
	terminal := writerFunc(func(text string) {
		if strings.Contains(text, "[y/N") {
			asked <- struct{}{}
		}
	})
	decided := make(chan string, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		wrong := "nobody was asked"
		select {
		case <-asked:
			_, _, wrong = runExample(ctx, &person{}, "approve", "-memory", folder)
		case <-ctx.Done():
		}
		if decided <- wrong; wrong != "" {
			stop()
		}
	}()
	p := &person{screen: terminal, in: bufio.NewReader(blockedReader{ctx})}
	status, stdout, stderr := runExample(ctx, p, "-memory", folder, vpn)
	stop()
	if wrong := <-decided; wrong != "" || status != 0 || !strings.Contains(stdout, "decided  by somebody else") {
		t.Errorf("exit status %d: %s%s%s", status, stdout, stderr, wrong)
	}
}

// TestTalk holds a conversation of two turns at a terminal.
func TestTalk(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "desk")
	_, request := recordedRequests[len(recordedRequests)-1].runKind()
	status, stdout, stderr := runExample(t.Context(), &person{}, "-memory", folder, "-talk", request)
	if status != 0 || !strings.Contains(stdout, "ticket 1, for Grace") {
		t.Fatalf("exit status %d: %s%s", status, stdout, stderr)
	}
	if _, stdout, stderr = runExample(t.Context(), &person{}, "say", "-memory", folder, "Thank you!"); !strings.Contains(stdout, ": say Is there") {
		t.Fatalf("%s%s", stdout, stderr)
	}
	var terminal bytes.Buffer
	p := &person{screen: &terminal, in: bufio.NewReader(strings.NewReader(""))}
	status, stdout, stderr = runExample(t.Context(), p, "-memory", folder, "-talk")
	if status != 1 || !strings.Contains(stdout, "continuing: "+request) || !strings.Contains(stderr, "no answer is recorded") { // the answers to the messages
		t.Errorf("exit status %d: %s%s", status, stdout, stderr)
	}
}

// TestKilled kills the program while it opens a ticket. The outcome of that call is unknown, but the desk recognizes
// repeated calls by their IDs and opens the ticket once.
func TestKilled(t *testing.T) {
	program, folder := buildExample(t), filepath.Join(t.TempDir(), "desk")
	output, err := exec.CommandContext(t.Context(), program, "-memory", folder, printer).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	j, err := file.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	var run string
	var kept []journal.Entry
	for info := range j.Runs(t.Context(), journal.Filter{}) {
		run = info.Run
	}
	for e, err := range j.Read(t.Context(), run, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if kept = append(kept, e); e.Kind == "request" {
			break
		}
	}
	again := filepath.Join(t.TempDir(), "again")
	if j, err = file.Open(again); err != nil {
		t.Fatal(err)
	}
	if err := j.Append(t.Context(), run, 0, kept...); err != nil { // the output of a process until it was killed
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(folder, "desk.db"), filepath.Join(again, "desk.db"))
	p := &person{screen: io.Discard, in: bufio.NewReader(strings.NewReader("y\n"))}
	status, stdout, stderr := runExample(t.Context(), p, "-memory", again)
	if status != 0 || !strings.Contains(stdout, "nobody knows whether it was called") || !strings.Contains(stdout, `{"counts":{"open":1},"longest_waiting":1}`) {
		t.Errorf("exit status %d: %s%s", status, stdout, stderr)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
