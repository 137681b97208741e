package plan

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Read is like [Parse], but also accepts the shapes of plans that [Shape] rewrites, such as a plan inside another
// object. If the plan has no goal, the request becomes the goal. Steps without IDs are numbered. Ambiguous input
// is a fault. Read does not guess which tool an unknown name means.
func Read(reply, request string, definitions []tool.Definition) (Plan, error) {
	shaped, err := Shape(reply, request, definitions)
	if err != nil {
		return Plan{}, &Error{Err: err}
	}
	return Parse(string(shaped))
}

// Parse returns the plan in a model's answer. There may be prose and code fences around the plan, and the plan
// may be malformed JSON if it has only one reading. Arguments may also be called args, parameters or input.
// Unknown members that do not change how the plan runs, such as a thought or a note, are ignored. Others, such as
// a condition, are faults. All steps become pending and have no errors. The error is an [*Error] with all faults;
// a truncated plan is an error, too.
func Parse(reply string) (Plan, error) {
	read, err := repair.JSON(reply, Schema())
	if err == nil && read.Truncated {
		err = errors.New("the text was cut off")
	}
	if err != nil {
		return Plan{}, &Error{Err: err}
	}
	var all, invalid faults
	p := all.readPlan(read.Value)
	invalid.checkPlan(p)
	for _, f := range invalid {
		if !all.coverPointer(f.Pointer) {
			all = append(all, f)
		}
	}
	if err := all.asError(); err != nil {
		return Plan{}, err
	}
	return p, nil
}

// coverPointer reports whether the value at a pointer, or a value that contains it, has a fault.
func (f faults) coverPointer(pointer string) bool {
	return slices.ContainsFunc(f, func(known tool.Fault) bool {
		return strings.HasPrefix(pointer+"/", strings.TrimSuffix(known.Pointer, "/")+"/")
	})
}

// readPlan reads the members of a plan, and adds faults for those that have wrong types.
func (f *faults) readPlan(raw json.RawMessage) (p Plan) {
	members := f.readMembers("", raw, planMembers)
	if members == nil {
		f.addFault("", "an object with goal and steps", describeJSON(raw))
		return p
	}
	p.Goal = f.readText("/goal", members["goal"])
	var steps []json.RawMessage
	if json.Unmarshal(members["steps"], &steps) != nil || steps == nil {
		f.addFault("/steps", "a list of steps", describeJSON(members["steps"]))
		return p
	}
	if len(steps) > MaxSteps {
		f.checkStepCount(len(steps))
		return p
	}
	needed := make([][]string, len(steps))
	for i, step := range steps {
		s, ids := f.readStep("/steps/"+strconv.Itoa(i), step)
		p.Steps, needed[i] = append(p.Steps, s), ids
	}
	f.checkOrder(p.Steps, needed)
	return p
}

// readStep reads a step, and the IDs in its member "depends_on".
func (f *faults) readStep(at string, raw json.RawMessage) (s Step, needed []string) {
	s.Status = Pending
	members := f.readMembers(at, raw, stepMembers)
	if members == nil {
		f.addFault(at, "an object", describeJSON(raw))
		return s, nil
	}
	if id := members["step_id"]; isNumber(id) {
		s.ID = strings.TrimSuffix(string(id), ".0")
	} else {
		s.ID = f.readText(at+"/step_id", id)
	}
	s.Description = f.readText(at+"/description", members["description"])
	if hasMember(members, "status") {
		if text := f.readText(at+"/status", members["status"]); !isKnownStatus(Status(text)) {
			f.addFault(at+"/status", "pending, running, complete or failed (leave out a step that is not to run)", quoteText(text))
		}
	}
	if hasMember(members, "tool") {
		s.Tool = f.readText(at+"/tool", members["tool"])
	}
	if hasMember(members, "agent") {
		s.Agent = strings.ToLower(f.readText(at+"/agent", members["agent"]))
	}
	if hasMember(members, "arguments") {
		s.Arguments = members["arguments"]
	}
	if !hasMember(members, "tool") && s.Agent == "" && !isNothing(json.RawMessage(cmp.Or(string(s.Arguments), "null"))) {
		f.addFault(at+"/tool", "the name of the tool that takes the arguments", describeJSON(members["tool"]))
	}
	if hasMember(members, needsMember) {
		needed = neededSteps(members[needsMember])
	}
	return s, needed
}

// readMembers returns the members of an object by their correct names; nil if raw is not an object. known maps
// the spellings of names to the correct names. readMembers adds faults for members that occur with two values,
// and for unknown members that are not harmless.
func (f *faults) readMembers(at string, raw json.RawMessage, known map[string]string) map[string]json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(raw))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return nil
	}
	members := map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		name, isKnown := known[words.FoldName(key.(string))]
		if !isKnown {
			f.addUnknownMember(jsontext.Join(at, key.(string)), key.(string), value, known)
			continue
		}
		if before, twice := members[name]; twice && !bytes.Equal(before, value) {
			f.addFault(at+"/"+name, "one value", describeJSON(before)+" and "+describeJSON(value))
		}
		members[name] = value
	}
	return members
}

// readText reads a string that is not blank, and trims it.
func (f *faults) readText(at string, raw json.RawMessage) string {
	var text *string
	if json.Unmarshal(raw, &text) != nil || text == nil || strings.TrimSpace(*text) == "" {
		f.addFault(at, "a text", describeJSON(raw))
		return ""
	}
	return strings.TrimSpace(*text)
}

func hasMember(members map[string]json.RawMessage, name string) bool {
	value, found := members[name]
	return found && !bytes.Equal(value, []byte("null"))
}

func isNumber(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// describeJSON returns a value in one line, shortened if necessary.
func describeJSON(raw json.RawMessage) string {
	if raw == nil {
		return "nothing"
	}
	var line bytes.Buffer
	if json.Compact(&line, raw) != nil {
		return quoteText(string(raw))
	}
	return cutText(line.String())
}
