package main

import (
	"encoding/json"
	"testing"
)

// TestCheck checks that a schema that a target must not receive is found, and that valid ones are not.
func TestCheck(t *testing.T) {
	c, err := newChecker()
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{
		`{"$schema":"http://json-schema.org/draft-07/schema#"}`, `{"properties":{"a":{"$schema":"http://json-schema.org/draft-07/schema#"}}}`,
		`{"definitions":{}}`, `{"items":[{}]}`, `{"properties":{"a":{"items":[{"type":"string"}]}}}`, `{"anyOf":[{"minimum":1,"exclusiveMinimum":true}]}`,
		`{"dependencies":{"a":["b"]}}`, `{"additionalItems":false}`, `{"id":"x"}`, `{"$defs":{"a":{"pattern":"^(?!x)"}}}`, `{"pattern":"(?<=a)b"}`,
		`{"pattern":"(a)\\1"}`, `{"patternProperties":{"(?=a)":{}}}`, `{"type":"text"}`, `{"required":null}`, `{"properties":{"a":{"required":true}}}`,
		`{"enum":"a"}`, `{"$ref":"#/$defs/a"}`, `{"$ref":"https://example.com/a.json"}`, `{"pattern":"("}`, `7`, `{`,
	} {
		if c.check(json.RawMessage(wrong)) == nil {
			t.Errorf("%s is accepted", wrong)
		}
	}
	for _, right := range []string{
		`true`, `{}`, `{"$schema":"https://json-schema.org/draft/2020-12/schema"}`, `{"properties":{"definitions":{"type":"string"},"id":{},"items":{}}}`,
		`{"prefixItems":[{}],"items":false}`, `{"enum":[{"items":[1]}],"const":{"definitions":1},"default":{"dependencies":{}}}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"pattern":"^(?:a|b)$"}}}`, `{"exclusiveMinimum":1}`,
	} {
		if err := c.check(json.RawMessage(right)); err != nil {
			t.Errorf("%s: %v", right, err)
		}
	}
}

// TestServers checks that there are at least 20 servers, and that each has one version.
func TestServers(t *testing.T) {
	var pinned struct{ Dependencies map[string]string }
	if err := json.Unmarshal(versions, &pinned); err != nil {
		t.Fatal(err)
	}
	if len(servers) < 20 {
		t.Errorf("there are only %d servers", len(servers))
	}
	for _, s := range servers {
		if pinned.Dependencies[s.name] == "" {
			t.Errorf("%s has no version", s.name)
		}
		delete(pinned.Dependencies, s.name)
	}
	for name := range pinned.Dependencies {
		t.Errorf("%s is not started", name)
	}
}
