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
	lowering, err := newLowering(target)
	if err != nil {
		return nil, err
	}
	var losses []Loss
	var sum outline.Size
	refuse := func(tool, at, format string, values ...any) {
		losses = append(losses, Loss{tool, at, Refused, fmt.Sprintf(format, values...)})
	}
	originals := map[string]string{}
	for _, d := range definitions {
		l, err := Lower(target, d)
		if err != nil {
			return nil, err
		}
		losses = append(losses, l.Losses...)
		if other, taken := originals[l.Name]; taken {
			refuse(d.Name, "/name", "the name becomes %q, and so does %q", l.Name, other)
		}
		originals[l.Name] = d.Name
		schema, err := outline.Parse(l.Input)
		if err != nil {
			return nil, err
		}
		sum.AddSchema(schema)
	}
	for _, x := range []struct {
		count, limit int
		what         string
	}{
		{len(definitions), lowering.Limits.Tools, "tools"},
		{sum.Optional, lowering.Limits.Optional, "optional parameters in all tools"},
		{sum.Unions, lowering.Limits.Unions, "parameters of a union in all tools"},
	} {
		if x.limit > 0 && x.count > x.limit {
			refuse("", "", "there are %d %s, the limit is %d", x.count, x.what, x.limit)
		}
	}
	return losses, nil
}
