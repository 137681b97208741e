package schema

import (
	"sync"

	"github.com/invopop/jsonschema"
)

// A stock makes schemas, and writes them. A schema takes a kilobyte, nearly all of it
// empty, so that those that are written are made again.
type stock struct {
	all  []*jsonschema.Schema
	used int
	text []byte
}

// stocks are those that no builder uses.
var stocks = sync.Pool{New: func() any { return &stock{} }}

// made is a schema with the members of s.
func (k *stock) made(s jsonschema.Schema) *jsonschema.Schema {
	if k.used == len(k.all) {
		k.all = append(k.all, &jsonschema.Schema{})
	}
	k.used++
	*k.all[k.used-1] = s
	return k.all[k.used-1]
}

// write is the text of a schema. All that were made are gone.
func (k *stock) write(s *jsonschema.Schema) string {
	k.text = appendSchema(k.text[:0], s)
	k.used = 0
	return string(k.text)
}
