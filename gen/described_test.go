package gen

import "testing"

// TestEmbeddedUnmarshal checks that a struct is not described by its fields if a type that it embeds would decode them.
func TestEmbeddedUnmarshal(t *testing.T) {
	for embedded, described := range map[string]bool{"": true, "Plain": true, "Text": false, "*Text": false} {
		_, faults := compileOne(t, "import \"encoding/json\"\n\ntype Plain struct{ ID int `json:\"id\"` }\n\ntype Text struct{ ID int `json:\"id\"` }\n\nfunc (*Text) UnmarshalJSON([]byte) error { return nil }\n\n"+
			"type T struct {\n"+embedded+"\nName string `json:\"name\"`\n}\n\nfunc (t *T) UnmarshalJSON(b []byte) error {\ntype plain T\nreturn json.Unmarshal(b, (*plain)(t))\n}\n\nfunc F(t T, n int) {}")
		if got := messagesOf(faults, "unfit-function") == ""; got != described {
			t.Errorf("%q: %v", embedded, faults)
		}
	}
}

// TestToMap checks that only the method ToMap of OpenAPI Generator says that the tags of a struct describe
// its JSON.
func TestToMap(t *testing.T) {
	for method, described := range map[string]bool{
		"ToMap() (map[string]any, error) { return nil, nil }": true,
		"ToMap() map[string]any { return nil }":               false,
		"ToMap() {}":                                          false,
	} {
		_, faults := compileOne(t, "type T struct { Name string `json:\"name\"` }\n\nfunc (T) "+method+
			"\n\nfunc (*T) UnmarshalJSON([]byte) error { return nil }\n\nfunc F(t T, n int) {}")
		if got := messagesOf(faults, "unfit-function") == ""; got != described {
			t.Errorf("%s: %v", method, faults)
		}
	}
}
