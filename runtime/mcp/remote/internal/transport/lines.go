package transport

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

// lineConnection is a connection on which each message is a line, such as the connection to a command.
type lineConnection struct {
	config    connectionConfig
	in        *bufio.Reader
	out       io.Writer
	stop      func() error
	incoming  chan incoming
	writeLock chan struct{} // holds a value while a message is being written

	closeOnce sync.Once
	closed    chan struct{}
	closeErr  error
}

// incoming is a message, or the error that ended the input.
type incoming struct {
	message jsonrpc.Message
	err     error
}

func newLineConnection(in io.Reader, out io.Writer, stop func() error, c connectionConfig) *lineConnection {
	l := &lineConnection{
		config: c, in: bufio.NewReaderSize(in, pieceSize), out: out, stop: stop,
		incoming: make(chan incoming), writeLock: make(chan struct{}, 1), closed: make(chan struct{}),
	}
	go l.readAll()
	return l
}

// SessionID returns "", because such a connection has only one session.
func (l *lineConnection) SessionID() string { return "" }

// readAll reads messages until the input ends. It logs lines that are not messages.
func (l *lineConnection) readAll() {
	for {
		text, err := l.readLine()
		var messages []jsonrpc.Message
		var long *UnreadableError
		switch {
		case errors.As(err, &long):
			l.config.Log.Warn("mcp: skipped an oversized message from a server", "error", err)
			messages = []jsonrpc.Message{&jsonrpc.Response{Error: long}}
		case err != nil:
			l.deliverMessage(incoming{err: err})
			return
		default:
			if messages, err = decodeMessages(text); err != nil && len(text) > 0 {
				l.config.Log.Warn("mcp: skipped a line from a server that is not a message", "line", logExcerpt(text))
			}
		}
		for _, m := range messages {
			if !l.deliverMessage(incoming{message: m}) {
				return
			}
		}
	}
}

func (l *lineConnection) deliverMessage(i incoming) bool {
	select {
	case l.incoming <- i:
		return true
	case <-l.closed:
		return false
	}
}

// readLine reads a line. If the line is longer than the limit, it skips the line and returns an
// [UnreadableError].
func (l *lineConnection) readLine() ([]byte, error) {
	var line buffer
	for exceeded := 0; ; {
		piece, err := l.in.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err // text after the last line end is incomplete
		}
		if limit := l.config.Limit(); exceeded == 0 && line.size+len(piece) > limit {
			exceeded, line = limit, buffer{}
		}
		if exceeded == 0 {
			line.append(piece)
		}
		switch {
		case err != nil:
		case exceeded > 0:
			return nil, tooLongError(exceeded)
		default:
			line.trimEnd('\n')
			line.trimEnd('\r')
			return line.takeBytes(), nil
		}
	}
}

// Read returns the next message.
func (l *lineConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
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
func (l *lineConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return &NotSentError{err}
	}
	select {
	case l.writeLock <- struct{}{}:
	case <-l.closed:
		return &NotSentError{sdk.ErrConnectionClosed}
	case <-ctx.Done():
		return &NotSentError{ctx.Err()}
	}
	written := make(chan error, 1)
	go func() { // a server that does not read must not block the caller after ctx is done
		n, err := l.out.Write(append(text, '\n'))
		<-l.writeLock
		if err != nil {
			go l.deliverMessage(incoming{err: err}) // a connection that cannot be written to must end
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
func (l *lineConnection) Close() error {
	l.closeOnce.Do(func() {
		close(l.closed)
		l.closeErr = l.stop()
	})
	return l.closeErr
}

// exitTimeout limits how long a command may take to exit after its input is closed, and again
// after SIGTERM.
const exitTimeout = 5 * time.Second

// openCommand starts the command of a transport and connects to its standard input and output.
func openCommand(t *sdk.CommandTransport, c connectionConfig) (sdk.Connection, error) {
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
		wait = exitTimeout
	}
	return newLineConnection(stdout, stdin, func() error { return stopCommand(command, stdin, wait) }, c), nil
}

// stopCommand closes the input of a command and waits until the process exits. If the process does not
// exit in time, stopCommand sends SIGTERM, and finally kills it.
func stopCommand(command *exec.Cmd, stdin io.Closer, wait time.Duration) error {
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
			_ = end() // fails on Windows, which cannot send SIGTERM
		}
	}
	return fmt.Errorf("process %d does not exit", command.Process.Pid)
}

// copyCommand returns c, or a copy if c has already been started.
func copyCommand(c *exec.Cmd) *exec.Cmd {
	if c.Process == nil || c.Cancel != nil { // the context of exec.CommandContext cannot be copied
		return c
	}
	return &exec.Cmd{
		Path: c.Path, Args: c.Args, Env: c.Env, Dir: c.Dir, Stderr: c.Stderr, ExtraFiles: c.ExtraFiles,
		SysProcAttr: c.SysProcAttr, WaitDelay: c.WaitDelay, Err: c.Err,
	}
}
