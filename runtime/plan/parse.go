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
	"github.com/aiongen/aiongen/runtime/internal/planform"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Read returns the plan in what a model wrote, as [Parse] does, and reads the shapes
// that models write when no schema holds them: a plan in another object, a list of
// steps alone, members under other names, a tool as in functions.find or none. The
// goal is the request where there is no other, and steps without IDs are numbered.
// What has two readings is a fault, and no tool is made up.
func Read(reply, request string, definitions []tool.Definition) (Plan, error) {
	shaped, err := planform.Shape(reply, request, definitions)
	if err != nil {
		return Plan{}, &Error{Err: err}
	}
	return Parse(string(shaped))
}

// Parse returns the plan in what a model wrote: in or between prose and fences,
// and in malformed JSON as far as that has one reading. Arguments may be called
// args, parameters or input, too. Unknown members that do not change what is done, such as a
// thought or a note, are ignored; others, such as a condition, are faults. All steps are
// pending and have no errors, whatever the model wrote. The error is an [*Error] with all
// faults; a plan that was cut off is one.
func Parse(reply string) (Plan, error) {
	read, err := repair.JSON(reply, Schema())
	if err == nil && read.Truncated {
		err = errors.New("the text was cut off")
	}
	if err != nil {
		return Plan{}, &Error{Err: err}
	}
	var wrongType, wrong faults
	p := wrongType.read(read.Value)
	wrong.plan(p)
	for _, f := range wrong {
		if !wrongType.cover(f.Pointer) {
			wrongType = append(wrongType, f)
		}
	}
	if err := wrongType.err(); err != nil {
		return Plan{}, err
	}
	return p, nil
}

// cover tells whether there is a fault of a value, or of one that it is in.
func (f faults) cover(pointer string) bool {
	return slices.ContainsFunc(f, func(known tool.Fault) bool {
		return strings.HasPrefix(pointer+"/", strings.TrimSuffix(known.Pointer, "/")+"/")
	})
}

// Schema returns the JSON Schema of what a model has to write. Steps may only
// name the given tools; any, if none are given. For each of them there is a branch with
// its arguments, unless that makes it longer than an endpoint takes.
func Schema(definitions ...tool.Definition) json.RawMessage {
	return planform.Plan(MaxSteps, definitions...)
}

// read reads a plan as far as each part of it has the right type.
func (f *faults) read(raw json.RawMessage) (p Plan) {
	members := f.members("", raw, planMembers)
	if members == nil {
		f.add("", "an object with goal and steps", found(raw))
		return p
	}
	p.Goal = f.readText("/goal", members["goal"])
	var steps []json.RawMessage
	if json.Unmarshal(members["steps"], &steps) != nil || steps == nil {
		f.add("/steps", "a list of steps", found(members["steps"]))
		return p
	}
	if len(steps) > MaxSteps {
		f.steps(len(steps))
		return p
	}
	needed := make([][]string, len(steps))
	for i, step := range steps {
		s, ids := f.readStep("/steps/"+strconv.Itoa(i), step)
		p.Steps, needed[i] = append(p.Steps, s), ids
	}
	f.order(p.Steps, needed)
	return p
}

// readStep reads a step, and the IDs of steps that it says it needs.
func (f *faults) readStep(at string, raw json.RawMessage) (s Step, needed []string) {
	s.Status = Pending
	members := f.members(at, raw, stepMembers)
	if members == nil {
		f.add(at, "an object", found(raw))
		return s, nil
	}
	if id := members["step_id"]; isNumber(id) {
		s.ID = strings.TrimSuffix(string(id), ".0")
	} else {
		s.ID = f.readText(at+"/step_id", id)
	}
	s.Description = f.readText(at+"/description", members["description"])
	if has(members, "status") {
		if text := f.readText(at+"/status", members["status"]); !isKnownStatus(Status(text)) {
			f.add(at+"/status", "pending, running, complete or failed (leave out a step that is not to run)", show(text))
		}
	}
	if has(members, "tool") {
		s.Tool = f.readText(at+"/tool", members["tool"])
	}
	if has(members, "agent") {
		s.Agent = strings.ToLower(f.readText(at+"/agent", members["agent"]))
	}
	if has(members, "arguments") {
		s.Arguments = members["arguments"]
	}
	if !has(members, "tool") && s.Agent == "" && !isNothing(json.RawMessage(cmp.Or(string(s.Arguments), "null"))) {
		f.add(at+"/tool", "the name of the tool that takes the arguments", found(members["tool"]))
	}
	if has(members, needs) {
		needed = neededBy(members[needs])
	}
	return s, needed
}

// members returns the members of an object by their names in known, and nil if raw is not
// an object. It adds faults for a member that occurs with two values, and for an unknown
// one that may change what a step does.
func (f *faults) members(at string, raw json.RawMessage, known map[string]string) map[string]json.RawMessage {
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
		name, isKnown := known[words.Folded(key.(string))]
		if !isKnown {
			f.unknownMember(jsontext.Join(at, key.(string)), key.(string), value, known)
			continue
		}
		if before, twice := members[name]; twice && !bytes.Equal(before, value) {
			f.add(at+"/"+name, "one value", found(before)+" and "+found(value))
		}
		members[name] = value
	}
	return members
}

// readText reads a string that is not blank, without the space around it.
func (f *faults) readText(at string, raw json.RawMessage) string {
	var text *string
	if json.Unmarshal(raw, &text) != nil || text == nil || strings.TrimSpace(*text) == "" {
		f.add(at, "a text", found(raw))
		return ""
	}
	return strings.TrimSpace(*text)
}

func has(members map[string]json.RawMessage, name string) bool {
	value, found := members[name]
	return found && !bytes.Equal(value, []byte("null"))
}

func isNumber(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// found describes a value as it was written: a text has its quotes already.
func found(raw json.RawMessage) string {
	if raw == nil {
		return "nothing"
	}
	var line bytes.Buffer
	if json.Compact(&line, raw) != nil {
		return show(string(raw))
	}
	return cut(line.String())
}
