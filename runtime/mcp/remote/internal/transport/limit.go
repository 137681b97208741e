package transport

// Limits of one message, in bytes.
const (
	LargestAnswer = 16 << 20 // an answer to a call, and to most other requests
	LargestOther  = 4 << 20  // a page of a list, a question, a notification
)

// Limit returns the limit of the answer to a request.
func Limit(method string) int {
	switch method {
	case "tools/list", "initialize", "server/discover", "subscriptions/listen", "ping":
		return LargestOther
	}
	return LargestAnswer
}
