package desk

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

	"github.com/aiongen/aiongen/runtime/ask"
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
	case p.in == nil && wait.For == record.ForAnswer:
		d := decision{word: "no answer", why: "there is nobody to ask; run it in a terminal"}
		for _, q := range wait.Questions {
			d.answers = append(d.answers, q.Cancel())
		}
		return d, nil
	case p.in == nil:
		return decision{word: "refused", why: "there is nobody to ask; run it in a terminal, or with -yes"}, nil
	case wait.For == record.ForAnswer:
		return p.answers(ctx, wait)
	}
	question := "approve %s %s? [y/N, why not, or other arguments] "
	if wait.For == record.ForDecision {
		question = "nobody knows whether %s %s was called; call it again? [y/N or why not] "
	}
	fmt.Fprintf(p.screen, "  "+question, line(wait.Request.Name), whole(string(wait.Request.Arguments)))
	text, err := p.line(ctx)
	if err != nil {
		return decision{}, err
	}
	return decided(text, wait), nil
}

// answers asks the person all that a call asks.
func (p *person) answers(ctx context.Context, wait record.Wait) (d decision, err error) {
	var said []string
	for _, q := range wait.Questions {
		a, err := p.answer(ctx, wait, q)
		if err != nil {
			return d, err
		}
		d.answers = append(d.answers, a)
		said = append(said, strings.TrimSpace(string(a.Action)+" "+string(a.Value)))
	}
	d.word, d.why = "answered", strings.Join(said, ", ")
	return d, nil
}

// tries is how often a person is asked for an answer that is one.
const tries = 3

// answer asks the person a question, once more if what is typed is no answer to it.
func (p *person) answer(ctx context.Context, wait record.Wait, q ask.Question) (ask.Answer, error) {
	fields, err := q.Fields()
	if err != nil {
		return ask.Answer{}, err
	}
	for range tries {
		call := line(wait.Request.Name) + " " + whole(string(wait.Request.Arguments))
		if q.From == "" {
			fmt.Fprintf(p.screen, "  %s asks: %s ", call, whole(q.String()))
		} else { // first of all, nobody is to take it for a question of this program
			fmt.Fprintf(p.screen, "  %s (in the call %s) ", whole(q.String()), call)
		}
		var a ask.Answer
		var wrong error
		if len(fields) == 0 {
			fmt.Fprint(p.screen, "[y/N] ")
			text, err := p.line(ctx)
			if err != nil {
				return a, err
			}
			a, wrong = answerOf(q, text)
		} else {
			fmt.Fprintln(p.screen)
			if a, err = p.fields(ctx, q, fields); err != nil {
				return a, err
			}
			wrong = q.Check(a)
		}
		if wrong == nil {
			return a, nil
		}
		fmt.Fprintln(p.screen, "  "+line(wrong.Error()))
	}
	return q.Cancel(), nil
}

// fields asks the person for the members of an object. Nothing for one that is needed is
// no answer.
func (p *person) fields(ctx context.Context, q ask.Question, fields []ask.Field) (ask.Answer, error) {
	object := map[string]json.RawMessage{}
	for _, f := range fields {
		fmt.Fprintf(p.screen, "    %s: ", describe(f))
		text, err := p.line(ctx)
		switch {
		case err != nil:
			return ask.Answer{}, err
		case text != "":
			object[f.Name] = valueOf(f, text)
		case f.Default != nil:
			object[f.Name] = f.Default
		case f.Required:
			return q.Cancel(), nil
		}
	}
	value, err := json.Marshal(object)
	return q.Accept(value), err
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
