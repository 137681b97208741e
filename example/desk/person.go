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

	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// person is the person at the terminal, if there is one.
type person struct {
	screen io.Writer     // a terminal; nil if there is none
	in     *bufio.Reader // of the terminal; nil if there is nobody to ask
	yes    bool          // approves all calls without asking

	lines chan string // lines of the terminal; created for the first question, closed at the end of the input
}

// openTerminal returns the person at the terminal, whom the command can ask only if in and out are terminals.
func openTerminal(in, out *os.File) *person {
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
	errNobody    = errors.New("the run waits for a person, and nobody can be asked here; decide")
)

// readLine returns the next line. Reading from a terminal cannot be interrupted: a line typed when no question is open
// answers the next one.
func (p *person) readLine(ctx context.Context) (text string, err error) {
	if p.lines == nil {
		p.lines = make(chan string)
		go func() {
			defer close(p.lines)
			for {
				text, err := p.in.ReadString('\n')
				if err != nil && text == "" {
					return
				}
				p.lines <- strings.TrimSpace(text)
			}
		}()
	}
	select {
	case text, ok := <-p.lines:
		if !ok { // end of input
			fmt.Fprintln(p.screen)
		}
		return text, nil
	case <-ctx.Done():
		fmt.Fprintln(p.screen)
		return "", ctx.Err()
	}
}

// nextMessage returns the next message of a conversation, or "" at its end.
func (p *person) nextMessage(ctx context.Context) (string, error) {
	if p.in == nil {
		return "", nil
	}
	fmt.Fprint(p.screen, "> ")
	return p.readLine(ctx)
}

// decideCall returns the decision about a call. If nobody can be asked, it denies the call or, if later is set, returns
// errNobody, because a person may decide later.
func (p *person) decideCall(ctx context.Context, wait run.Wait, later bool) (decision, error) {
	switch {
	case p.yes && wait.For == run.ForApproval:
		return decision{word: "approved", why: "by -yes", approved: true}, nil
	case p.in == nil && later:
		return decision{}, errNobody
	case p.in == nil && wait.For == run.ForAnswer:
		d := decision{word: "no answer", why: "there is nobody to ask; run it in a terminal"}
		for _, q := range wait.Questions {
			d.answers = append(d.answers, q.Cancel())
		}
		return d, nil
	case p.in == nil:
		return decision{word: "refused", why: "there is nobody to ask; run it in a terminal, or with -yes"}, nil
	case wait.For == run.ForAnswer:
		return p.answerCall(ctx, wait)
	}
	question := "approve %s %s? [y/N, why not, or other arguments] "
	if wait.For == run.ForDecision {
		question = "nobody knows whether %s %s was called; call it again? [y/N or why not] "
	}
	fmt.Fprintf(p.screen, "  "+question, safeLine(wait.Request.Name), safeWhole(string(wait.Request.Arguments)))
	text, err := p.readLine(ctx)
	if err != nil {
		return decision{}, err
	}
	return parseDecision(text, wait), nil
}

// answerCall asks the person all questions of a call.
func (p *person) answerCall(ctx context.Context, wait run.Wait) (d decision, err error) {
	var texts []string
	for _, q := range wait.Questions {
		a, err := p.answerQuestion(ctx, wait, q)
		if err != nil {
			return d, err
		}
		d.answers = append(d.answers, a)
		texts = append(texts, strings.TrimSpace(string(a.Action)+" "+string(a.Value)))
	}
	d.word, d.why = "answered", strings.Join(texts, ", ")
	return d, nil
}

// maxTries limits how often the person is asked a question whose answers are invalid.
const maxTries = 3

// answerQuestion asks the person a question. If the answer is invalid, it asks again.
func (p *person) answerQuestion(ctx context.Context, wait run.Wait, q tool.Question) (tool.Answer, error) {
	fields, err := q.Fields()
	if err != nil {
		return tool.Answer{}, err
	}
	for range maxTries {
		call := safeLine(wait.Request.Name) + " " + safeWhole(string(wait.Request.Arguments))
		if q.From == "" {
			fmt.Fprintf(p.screen, "  %s asks: %s ", call, safeWhole(q.String()))
		} else { // the question begins with the tool and the server that ask, so that nobody mistakes it for a question of this program
			fmt.Fprintf(p.screen, "  %s (in the call %s) ", safeWhole(q.String()), call)
		}
		var a tool.Answer
		var invalid error
		if len(fields) == 0 {
			fmt.Fprint(p.screen, "[y/N] ")
			text, err := p.readLine(ctx)
			if err != nil {
				return a, err
			}
			a, invalid = parseAnswer(q, text)
		} else {
			fmt.Fprintln(p.screen)
			if a, err = p.answerFields(ctx, q, fields); err != nil {
				return a, err
			}
			invalid = q.Check(a)
		}
		if invalid == nil {
			return a, nil
		}
		fmt.Fprintln(p.screen, "  "+safeLine(invalid.Error()))
	}
	return q.Cancel(), nil
}

// answerFields asks the person for the members of an object. An empty line for a required member without a default
// cancels the question.
func (p *person) answerFields(ctx context.Context, q tool.Question, fields []tool.QuestionField) (tool.Answer, error) {
	object := map[string]json.RawMessage{}
	for _, f := range fields {
		fmt.Fprintf(p.screen, "    %s: ", describeField(f))
		text, err := p.readLine(ctx)
		switch {
		case err != nil:
			return tool.Answer{}, err
		case text != "":
			object[f.Name] = parseValue(f, text)
		case f.Default != nil:
			object[f.Name] = f.Default
		case f.Required:
			return q.Cancel(), nil
		}
	}
	value, err := json.Marshal(object)
	return q.Accept(value), err
}

// parseDecision parses the answer to the question of decideCall.
func parseDecision(text string, wait run.Wait) decision {
	switch strings.ToLower(text) {
	case "y", "yes":
		return decision{word: "approved", why: "in the terminal", approved: true}
	case "", "n", "no":
		return decision{word: "refused", why: "in the terminal"}
	}
	if strings.HasPrefix(text, "{") && json.Valid([]byte(text)) && wait.For == run.ForApproval {
		return decision{word: "approved", why: "with other arguments", arguments: json.RawMessage(text), approved: true}
	}
	return decision{word: "refused", why: text}
}
