package bolt_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/memory/bolt"
)

// Environment variables of the process to be killed: the file that it changes, and the first version
// number of its values.
const (
	crashFile    = "BOLT_CRASH_FILE"
	crashVersion = "BOLT_CRASH_VERSION"
)

// notKilled is the exit status of that process if it ends by itself.
const notKilled = 3

func TestMain(m *testing.M) {
	if path := os.Getenv(crashFile); path != "" {
		fmt.Println(changeUntilKilled(path))
		os.Exit(notKilled)
	}
	os.Exit(m.Run())
}

const (
	crashWriters = 4
	crashKeys    = 20 // of each writer
)

// crashValue returns the value of a key in a version. Its text depends on both and takes up to several
// pages of the file.
type crashValue struct {
	Key     string
	Version int
	Text    string
}

func makeCrashValue(key string, version int) crashValue {
	return crashValue{key, version, strings.Repeat(key+" "+strconv.Itoa(version)+"\n", version*7%1500)}
}

// changeUntilKilled writes and deletes at random on several goroutines, each with its own keys. They
// print each change when it begins and when it has returned.
func changeUntilKilled(path string) error {
	s, err := bolt.Open(path)
	if err != nil {
		return err
	}
	first, err := strconv.Atoi(os.Getenv(crashVersion))
	if err != nil {
		return err
	}
	errs := make(chan error)
	for w := range crashWriters {
		go func() {
			for version := first; ; version++ {
				if err := change(s, w, version); err != nil {
					errs <- err
					return
				}
			}
		}()
	}
	return <-errs
}

// change makes a change and prints it. Each line is one system call, so lines are not interleaved.
func change(s *bolt.Store, writer, version int) error {
	ctx := context.Background()
	key := fmt.Sprint(writer, "/", rand.IntN(crashKeys))
	if rand.IntN(4) == 0 {
		fmt.Println("begin", writer, key, 0)
		if err := s.Delete(ctx, key); err != nil {
			return err
		}
	} else {
		fmt.Println("begin", writer, key, version)
		if err := s.Write(ctx, key, makeCrashValue(key, version)); err != nil {
			return err
		}
	}
	fmt.Println("done", writer)
	return nil
}

// TestCrash repeatedly kills a process that makes changes. Acknowledged changes must be in the file
// afterward, and no other change in part.
func TestCrash(t *testing.T) {
	rounds := 100
	if testing.Short() {
		rounds = 10
	}
	path := filepath.Join(t.TempDir(), "memory.db")
	acknowledged := versions{}
	changes := 0
	for round := range rounds {
		c := crash{first: 1 + round*1_000_000, changes: 1 + rand.IntN(100)}
		if round%4 == 0 { // while it opens the file, or soon after
			c.after = time.Duration(rand.IntN(50_000)) * time.Microsecond
		}
		count, pending := acknowledged.crash(t, path, c)
		changes += count
		acknowledged.check(t, path, pending)
		if t.Failed() {
			t.Fatalf("in round %d: %+v", round, c)
		}
	}
	t.Logf("%d changes were acknowledged in %d rounds", changes, rounds)
}

// crash says when a process is killed: after it has acknowledged a number of changes, or after some
// time, whichever is first.
type crash struct {
	first   int // version
	changes int
	after   time.Duration // 0 is never
}

// versions are the versions of values by key. A missing value has no version, or version 0.
type versions map[string]int

// crash starts a process, kills it, and records the changes that it acknowledged. It returns their
// number, and the changes that were in progress.
func (acknowledged versions) crash(t *testing.T, path string, c crash) (count int, pending versions) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashFile+"="+path, crashVersion+"="+strconv.Itoa(c.first))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { _ = cmd.Process.Kill() }
	if c.after > 0 {
		defer time.AfterFunc(c.after, kill).Stop()
	}

	begun := map[string]versions{} // by writer
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 4 && words[0] == "begin":
			version, err := strconv.Atoi(words[3])
			if err != nil {
				t.Fatal(err)
			}
			begun[words[1]] = versions{words[2]: version}
		case len(words) == 2 && words[0] == "done":
			maps.Copy(acknowledged, begun[words[1]])
			delete(begun, words[1])
			if count++; count == c.changes {
				kill()
			}
		default:
			t.Errorf("the process says: %s", lines.Text())
		}
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() == notKilled {
		t.Fatalf("the process was not killed: %v", err)
	}
	pending = versions{}
	for _, change := range begun {
		maps.Copy(pending, change)
	}
	return count, pending
}

// check compares the file with the acknowledged changes. A change that was in progress may have taken
// effect; if it did, it counts from then on.
func (acknowledged versions) check(t *testing.T, path string, pending versions) {
	s, err := bolt.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	found := versions{}
	for entry, err := range s.Search(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		var v crashValue
		if err := json.Unmarshal(entry.Value, &v); err != nil || v != makeCrashValue(entry.Key, v.Version) {
			t.Errorf("%s is torn: %d bytes, %v", entry.Key, len(entry.Value), err)
		}
		found[entry.Key] = v.Version
	}
	for w := range crashWriters {
		for k := range crashKeys {
			key := fmt.Sprint(w, "/", k)
			version, changing := pending[key]
			if found[key] != acknowledged[key] && !(changing && found[key] == version) {
				t.Errorf("%s has version %d, but %d was acknowledged", key, found[key], acknowledged[key])
			}
			acknowledged[key] = found[key]
		}
	}
}
