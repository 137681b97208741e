// Package notes has tools whose notes say what a model may send.
package notes

// Status is a state.
type Status string

// The states.
const (
	Open   Status = "open"
	Closed Status = "closed"
)

// Search takes many arguments.
func Search(words string, limit int, ratio float64, status Status, other Status, order string, level int8, tags []string, loud bool, labels map[string]string) []any {
	return []any{words, limit, ratio, status, other, order, level, tags, loud, labels}
}

// Query is an arguments object.
type Query struct {
	Text  string `json:"text"`
	Limit int    `json:"limit"`
}

// Run takes an object, with limits of the tool's own.
func Run(q Query) Query { return q }

// Walk takes the same object as it is.
func Walk(q *Query) Query { return *q }

// Pointers can have limits, too.
func Pointers(limit *int, name *string) bool { return limit == nil && name == nil }
