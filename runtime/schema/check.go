package schema

import "github.com/aiongen/aiongen/runtime/tool"

// Check returns everything that is lost when the tools of one request are lowered
// for a target, and what the target will refuse of all of them together: their
// number, the size of their schemas. Definitions are in the order of the request.
func Check(target Target, definitions ...tool.Definition) ([]Loss, error) {
	var losses []Loss
	for _, d := range definitions {
		l, err := Lower(target, d)
		if err != nil {
			return nil, err
		}
		losses = append(losses, l.Losses...)
	}
	return losses, nil
}
