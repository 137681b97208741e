package sanitize

import (
	"encoding/json"
	"testing"
)

// FuzzInput checks that nothing panics, that the result has no invisible characters, and that
// sanitizing it again changes nothing.
func FuzzInput(f *testing.F) {
	f.Add([]byte(`{"properties":{"a\u200b":{"enum":["\u001b"]}},"required":["a"],"anyOf":[{"const":"\u202e"},true],"items":[{}],"enum":[1],"x":[{"\u0000":1}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		value, err := Decode(text)
		if err != nil {
			return
		}
		if _, err := CheckInput(value); err != nil {
			return
		}
		once := string(Encode(value))
		losses, err := CheckInput(value)
		if again := string(Encode(value)); err != nil || len(losses) > 0 || again != once {
			t.Errorf("%s becomes %s, then %s, %s, %v", text, once, again, losses, err)
		}
		Params("elicitation/create", Encode(map[string]json.RawMessage{"requestedSchema": json.RawMessage(once)}))
	})
}
