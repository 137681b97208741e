package schema

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Check lowers the tools of one request for a target and returns the losses. They include reasons why the target
// refuses the tools as a whole: there are too many tools, two of them have the same name, or the schemas together
// are too complex. Pass the definitions in the order of the request.
func Check(target Target, definitions ...tool.Definition) ([]Loss, error) {
	request, err := newLowering(target, "")
	if err != nil {
		return nil, err
	}
	var losses []Loss
	sum := outline.Size{Tools: len(definitions)}
	originals := map[string]string{}
	for _, d := range definitions {
		l, err := Lower(target, d)
		if err != nil {
			return nil, err
		}
		losses = append(losses, l.Losses...)
		if other, taken := originals[l.Name]; taken {
			losses = append(losses, Loss{d.Name, "/name", Refused, fmt.Sprintf("the name becomes %q, and so does %q", l.Name, other)})
		}
		originals[l.Name] = d.Name
		schema, err := outline.Parse(l.Input)
		if err != nil {
			return nil, err
		}
		sum.AddSchema(schema)
	}
	for _, excess := range sum.DescribeExcess(request.RequestLimits) {
		losses = append(losses, Loss{Severity: Refused, Message: excess})
	}
	return losses, nil
}
