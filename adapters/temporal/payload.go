package temporal

import (
	"encoding/json"

	common "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// A packed is JSON in a history. It is written here, since the converter of a client
// writes < and > otherwise than they came: arguments, results and prompts stay as they
// are, to the byte.
type packed = converter.RawValue

func pack(v any) (packed, error) {
	text, err := jsontext.Encode(v)
	if err != nil {
		return packed{}, err
	}
	return converter.NewRawValue(&common.Payload{
		Metadata: map[string][]byte{converter.MetadataEncoding: []byte(converter.MetadataEncodingJSON)},
		Data:     text,
	}), nil
}

func unpack(p packed, v any) error { return json.Unmarshal(p.Payload().GetData(), v) }
