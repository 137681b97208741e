package plan

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// nearestTool describes the tools that a step may name instead of an unknown one.
func (c *compiler) nearestTool(name string) string {
	switch near := words.Near(name, c.names); {
	case len(near) > 0:
		return "the tool " + words.List(near, " or ")
	case len(c.names) == 0:
		return "no tool, because no tools are available"
	}
	return "one of the tools " + words.List(c.names, ", ")
}

// nearestStep describes the steps to which a reference may lead instead of the unknown step id.
func (a speller) nearestStep(id string) string {
	var ids []string
	for _, s := range a.plan.Steps[:a.step] {
		ids = append(ids, s.ID)
	}
	switch near := words.Near(id, ids); {
	case len(ids) == 0:
		return "no reference, for there is no step before"
	case len(near) > 0 && len(ids) > 3:
		return "a reference to the step " + words.List(near, " or ")
	case len(ids) == 1:
		return "a reference to the step " + words.List(ids, "")
	}
	return "a reference to one of the steps " + words.List(ids, ", ")
}

// nearestPlace describes what may replace the first name in a reference's path that does not exist.
func (a speller) nearestPlace(r Reference) string {
	schemas, at := a.outputSchemas(r.Step), ""
	for name := range jsontext.Names(r.Pointer) {
		next := memberSchemas(schemas, name)
		if len(next) == 0 {
			whole := Reference{r.Step, at}.String()
			names := propertyNames(schemas)
			if element := (Reference{r.Step, jsontext.JoinIndex(at, 0)}); len(names) == 0 && a.isPlace(element) {
				return fmt.Sprintf("the number of an element of %s, as in %s", whole, element)
			}
			if len(names) == 0 {
				return fmt.Sprintf("%s, which has no parts", whole)
			}
			return fmt.Sprintf("%s of %s", words.ExpectedKey(name, names), whole)
		}
		schemas, at = next, jsontext.Join(at, name)
	}
	return "a value in the result of the step"
}

// exampleReference returns an example of a reference that this step may contain.
func (a speller) exampleReference() string {
	if a.step == 0 {
		return Reference{"1", "/id"}.String() + " in a later step"
	}
	before := a.plan.Steps[a.step-1]
	r := Reference{Step: before.ID}
	if names := propertyNames(a.outputSchemas(before.ID)); len(names) > 0 {
		r.Pointer = jsontext.Join("", names[0])
	}
	return r.String()
}
