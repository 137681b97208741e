package agenttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// maxSource is the maximum length of the source of a test in bytes.
const maxSource = 4 << 20

// source writes the source of a test.
type source struct {
	pkg  string
	body bytes.Buffer
	literals
}

// write returns the source of a test that repeats a run.
func (s *source) write(c *repeatable) ([]byte, error) {
	if !token.IsIdentifier(s.pkg) {
		return nil, fmt.Errorf("agenttest: invalid name %q of a package", s.pkg)
	}
	s.imports = map[string]bool{"testing": true}
	name := testName(c.input.ID)
	s.printf(`
// Test%s repeats a run with the answers of its model and the outcomes of its tools. To call the
// agent's own tools instead, pass their registry to orchestrator.New.
func Test%s(t *testing.T) {
`, name, name)
	s.writeModel(c)
	s.writeTools(c, name)
	s.writeAgent()
	s.printf("r := %s.Run(t, agent, %s)\n", s.use(agenttestPath), s.value(c.input))
	for _, turn := range c.rounds {
		s.writeStatus(turn.status, turn.waitsFor)
		writeArguments(s, "r.Send", turn.signals, s.signal)
	}
	s.writeStatus(c.final.Status, c.final.WaitsFor)
	writeArguments(s, "r.CalledExactly", c.calls, s.text)
	if c.final.Answer != nil {
		s.printf("r.Answered(%s)\n", s.answer(c.final.Answer))
	}
	s.printf("if err := model.Err(); err != nil {\nt.Error(err)\n}\n}\n")
	if len(c.definitions) > 0 {
		s.printf("\n// tools%s are the tools that the run depends on.\nvar tools%s = %s\n", name, name, s.value(c.definitions))
	}
	if s.err != nil {
		return nil, fmt.Errorf("no test can be made from run %q: %w", c.input.ID, s.err)
	}
	if n := s.body.Len(); n > maxSource {
		return nil, fmt.Errorf("no test can be made from run %q: its source would have %d bytes, at most %d are allowed", c.input.ID, n, maxSource)
	}
	return format.Source(slices.Concat(s.header(), s.body.Bytes()))
}

const agenttestPath = "github.com/aiongen/aiongen/runtime/orchestrator/agenttest"

func (s *source) printf(format string, args ...any) { fmt.Fprintf(&s.body, format, args...) }

// header returns the package clause and the imports, those of the standard library first.
func (s *source) header() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n", s.pkg)
	all := slices.Sorted(maps.Keys(s.imports))
	for _, external := range []bool{false, true} {
		for _, imported := range all {
			if strings.Contains(imported, ".") == external {
				fmt.Fprintf(&b, "%q\n", imported)
			}
		}
		b.WriteByte('\n')
	}
	b.WriteString(")\n")
	return b.Bytes()
}

// testName converts the ID of a run to the part of an identifier that names the test and its variables.
func testName(id string) string {
	var b strings.Builder
	b.WriteString("Run")
	upper := true
	for _, c := range id {
		switch letter := 'a' <= c && c <= 'z'; {
		case letter && upper:
			b.WriteRune(c - 'a' + 'A')
			upper = false
		case letter, 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
			b.WriteRune(c)
			upper = false
		default:
			upper = true
		}
	}
	return b.String()
}

// writeArguments writes a call with a line for each argument, or in one line if it is short.
func writeArguments[T any](s *source, function string, all []T, print func(T) string) {
	arguments := make([]string, len(all))
	for i, x := range all {
		arguments[i] = print(x)
	}
	s.printf("%s(%s)\n", function, joinElements(arguments))
}

// writeModel writes the model with its answers.
func (s *source) writeModel(c *repeatable) {
	s.use("github.com/aiongen/aiongen/runtime/llm/scripted")
	writeArguments(s, "model := scripted.New", c.answers, func(a run.Answer) string {
		r, err := c.response(a)
		if err != nil {
			s.use("github.com/aiongen/aiongen/runtime/llm")
			return "scripted.Fail(&llm.Error{Kind: llm.ContextFull})"
		}
		switch plain := r.Finish == "" && r.Usage == (llm.Usage{}); {
		case plain && len(r.Calls) == 0:
			return "scripted.Text(" + s.text(r.Text) + ")"
		case plain && len(r.Calls) == 1 && r.Text == "" && !r.Calls[0].Truncated:
			return "scripted.Call(" + s.text(r.Calls[0].Name) + ", " + s.text(string(r.Calls[0].Arguments)) + ")"
		}
		return "scripted.Respond(" + s.value(r) + ")"
	})
}

