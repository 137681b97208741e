package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/aiongen/aiongen/runtime/tool"
)

// person is who looks on, if somebody does.
type person struct {
	screen io.Writer     // a terminal; nil if there is none
	in     *bufio.Reader // of the terminal; nil if there is nobody to ask
	yes    bool          // approves all calls, unasked
}

// terminal returns the person at the terminal, if it is one.
func terminal(in, out *os.File) *person {
	p := &person{}
	if term.IsTerminal(int(out.Fd())) {
		p.screen = out
		if term.IsTerminal(int(in.Fd())) {
			p.in = bufio.NewReader(in)
		}
	}
	return p
}

var errUndecided = errors.New("the run was interrupted while a call waited for approval")

// approves tells whether a call may run, and why. Nobody's answer is no.
func (p *person) approves(ctx context.Context, call tool.Request) (approved bool, why string, err error) {
	switch {
	case p.yes:
		return true, "by -yes", nil
	case p.in == nil:
		return false, "there is nobody to ask; run it in a terminal, or with -yes", nil
	}
	// All of it is shown: nobody shall approve what he does not see.
	fmt.Fprintf(p.screen, "  approve %s %s? [y/N] ", line(call.Name), safe(string(call.Arguments), len(call.Arguments), ""))
	answer := make(chan string, 1)
	go func() { // a terminal cannot be interrupted
		text, err := p.in.ReadString('\n')
		if err != nil { // the end of the input is a no
			fmt.Fprintln(p.screen)
		}
		answer <- strings.ToLower(strings.TrimSpace(text))
	}()
	select {
	case text := <-answer:
		if text == "y" || text == "yes" {
			return true, "in the terminal", nil
		}
		return false, "in the terminal", nil
	case <-ctx.Done():
		fmt.Fprintln(p.screen)
		return false, "", errUndecided
	}
}
