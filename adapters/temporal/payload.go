package temporal

import (
	"encoding/json"
	"fmt"

	common "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// jsonPayload is a JSON value in a history. This package encodes it itself, because the client's
// converter escapes < and >, and arguments, results and prompts must not change by a single byte.
type jsonPayload = converter.RawValue

func encodePayload(v any) (jsonPayload, error) {
	text, err := jsontext.Encode(v)
	if err != nil {
		return jsonPayload{}, err
	}
	return converter.NewRawValue(&common.Payload{
		Metadata: map[string][]byte{converter.MetadataEncoding: []byte(converter.MetadataEncodingJSON)},
		Data:     text,
	}), nil
}

// temporalPayloadBytes is the largest payload that this package passes to Temporal, whose limit is
// 2 MiB.
const temporalPayloadBytes = 2<<20 - 64<<10

// maxPayloadBytes returns the largest payload that this engine passes to Temporal.
func (e *Engine) maxPayloadBytes() int { return max(temporalPayloadBytes, e.maxCallBytes) }

// tooLongError reports a value that is too long for Temporal. Temporal would terminate a workflow
// that sends it.
type tooLongError struct{ bytes, limit int }

func (e *tooLongError) Error() string {
	return fmt.Sprintf("the value has %d bytes as JSON, the limit is %d", e.bytes, e.limit)
}

// Code implements the interface that [tool.Code] looks for.
func (e *tooLongError) Code() string { return "too_long" }

// encodeLimited encodes v in at most limit bytes. The error may be a *tooLongError.
func encodeLimited(v any, limit int) (jsonPayload, error) {
	p, err := encodePayload(v)
	if n := payloadSize(p); err == nil && n > limit {
		err = &tooLongError{n, limit}
	}
	return p, err
}

func payloadSize(p jsonPayload) int { return len(p.Payload().GetData()) }

func decodePayload(p jsonPayload, v any) error {
	if encoding := string(p.Payload().GetMetadata()[converter.MetadataEncoding]); encoding != converter.MetadataEncodingJSON {
		return fmt.Errorf("payload has encoding %q instead of JSON: this client needs the codec of the client that wrote it", encoding)
	}
	return json.Unmarshal(p.Payload().GetData(), v)
}
