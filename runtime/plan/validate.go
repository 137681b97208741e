package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/planform"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Error says what is wrong with a plan.
type Error struct {
	Faults []tool.Fault // in the order of pointers, the first 64
	Count  int          // of all faults
	Err    error        // why there is no plan in a text at all
}

// Error lists the faults.
func (e *Error) Error() string {
	if e.Err != nil {
		return "there is no plan: " + e.Err.Error()
	}
	texts := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		texts[i] = strings.TrimPrefix(f.String(), "arguments: ") // as a fault of the whole is called
	}
	return "wrong plan: " + strings.Join(words.First(texts, e.Count), "; ")
}

// Unwrap returns why there is no plan.
func (e *Error) Unwrap() error { return e.Err }

// Code returns "invalid_plan".
func (e *Error) Code() string { return "invalid_plan" }

// Retryable returns false.
func (e *Error) Retryable() bool { return false }

// IsSpelling reports whether nothing is wrong but the names of arguments: what the plan
// says may be right in other words. Everything else needs new values.
func (e *Error) IsSpelling() bool {
	return e.Err == nil && e.Count == len(e.Faults) && !slices.ContainsFunc(e.Faults, func(f tool.Fault) bool {
		return !strings.Contains(f.Pointer, "/arguments/") || !strings.HasPrefix(f.Found, "the key ") || strings.HasSuffix(f.Found, " again")
	})
}

// Validate returns everything that is wrong with the plan as an [*Error]. Whether
// there are such tools is for [ValidateStep] to say.
func Validate(p Plan) error {
	var f faults
	f.plan(p)
	return f.err()
}

// faults collects what is wrong.
type faults []tool.Fault

func (f *faults) add(pointer, expected, found string) {
	*f = append(*f, tool.Fault{Pointer: pointer, Expected: expected, Found: found})
}

// mostFaults bounds how many faults an error shows.
const mostFaults = 64

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	slices.SortStableFunc(f, func(a, b tool.Fault) int { // of which a program links less
		return cmp.Or(comparePointers(a.Pointer, b.Pointer), cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Found, b.Found))
	})
	f = slices.Compact(f) // a key that is there again is wrong for the plan and for its tool
	return &Error{Faults: f[:min(len(f), mostFaults)], Count: len(f)}
}

// comparePointers puts values behind what they are in, and steps in their order.
func comparePointers(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "/"), strings.Split(b, "/"), func(a, b string) int {
		i, notA := strconv.Atoi(a)
		k, notB := strconv.Atoi(b)
		if notA == nil && notB == nil {
			return cmp.Compare(i, k)
		}
		return cmp.Compare(a, b)
	})
}

// plan adds what is wrong with a plan.
func (f *faults) plan(p Plan) {
	f.text("/goal", p.Goal, planform.MaxText)
	if len(p.Steps) == 0 || len(p.Steps) > MaxSteps {
		f.steps(len(p.Steps))
		return
	}
	first := map[string]int{}
	for i, s := range p.Steps {
		at := "/steps/" + strconv.Itoa(i)
		f.step(at, s)
		if before, taken := first[s.ID]; taken {
			f.add(at+"/step_id", "an ID of its own", fmt.Sprintf("%s, as in /steps/%d", show(s.ID), before))
		} else if s.ID != "" {
			first[s.ID] = i
		}
	}
}

func (f *faults) steps(found int) {
	f.add("/steps", fmt.Sprintf("1 to %d steps", MaxSteps), strconv.Itoa(found))
}

// text adds what is wrong with a text of at most so many bytes.
func (f *faults) text(pointer, text string, longest int) {
	if strings.TrimSpace(text) == "" {
		f.add(pointer, "a text", show(text))
	}
	if len(text) > longest {
		f.add(pointer, fmt.Sprintf("at most %d bytes", longest), strconv.Itoa(len(text)))
	}
}

// step adds what is wrong with a step, apart from other steps.
func (f *faults) step(at string, s Step) {
	f.text(at+"/step_id", s.ID, planform.MaxID)
	if !utf8.ValidString(s.ID) { // JSON cannot keep it apart from others
		f.add(at+"/step_id", "UTF-8", show(s.ID))
	}
	f.text(at+"/description", s.Description, planform.MaxText)
	f.status(at, s.Status)
	if s.Tool != "" {
		f.text(at+"/tool", s.Tool, planform.MaxText)
	}
	if len(s.Arguments) > 0 {
		f.arguments(at+"/arguments", string(s.Arguments))
	}
	switch replans := strings.EqualFold(s.Agent, AgentReplan); {
	case replans && s.Tool != "":
		f.add(at+"/agent", "two steps, one that calls the tool and one that replans", show(s.Agent)+" and the tool "+show(s.Tool))
	case s.Agent != "" && !replans && !strings.EqualFold(s.Agent, AgentLLM):
		f.add(at+"/agent", `"llm", "replan" or no agent`, show(s.Agent))
	}
}

// arguments adds what is wrong with arguments of any tool.
func (f *faults) arguments(at, text string) {
	v, err := jsontext.Parse(text, jsontext.Depth)
	if err != nil {
		f.add(at, "JSON", fmt.Sprintf("%s: %v", show(text), err))
		return
	}
	for _, fault := range anything.Check(v, len(text)) {
		f.add(at+fault.Pointer, fault.Expected, fault.Found)
	}
}

func (f *faults) status(at string, s Status) {
	if !isKnownStatus(s) {
		f.add(at+"/status", "pending, running, complete or failed", show(string(s)))
	}
}

func isKnownStatus(s Status) bool {
	_, known := next[s.orPending()]
	return known
}

// show quotes a text, cut where it is long.
func show(text string) string { return strconv.Quote(cut(text)) }

// cut returns the beginning of a text.
func cut(text string) string { return words.Cut(text, 64) }
