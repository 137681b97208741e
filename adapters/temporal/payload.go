package temporal

import (
	"encoding/json"
	"fmt"

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

// mostPayload is how many bytes go through Temporal at once, which takes 2 MiB.
const mostPayload = 2<<20 - 64<<10

// payload is how many go through with this engine.
func (e *Engine) payload() int { return max(mostPayload, e.outputs) }

// tooLong says that something has more bytes than there may be. Temporal would end a
// workflow of which it would have to take that.
type tooLong struct{ bytes, most int }

func (e *tooLong) Error() string {
	return fmt.Sprintf("it has %d bytes as JSON, at most %d can be kept", e.bytes, e.most)
}

// Code is what [tool.Code] returns.
func (e *tooLong) Code() string { return "too_long" }

// fit packs what has at most so many bytes. The error may be a *tooLong.
func fit(v any, most int) (packed, error) {
	p, err := pack(v)
	if n := size(p); err == nil && n > most {
		err = &tooLong{n, most}
	}
	return p, err
}

func size(p packed) int { return len(p.Payload().GetData()) }

func unpack(p packed, v any) error {
	if encoding := string(p.Payload().GetMetadata()[converter.MetadataEncoding]); encoding != converter.MetadataEncodingJSON {
		return fmt.Errorf("it is encoded as %q, and not as JSON: the codec is lacking that the client had who wrote it", encoding)
	}
	return json.Unmarshal(p.Payload().GetData(), v)
}
