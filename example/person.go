package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/aiongen/aiongen/runtime/run/record"
)

// person is who looks on, if somebody does.
type person struct {
	screen io.Writer     // a terminal; nil if there is none
	in     *bufio.Reader // of the terminal; nil if there is nobody to ask
	yes    bool          // approves all calls, unasked

	typed chan string // lines, once the first one was asked for; closed at the end
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

var (
	errUndecided = errors.New("the run was interrupted while a call waited for a decision")
	errNobody    = errors.New("the run waits for a person, and there is nobody to ask; decide")
)

// line returns what is typed next. A terminal cannot be interrupted: what is typed when
// nobody asks any more answers the next question.
func (p *person) line(ctx context.Context) (text string, err error) {
	if p.typed == nil {
		p.typed = make(chan string)
		go func() {
			defer close(p.typed)
			for {
				text, err := p.in.ReadString('\n')
				if err != nil && text == "" {
					return
				}
				p.typed <- strings.TrimSpace(text)
			}
		}()
	}
	select {
	case text, ok := <-p.typed:
		if !ok { // the end of the input
			fmt.Fprintln(p.screen)
		}
		return text, nil
	case <-ctx.Done():
		fmt.Fprintln(p.screen)
		return "", ctx.Err()
	}
}

// says returns the next message of a conversation; none is its end.
func (p *person) says(ctx context.Context) (string, error) {
	if p.in == nil {
		return "", nil
	}
	fmt.Fprint(p.screen, "> ")
	return p.line(ctx)
}

// decides returns what becomes of a call. Nobody's answer is no, unless somebody can
// answer later.
func (p *person) decides(ctx context.Context, wait record.Wait, later bool) (decision, error) {
	switch {
	case p.yes && wait.For == record.ForApproval:
		return decision{word: "approved", why: "by -yes", approved: true}, nil
	case p.in == nil && later:
		return decision{}, errNobody
	case p.in == nil:
		return decision{word: "refused", why: "there is nobody to ask; run it in a terminal, or with -yes"}, nil
	}
	// All of it is shown: nobody shall approve what he does not see.
	question := "approve %s %s? [y/N, why not, or other arguments] "
	if wait.For == record.ForDecision {
		question = "nobody knows whether %s %s was called; call it again? [y/N or why not] "
	}
	fmt.Fprintf(p.screen, "  "+question, line(wait.Request.Name), safe(string(wait.Request.Arguments), len(wait.Request.Arguments), ""))
	text, err := p.line(ctx)
	if err != nil {
		return decision{}, err
	}
	return decided(text, wait), nil
}

// decided returns the decision that somebody typed.
func decided(text string, wait record.Wait) decision {
	switch strings.ToLower(text) {
	case "y", "yes":
		return decision{word: "approved", why: "in the terminal", approved: true}
	case "", "n", "no":
		return decision{word: "refused", why: "in the terminal"}
	}
	if strings.HasPrefix(text, "{") && json.Valid([]byte(text)) && wait.For == record.ForApproval {
		return decision{word: "approved", why: "with other arguments", arguments: json.RawMessage(text), approved: true}
	}
	return decision{word: "refused", why: text}
}
