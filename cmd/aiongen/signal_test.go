//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSecondSignal interrupts commands that do not check their context: they are in the type checker, which
// takes minutes for a long chain of types, or read standard input. The first signal does not end them, the
// second does.
func TestSecondSignal(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir := t.TempDir()
	var chain strings.Builder
	chain.WriteString("package slow\n\nfunc F(t T0) {}\n\n")
	const length = 4000
	for i := range length {
		fmt.Fprintf(&chain, "type T%d T%d\n", i, i+1)
	}
	fmt.Fprintf(&chain, "type T%d int\n", length)
	for name, text := range map[string]string{
		"go.mod": "module example.com/slow\n\ngo 1.26\n", "slow.go": chain.String(),
		"slow.aion": `[ { name --> "f", description --> "d", function --> "F" --> {} } ]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	env := append(append(os.Environ(), goEnv(t)...), "XDG_CACHE_HOME="+t.TempDir())
	const background = "check as a background job of a script" // started with interrupts ignored
	for _, tt := range []struct {
		args          []string
		first, second syscall.Signal
	}{
		{nil, syscall.SIGINT, syscall.SIGINT},
		{nil, syscall.SIGTERM, syscall.SIGINT},
		{[]string{"check"}, syscall.SIGINT, syscall.SIGTERM},
		{[]string{"fix"}, syscall.SIGTERM, syscall.SIGTERM},
		{[]string{"list"}, syscall.SIGINT, syscall.SIGINT},
		{[]string{"-watch"}, syscall.SIGINT, syscall.SIGINT},
		{[]string{"fmt"}, syscall.SIGINT, syscall.SIGINT},
		{[]string{"new", ".", "F"}, syscall.SIGINT, syscall.SIGINT},
		{[]string{background}, syscall.SIGINT, syscall.SIGINT},
	} {
		cmd := exec.Command("aiongen-signals", tt.args...)
		if tt.args != nil && tt.args[0] == background {
			cmd = exec.Command("sh", "-c", `trap "" INT && exec aiongen-signals check`)
		}
		cmd.Dir, cmd.Env = dir, env
		if _, err := cmd.StdinPipe(); err != nil { // nothing is written to it
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		send := func(s syscall.Signal, wait time.Duration) (status error, over bool) {
			if err := cmd.Process.Signal(s); err != nil {
				t.Error(err)
			}
			select {
			case err := <-ended:
				return err, true
			case <-time.After(wait):
				return nil, false
			}
		}
		time.Sleep(time.Second)
		if err, over := send(tt.first, 500*time.Millisecond); over {
			t.Errorf("%v: the first signal ends it: %v", tt.args, err)
			continue
		}
		err, over := send(tt.second, 20*time.Second)
		if !over {
			t.Errorf("%v: the second signal does not end it", tt.args)
			cmd.Process.Kill()
			<-ended
			continue
		}
		exit, ok := err.(*exec.ExitError)
		if ok && tt.args != nil && tt.args[0] == background && exit.ExitCode() == 130 {
			continue
		}
		if !ok || exit.Sys().(syscall.WaitStatus).Signal() != tt.second {
			t.Errorf("%v: ended with %v", tt.args, err)
		}
	}
}
