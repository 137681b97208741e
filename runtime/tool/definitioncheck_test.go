package tool

import "testing"

// TestCheckDefinition checks that a message names everything that is wrong with a definition.
func TestCheckDefinition(t *testing.T) {
	valid := &Definition{Name: "find", Input: []byte(`{"type":"object"}`), Example: []byte(`{"id":7}`)}
	if err := checkDefinition(valid); err != nil {
		t.Error(err)
	}
	invalid := &Definition{Name: " ", Input: []byte(`{"type":"thing"}`), Output: []byte(`{`), Example: []byte(`{`)}
	const want = "it has no name\n" +
		"its input schema is invalid: /type must be one of object, array, string, number, integer, boolean, null, or a list of them\n" +
		"its output schema is invalid: it is not JSON: expected a key in double quotes at byte 1, found the end of the text\n" +
		"its example is not JSON"
	if err := checkDefinition(invalid); err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
