// Package callid generates IDs for tool calls that come without one, or with one that
// another call has. All endpoints accept them: Mistral, with the narrowest rule, wants
// nine letters and digits.
package callid

import (
	"fmt"
	"strconv"
)

// Generate returns an ID that is not in taken, and adds it. The same IDs in taken always
// result in the same ID, so that a run that is replayed generates it again.
func Generate(taken map[string]bool) string {
	for n := len(taken) + 1; ; n++ {
		id := fmt.Sprintf("c%08s", strconv.FormatInt(int64(n), 36))
		if !taken[id] {
			taken[id] = true
			return id
		}
	}
}
