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
	"github.com/aiongen/aiongen/runtime/tool"
)

// Error reports the faults of a plan.
type Error struct {
	Faults []tool.Fault // the first 64, ordered by pointer
	Count  int          // number of all faults
	Err    error        // why a text contains no plan
}

// Error lists the faults.
func (e *Error) Error() string {
	if e.Err != nil {
		return "there is no plan: " + e.Err.Error()
	}
	texts := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		texts[i] = strings.TrimPrefix(f.String(), "arguments: ") // the prefix for an empty pointer
	}
	return "wrong plan: " + strings.Join(words.First(texts, e.Count), "; ")
}

// Unwrap returns the reason why a text contains no plan.
func (e *Error) Unwrap() error { return e.Err }

// Code returns "invalid_plan".
func (e *Error) Code() string { return "invalid_plan" }

// Retryable returns false.
func (e *Error) Retryable() bool { return false }

// IsSpelling reports whether all faults are wrong names of arguments, so that renaming arguments may make the
// plan valid.
func (e *Error) IsSpelling() bool {
	return e.Err == nil && e.Count == len(e.Faults) && !slices.ContainsFunc(e.Faults, func(f tool.Fault) bool {
		return !strings.Contains(f.Pointer, "/arguments/") || !strings.HasPrefix(f.Found, "the key ") || strings.HasSuffix(f.Found, " again")
	})
}

// Validate returns all faults of the plan as an [*Error]. It does not check whether the tools
// exist; see [ValidateStep].
func Validate(p Plan) error {
	var f faults
	f.checkPlan(p)
	return f.asError()
}

// faults collects faults.
type faults []tool.Fault

func (f *faults) addFault(pointer, expected, found string) {
	*f = append(*f, tool.Fault{Pointer: pointer, Expected: expected, Found: found})
}

// maxFaults is the maximum length of Error.Faults.
const maxFaults = 64

func (f faults) asError() error {
	if len(f) == 0 {
		return nil
	}
	slices.SortStableFunc(f, func(a, b tool.Fault) int { // SortStableFunc adds less code to programs than SortFunc
		return cmp.Or(comparePointers(a.Pointer, b.Pointer), cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Found, b.Found))
	})
	f = slices.Compact(f) // a duplicate key is a fault of both the plan and its tool
	return &Error{Faults: f[:min(len(f), maxFaults)], Count: len(f)}
}

// comparePointers compares two JSON Pointers. A value comes before its members and elements, and steps are
// ordered by index.
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

// checkPlan adds the faults of a plan.
func (f *faults) checkPlan(p Plan) {
	f.checkText("/goal", p.Goal, MaxText)
	if len(p.Steps) == 0 || len(p.Steps) > MaxSteps {
		f.checkStepCount(len(p.Steps))
		return
	}
	first := map[string]int{}
	for i, s := range p.Steps {
		at := "/steps/" + strconv.Itoa(i)
		f.checkStep(at, s)
		if before, taken := first[s.ID]; taken {
			f.addFault(at+"/step_id", "a unique ID", fmt.Sprintf("%s, as in /steps/%d", quoteText(s.ID), before))
		} else if s.ID != "" {
			first[s.ID] = i
		}
	}
}

func (f *faults) checkStepCount(found int) {
	f.addFault("/steps", fmt.Sprintf("1 to %d steps", MaxSteps), strconv.Itoa(found))
}

// checkText adds a fault if a text is blank or longer than the given number of bytes.
func (f *faults) checkText(pointer, text string, longest int) {
	if strings.TrimSpace(text) == "" {
		f.addFault(pointer, "a text", quoteText(text))
	}
	if len(text) > longest {
		f.addFault(pointer, fmt.Sprintf("at most %d bytes", longest), strconv.Itoa(len(text)))
	}
}

// checkStep adds the faults of a step that do not depend on other steps.
func (f *faults) checkStep(at string, s Step) {
	f.checkText(at+"/step_id", s.ID, MaxID)
	if !utf8.ValidString(s.ID) { // JSON encoding would change the ID
		f.addFault(at+"/step_id", "UTF-8", quoteText(s.ID))
	}
	f.checkText(at+"/description", s.Description, MaxText)
	if !isKnownStatus(s.Status) {
		f.addFault(at+"/status", "pending, running, complete or failed", quoteText(string(s.Status)))
	}
	if s.Tool != "" {
		f.checkText(at+"/tool", s.Tool, MaxText)
	}
	if len(s.Arguments) > 0 {
		f.checkArguments(at+"/arguments", string(s.Arguments))
	}
	switch replans := strings.EqualFold(s.Agent, AgentReplan); {
	case replans && s.Tool != "":
		f.addFault(at+"/agent", "two steps, one that calls the tool and one that replans", quoteText(s.Agent)+" and the tool "+quoteText(s.Tool))
	case s.Agent != "" && !replans && !strings.EqualFold(s.Agent, AgentLLM):
		f.addFault(at+"/agent", `"llm", "replan" or no agent`, quoteText(s.Agent))
	}
}

// checkArguments adds faults if arguments are not valid JSON, which no tool accepts.
func (f *faults) checkArguments(at, text string) {
	v, err := jsontext.Parse(text, jsontext.Depth)
	if err != nil {
		f.addFault(at, "JSON", fmt.Sprintf("%s: %v", quoteText(text), err))
		return
	}
	for _, fault := range anySchema.Check(v, len(text)) {
		f.addFault(at+fault.Pointer, fault.Expected, fault.Found)
	}
}

func isKnownStatus(s Status) bool {
	_, known := nextStatuses[s.orPending()]
	return known
}

// quoteText quotes a text, shortened if necessary.
func quoteText(text string) string { return strconv.Quote(cutText(text)) }

// cutText shortens a text to 64 bytes.
func cutText(text string) string { return words.Cut(text, 64) }
