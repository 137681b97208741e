package journaltest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
)

// Environment variables of a process that will be killed: the folder of its journal, and the ID with
// which it appends.
const (
	killedPlace = "JOURNALTEST_PLACE"
	killedBy    = "JOURNALTEST_BY"
)

const (
	rounds    = 8
	processes = 3 // at once
)

// Durable checks that a journal keeps acknowledged entries when several processes that use it are
// killed. The argument of open is a folder that is empty at first. Durable starts other processes
// that execute the calling test, so the test must call Durable before it does anything else.
func Durable(t *testing.T, open func(place string) (journal.Journal, error)) {
	if place := os.Getenv(killedPlace); place != "" {
		j, err := open(place)
		if err == nil {
			err = appendForEver(j, os.Getenv(killedBy))
		}
		t.Fatal(err)
	}
	place := t.TempDir()
	k := &killTest{test: t, place: place, acknowledged: map[string]string{}}
	for round := range rounds {
		var wg sync.WaitGroup
		for p := range processes {
			wg.Go(func() { k.killWriter(fmt.Sprint(round, ".", p), 1+rand.IntN(25)) })
		}
		wg.Wait()
		j, err := open(place)
		if err == nil {
			err = k.checkAcknowledged(t.Context(), j)
		}
		if err != nil {
			t.Fatalf("in round %d: %v", round, err)
		}
	}
	if len(k.acknowledged) < rounds*processes {
		t.Errorf("only %d entries were acknowledged", len(k.acknowledged))
	}
}

// writtenData is the data of one of several entries that are appended at once.
type writtenData struct {
	Part, Of int
	Text     string
}

func entryText(by string, n, part int) string {
	return strings.Repeat(by+" "+strconv.Itoa(n), 1+(n*7919+part)%5000)
}

// appendForEver appends to two runs. It prints a line for each acknowledged append.
func appendForEver(j journal.Journal, by string) error {
	ctx := context.Background()
	next := map[string]int{}
	for {
		run := []string{"a", "b"}[rand.IntN(2)]
		n := next[run]
		entries := make([]journal.Entry, 1+rand.IntN(3))
		for part := range entries {
			data, err := json.Marshal(writtenData{part, len(entries), entryText(by, n, part)})
			if err != nil {
				return err
			}
			entries[part] = journal.Entry{Kind: "note", By: by, Data: data}
		}
		err := j.Append(ctx, run, n, entries...)
		if _, conflict := errors.AsType[*journal.ConflictError](err); conflict {
			others, err := readAll(ctx, j, run, n)
			if err != nil {
				return err
			}
			next[run] += len(others)
			continue
		} else if err != nil {
			return err
		}
		fmt.Println("\nappended", run, n, len(entries))
		next[run] += len(entries)
	}
}

// killTest starts and kills processes.
type killTest struct {
	test  *testing.T
	place string

	mu           sync.Mutex
	acknowledged map[string]string // writers of the acknowledged entries, by run and number
}

// killWriter starts a process, and kills it after the given number of appends.
func (k *killTest) killWriter(by string, appends int) {
	cmd := exec.Command(os.Args[0], "-test.run=^"+strings.ReplaceAll(k.test.Name(), "/", "$/^")+"$")
	cmd.Env = append(os.Environ(), killedPlace+"="+k.place, killedBy+"="+by)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		k.test.Error(err)
		return
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var run string
		var n, count int
		if _, err := fmt.Sscanf(lines.Text(), "appended %1s %d %d", &run, &n, &count); err != nil {
			continue // output of package testing
		}
		k.mu.Lock()
		for i := range count {
			k.acknowledged[run+strconv.Itoa(n+i)] = by
		}
		k.mu.Unlock()
		if appends--; appends == 0 {
			_ = cmd.Process.Kill() // in the middle of the next append
		}
	}
	if _ = cmd.Wait(); cmd.ProcessState.Exited() {
		k.test.Errorf("the process was not killed: %v", cmd.ProcessState)
	}
}

// checkAcknowledged compares a journal with the acknowledged entries. An unacknowledged append
// must be complete or absent.
func (k *killTest) checkAcknowledged(ctx context.Context, j journal.Journal) error {
	left := len(k.acknowledged)
	for _, run := range []string{"a", "b"} {
		entries, err := readAll(ctx, j, run, 0)
		if err != nil {
			return err
		}
		for i := 0; i < len(entries); {
			var first writtenData
			if err := json.Unmarshal(entries[i].Data, &first); err != nil {
				return err
			}
			if first.Part != 0 || i+first.Of > len(entries) {
				return fmt.Errorf("entry %d of run %s is part %d of %d of %d entries", i, run, first.Part, first.Of, len(entries))
			}
			for part, e := range entries[i : i+first.Of] {
				var s writtenData
				err := json.Unmarshal(e.Data, &s)
				if want := (writtenData{part, first.Of, entryText(e.By, i, part)}); err != nil || s != want || e.N != i+part || e.By != entries[i].By {
					return fmt.Errorf("entry %d of run %s is not what was appended: %v", i+part, run, err)
				}
				if by, ok := k.acknowledged[run+strconv.Itoa(i+part)]; ok {
					if left--; by != e.By {
						return fmt.Errorf("entry %d of run %s is by %s, acknowledged was that of %s", i+part, run, e.By, by)
					}
				}
			}
			i += first.Of
		}
	}
	if left != 0 {
		return fmt.Errorf("%d of %d acknowledged entries are lost", left, len(k.acknowledged))
	}
	return nil
}
