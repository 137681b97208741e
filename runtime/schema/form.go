package schema

// form is how values of one schema are written for a target, where that differs.
type form struct{}

func (f *form) raise(v *node) *node  { return v }
func (f *form) encode(v *node) *node { return v }