// writeTools writes the tools with the outcomes of their calls.
func (s *source) writeTools(c *repeatable, name string) {
	s.use(agenttestPath)
	definitions := "nil"
	if len(c.definitions) > 0 {
		definitions = "tools" + name
	}
	if len(c.outcomes) == 0 {
		s.printf("stubs := agenttest.Tools(t, %s)\n", definitions)
		return
	}
	s.printf("stubs := agenttest.Tools(t, %s,\n", definitions)
	for _, call := range c.outcomes {
		s.printf("%s,\n", s.outcome(call))
	}
	s.printf(")\n")
}

// outcome returns the expression for the outcome of a call.
func (s *source) outcome(c *tool.Call) string {
	pattern := s.text(writeCall(c.Request.Name, c.Request.Arguments))
	if isPlain(c) {
		return "agenttest.Returns(" + pattern + ", " + s.text(string(c.Output)) + ")"
	}
	switch err := simpleError(c).(type) { //nolint:errorlint // simpleError returns nothing else
	case nil:
		return "agenttest.Recorded(" + pattern + ", " + s.text(recordCall(c)) + ")"
	case *tool.ApprovalError:
		return "agenttest.Fails(" + pattern + ", " + s.value(err) + ")"
	default:
		s.use("errors")
		return "agenttest.Fails(" + pattern + ", errors.New(" + s.text(err.Error()) + "))"
	}
}

// writeAgent writes the agent.
func (s *source) writeAgent() {
	s.use("github.com/aiongen/aiongen/runtime/orchestrator")
	s.printf("agent, err := orchestrator.New(model, stubs)\nif err != nil {\nt.Fatal(err)\n}\n")
}

// statusNames has the names of the constants of package run for statuses, and for what a run waits for.
var statusNames = map[string]string{
	run.Completed: "Completed", run.Failed: "Failed", run.Cancelled: "Cancelled", run.Expired: "Expired", run.OverBudget: "OverBudget",
	run.ForApproval: "ForApproval", run.ForAnswer: "ForAnswer", run.ForDecision: "ForDecision", run.ForMessage: "ForMessage",
}

// writeStatus writes the check of the status of the run.
func (s *source) writeStatus(status, waitsFor string) {
	check := "Ended"
	if status == run.Waiting {
		check, status = "Waits", waitsFor
	}
	name, ok := statusNames[status]
	if !ok {
		s.err = fmt.Errorf("its status is %q", status)
	}
	s.printf("r.%s(%s.%s)\n", check, s.use("github.com/aiongen/aiongen/runtime/run"), name)
}

// signal returns the expression for a signal.
func (s *source) signal(x run.Signal) string {
	s.use("github.com/aiongen/aiongen/runtime/run")
	call := s.text(x.Call)
	switch x.Kind {
	case "approve":
		arguments := "nil"
		if x.Arguments != nil {
			arguments = s.value(x.Arguments)
		}
		return "run.Approve(" + call + ", " + s.text(x.Approval) + ", " + arguments + ")"
	case "reply":
		parts := []string{call}
		for _, a := range x.Answers {
			parts = append(parts, s.value(a))
		}
		return "run.Reply(" + strings.Join(parts, ", ") + ")"
	case "deny":
		return "run.Deny(" + call + ", " + s.text(x.Reason) + ")"
	case "redo":
		return "run.Redo(" + call + ")"
	case "supply":
		return "run.Supply(" + call + ", " + s.value(x.Output) + ")"
	case "say":
		return "run.Say(" + s.value(*x.Message) + ")"
	case "extend":
		return "run.Extend(" + s.value(*x.Limits) + ")"
	case "cancel":
		return "run.Cancel(" + s.text(x.Reason) + ")"
	}
	s.err = errors.New("it received a signal of an unknown kind")
	return ""
}

// answer returns the expression for the answer of a run.
func (s *source) answer(answer json.RawMessage) string {
	var text string
	if json.Unmarshal(answer, &text) == nil {
		return s.text(text)
	}
	return s.value(answer)
}
