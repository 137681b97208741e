package transport

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

// lines is a connection whose messages are lines, as those of a command are.
type lines struct {
	config   Config
	in       *bufio.Reader
	out      io.Writer
	end      func() error
	incoming chan incoming
	turn     chan struct{} // has a value while a message is written

	closeOnce sync.Once
	closed    chan struct{}
	closeErr  error
}

// incoming is a message, or the error that ended the input.
type incoming struct {
	message jsonrpc.Message
	err     error
}

func newLines(in io.Reader, out io.Writer, end func() error, c Config) *lines {
	l := &lines{
		config: c, in: bufio.NewReaderSize(in, pieceSize), out: out, end: end,
		incoming: make(chan incoming), turn: make(chan struct{}, 1), closed: make(chan struct{}),
	}
	go l.readAll()
	return l
}

// SessionID returns "": such a connection has one session.
func (l *lines) SessionID() string { return "" }

// readAll reads messages until the input ends. Lines that are not messages are logged.
func (l *lines) readAll() {
	for {
		text, err := l.readLine()
		var messages []jsonrpc.Message
		var long *UnreadableError
		switch {
		case errors.As(err, &long):
			l.config.Log.Warn("mcp: skipped a message of a server that is too long", "error", err)
			messages = []jsonrpc.Message{&jsonrpc.Response{Error: long}}
		case err != nil:
			l.deliver(incoming{err: err})
			return
		default:
			if messages, err = decode(text); err != nil && len(text) > 0 {
				l.config.Log.Warn("mcp: skipped a line of a server that is not a message", "line", excerpt(text))
			}
		}
		for _, m := range messages {
			if !l.deliver(incoming{message: m}) {
				return
			}
		}
	}
}

func (l *lines) deliver(i incoming) bool {
	select {
	case l.incoming <- i:
		return true
	case <-l.closed:
		return false
	}
}

// readLine reads a line. It skips a line that is longer than the limit, and returns an
// [UnreadableError].
func (l *lines) readLine() ([]byte, error) {
	var line buffer
	for tooBig := 0; ; {
		piece, err := l.in.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull {
			return nil, err // text after the last line end is incomplete
		}
		if limit := l.config.Limit(); tooBig == 0 && line.size+len(piece) > limit {
			tooBig, line = limit, buffer{}
		}
		if tooBig == 0 {
			line.write(piece)
		}
		switch {
		case err != nil:
		case tooBig > 0:
			return nil, tooLong(tooBig)
		default:
			line.trimEnd('\n')
			line.trimEnd('\r')
			return line.bytes(), nil
		}
	}
}

// Read returns the next message.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case i := <-l.incoming:
		return i.message, i.err
	case <-l.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write writes a message. Its error is a [NotSentError] if the server cannot have received
// the message.
func (l *lines) Write(ctx context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return &NotSentError{err}
	}
	select {
	case l.turn <- struct{}{}:
	case <-l.closed:
		return &NotSentError{sdk.ErrConnectionClosed}
	case <-ctx.Done():
		return &NotSentError{ctx.Err()}
	}
	written := make(chan error, 1)
	go func() { // a server that does not read must not hold the caller beyond its context
		n, err := l.out.Write(append(text, '\n'))
		<-l.turn
		if err != nil {
			go l.deliver(incoming{err: err}) // a connection of which only one side works is of no use
			if n < len(text) {
				err = &NotSentError{err}
			} else {
				err = &tool.UnknownOutcomeError{Err: err}
			}
		}
		written <- err
	}()
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close ends the connection.
func (l *lines) Close() error {
	l.closeOnce.Do(func() {
		close(l.closed)
		l.closeErr = l.end()
	})
	return l.closeErr
}

// patience is how long a command has to exit after its input was closed, and again after
// it was told to terminate.
const patience = 5 * time.Second

// openCommand starts the command of a transport.
func openCommand(t *sdk.CommandTransport, c Config) (sdk.Connection, error) {
	command := copyCommand(t.Command)
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	wait := t.TerminateDuration
	if wait <= 0 {
		wait = patience
	}
	return newLines(stdout, stdin, func() error { return stop(command, stdin, wait) }, c), nil
}

// stop ends a command: it closes the input, then terminates and at last kills the process.
func stop(command *exec.Cmd, stdin io.Closer, wait time.Duration) error {
	_ = stdin.Close() // it may be closed already
	exited := make(chan error, 1)
	go func() { exited <- command.Wait() }()
	for _, end := range []func() error{
		func() error { return command.Process.Signal(syscall.SIGTERM) },
		command.Process.Kill,
		func() error { return nil },
	} {
		select {
		case err := <-exited:
			return err
		case <-time.After(wait):
			_ = end() // Windows cannot send SIGTERM
		}
	}
	return fmt.Errorf("process %d does not exit", command.Process.Pid)
}

// commandName returns the name of the program that a command runs.
func commandName(c *exec.Cmd) string { return filepath.Base(c.Path) }

// copyCommand returns c, or a copy that can be started if c already was.
func copyCommand(c *exec.Cmd) *exec.Cmd {
	if c.Process == nil || c.Cancel != nil { // one of exec.CommandContext runs only once
		return c
	}
	return &exec.Cmd{
		Path: c.Path, Args: c.Args, Env: c.Env, Dir: c.Dir, Stderr: c.Stderr, ExtraFiles: c.ExtraFiles,
		SysProcAttr: c.SysProcAttr, WaitDelay: c.WaitDelay, Err: c.Err,
	}
}
