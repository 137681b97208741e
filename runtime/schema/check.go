package schema

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Check returns the losses when the tools of one request are lowered for a target. They include the reasons for
// which the target refuses all the tools together: there are too many, two have the same name, or the schemas are
// too complex. Pass the definitions in the order of the request.
func Check(target Target, definitions ...tool.Definition) ([]Loss, error) {
	run, err := newLowering(target)
	if err != nil {
		return nil, err
	}
	var losses []Loss
	var sum outline.Size
	refuse := func(tool, at, format string, values ...any) {
		losses = append(losses, Loss{tool, at, Refused, fmt.Sprintf(format, values...)})
	}
	named := map[string]string{}
	for _, d := range definitions {
		l, err := Lower(target, d)
		if err != nil {
			return nil, err
		}
		losses = append(losses, l.Losses...)
		if other, taken := named[l.Name]; taken {
			refuse(d.Name, "/name", "the name becomes %q, and so does %q", l.Name, other)
		}
		named[l.Name] = d.Name
		schema, err := outline.Parse(l.Input)
		if err != nil {
			return nil, err
		}
		sum.AddSchema(schema)
	}
	for _, x := range []struct {
		count, most int
		what        string
	}{
		{len(definitions), run.Limits.Tools, "tools"},
		{sum.Optional, run.Limits.Optional, "optional parameters in all tools"},
		{sum.Unions, run.Limits.Unions, "parameters of a union in all tools"},
	} {
		if x.most > 0 && x.count > x.most {
			refuse("", "", "there are %d %s, the limit is %d", x.count, x.what, x.most)
		}
	}
	return losses, nil
}
