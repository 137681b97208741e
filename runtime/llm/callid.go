package llm

import (
	"fmt"
	"strconv"
)

// NewCallID returns an ID that is not in taken, and adds it to taken. The result depends only on
// taken, so a replay generates the same IDs.
func NewCallID(taken map[string]bool) string {
	for n := len(taken) + 1; ; n++ {
		id := fmt.Sprintf("c%08s", strconv.FormatInt(int64(n), 36))
		if !taken[id] {
			taken[id] = true
			return id
		}
	}
}
