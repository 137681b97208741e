package schemagen

import (
	"sync"

	"github.com/invopop/jsonschema"
)

// A schemaPool allocates and writes schemas. It reuses them, because a schema takes a kilobyte, most of it
// empty.
type schemaPool struct {
	all  []*jsonschema.Schema
	used int
	text []byte
}

// idlePools holds pools that no builder uses.
var idlePools = sync.Pool{New: func() any { return &schemaPool{} }}

// newSchema returns a schema with the members of s.
func (k *schemaPool) newSchema(s jsonschema.Schema) *jsonschema.Schema {
	if k.used == len(k.all) {
		k.all = append(k.all, &jsonschema.Schema{})
	}
	k.used++
	*k.all[k.used-1] = s
	return k.all[k.used-1]
}

// writeSchema returns the JSON of a schema and frees all schemas of the pool.
func (k *schemaPool) writeSchema(s *jsonschema.Schema) string {
	k.text = appendSchema(k.text[:0], s)
	k.used = 0
	return string(k.text)
}
