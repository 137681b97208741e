package transport

// Limits of one message, in bytes.
const (
	maxAnswerBytes = 16 << 20 // an answer to a call, and to most other requests
	maxOtherBytes  = 4 << 20  // a page of a list, a question, a notification
)

// answerLimit returns the size limit of the answer to a request, in bytes.
func answerLimit(method string) int {
	switch method {
	case "tools/list", "initialize", "server/discover", "subscriptions/listen", "ping":
		return maxOtherBytes
	}
	return maxAnswerBytes
}
