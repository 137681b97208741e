//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// docShell is a shell in which the blocks of a page run, as a terminal would.
type docShell struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	output  *bufio.Reader // of both streams
	scripts string        // a directory
	count   int           // of scripts
	done    chan struct{}
	err     error // of the shell, when done is closed
}

// endMark separates the output of a block from its exit status and the current directory.
const endMark = "\x01"

// startShell starts a shell with its own process group, which ends with it.
func startShell(ctx context.Context, dir, scripts string, environment []string) (*docShell, error) {
	s := &docShell{command: exec.CommandContext(ctx, "sh", "-e"), scripts: scripts, done: make(chan struct{})}
	s.command.Dir, s.command.Env = dir, append(environment, "PWD="+dir)
	s.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.command.Cancel = s.killGroup
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer writer.Close()
	s.command.Stdout, s.command.Stderr = writer, writer
	s.output = bufio.NewReader(reader)
	if s.stdin, err = s.command.StdinPipe(); err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	go func() {
		s.err = s.command.Wait()
		_ = s.killGroup() // no process is left if the shell started none in the background
		close(s.done)
	}()
	return s, nil
}

func (s *docShell) killGroup() error { return syscall.Kill(-s.command.Process.Pid, syscall.SIGKILL) }

// stop ends the shell and all processes that it started.
func (s *docShell) stop() {
	_ = s.killGroup() // fails if the shell has ended
	<-s.done
}

// run runs commands and returns their output and the directory where they end. A shell that expects another
// exit status than 0 runs them in a subshell. Any other failure ends the shell.
func (s *docShell) run(commands string, wantStatus int) (output, dir string, err error) {
	s.count++
	script := filepath.Join(s.scripts, fmt.Sprintf("%d.sh", s.count))
	if err := os.WriteFile(script, []byte(commands), 0o666); err != nil {
		return "", "", err
	}
	line := ". %s </dev/null; printf '" + endMark + "%%s %%s\\n' 0 \"$PWD\"\n"
	if wantStatus != 0 {
		line = "set +e; (set -e; . %s) </dev/null; printf '" + endMark + "%%s %%s\\n' $? \"$PWD\"; set -e\n"
	}
	if _, err := fmt.Fprintf(s.stdin, line, script); err != nil {
		return "", "", err
	}
	var out strings.Builder
	for {
		text, err := s.output.ReadString('\n')
		before, after, isEnd := strings.Cut(text, endMark)
		out.WriteString(before)
		switch {
		case isEnd:
			status, dir, _ := strings.Cut(strings.TrimSpace(after), " ")
			if status != fmt.Sprint(wantStatus) {
				err = fmt.Errorf("exit status %s instead of %d", status, wantStatus)
			}
			return out.String(), dir, err
		case err != nil:
			<-s.done
			return out.String(), "", fmt.Errorf("the commands fail: %v", s.err)
		}
	}
}
