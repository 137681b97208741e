package protobuf

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/aiongen/aiongen/conformance/protobuf/shoppb"
)

// A generator makes random messages and documents.
type generator struct{ *rand.Rand }

var texts = []string{"", "a", "EUR", "5", "-1", "1e3", "NaN", "Infinity", "true", "2026-01-02T03:04:05Z", "1.5s", "displayName,state", "dGV4dA==", "ä\n\"", "STATE_SOLD"}

// fill sets random fields of a message.
func (g generator) fill(m protoreflect.Message, depth int) {
	if g.fillKnown(m, depth) {
		return
	}
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if g.IntN(4) > 0 && fd.Cardinality() != protoreflect.Required {
			continue
		}
		switch {
		case fd.IsList():
			for range g.IntN(3) {
				value := m.NewField(fd).List().NewElement()
				m.Mutable(fd).List().Append(g.value(fd, value, depth))
			}
		case fd.IsMap():
			for range g.IntN(3) {
				key := g.value(fd.MapKey(), protoreflect.Value{}, depth).MapKey()
				m.Mutable(fd).Map().Set(key, g.value(fd.MapValue(), m.NewField(fd).Map().NewValue(), depth))
			}
		default:
			if fd.Message() != nil && depth == 0 {
				continue
			}
			m.Set(fd, g.value(fd, m.NewField(fd), depth))
		}
	}
}

// fillKnown sets a message with a special form.
func (g generator) fillKnown(m protoreflect.Message, depth int) bool {
	switch x := m.Interface().(type) {
	case *timestamppb.Timestamp:
		x.Seconds, x.Nanos = g.Int64N(4e9), []int32{0, 5e8, 123}[g.IntN(3)]
	case *durationpb.Duration:
		x.Seconds = g.Int64N(1e6)
	case *fieldmaskpb.FieldMask:
		x.Paths = []string{"display_name", "outer_box.width"}[:g.IntN(3)]
	case *anypb.Any:
		inner, err := anypb.New([]proto.Message{timestamppb.New(timestamppb.Now().AsTime()), &shoppb.Item{Id: 3}, structpb.NewNumberValue(1)}[g.IntN(3)])
		if err != nil {
			panic(err)
		}
		proto.Merge(x, inner)
	case *structpb.Value:
		value, err := structpb.NewValue([]any{nil, true, 1.5, "text", []any{1, nil}, map[string]any{"a": nil}}[g.IntN(6)])
		if err != nil {
			panic(err)
		}
		proto.Merge(x, value)
	case *structpb.Struct:
		if depth > 0 {
			x.Fields = map[string]*structpb.Value{"key": structpb.NewStringValue(g.text())}
		}
	default:
		return false
	}
	return true
}

func (g generator) text() string { return texts[g.IntN(len(texts))] }

// value returns a random value of a field. Message has the type of a message.
func (g generator) value(fd protoreflect.FieldDescriptor, message protoreflect.Value, depth int) protoreflect.Value {
	n := []int64{0, 1, -1, math.MaxInt32, math.MinInt32, 1 << 60, math.MaxInt64}[g.IntN(7)]
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(n > 0)
	case protoreflect.EnumKind:
		if g.IntN(8) == 0 {
			return protoreflect.ValueOfEnum(77)
		}
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(g.IntN(2)))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(n))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(n))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(n)
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(uint64(n))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32([]float32{0, 0.5, -1e20, float32(math.NaN()), float32(math.Inf(1))}[g.IntN(5)])
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64([]float64{0, 0.5, -1e200, math.NaN(), math.Inf(-1)}[g.IntN(5)])
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(g.text())
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte(g.text()))
	}
	if depth > 0 {
		g.fill(message.Message(), depth-1)
	} else {
		g.fillKnown(message.Message(), 0)
	}
	return message
}

// mutate returns a document with a random change.
func (g generator) mutate(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for key, member := range x { // in random order
			switch g.IntN(9) {
			case 0:
				delete(x, key)
				x[g.rename(key)] = member
			case 1:
				x[key] = g.scalar()
			case 2:
				x[[]string{"number", "outerBox", "label", "unknown", "card", "cash", "display_name"}[g.IntN(7)]] = g.scalar()
			default:
				x[key] = g.mutate(member)
			}
			return x
		}
	case []any:
		if len(x) > 0 {
			i := g.IntN(len(x))
			x[i] = g.mutate(x[i])
			return x
		}
	case json.Number:
		if !strings.Contains(x.String(), "e") {
			return []any{json.Number(x.String() + "e0"), json.Number("1" + strings.TrimLeft(x.String(), "-")), g.scalar()}[g.IntN(3)]
		}
	case string:
		if _, err := strconv.ParseFloat(x, 64); err == nil && json.Valid([]byte(x)) && g.IntN(2) == 0 {
			return json.Number(x)
		}
		if b, err := base64.StdEncoding.DecodeString(x); err == nil && g.IntN(3) == 0 {
			return base64.RawURLEncoding.EncodeToString(b)
		}
	}
	return g.scalar()
}

// rename returns the name of a field in the other spelling.
func (g generator) rename(key string) string {
	var b strings.Builder
	for _, c := range key {
		if 'A' <= c && c <= 'Z' {
			b.WriteByte('_')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

func (g generator) scalar() any {
	switch g.IntN(9) {
	case 0:
		return nil
	case 1:
		return true
	case 2:
		return json.Number([]string{"0", "1", "77", "1.5", "5.0", "5e0", "-1", "2147483648", "9223372036854775807", "9223372036854775808", "1e400", "-0"}[g.IntN(12)])
	case 3:
		return []any{}
	case 4:
		return map[string]any{}
	case 5:
		return []any{g.scalar()}
	}
	return g.text()
}
