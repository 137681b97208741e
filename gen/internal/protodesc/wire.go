package protodesc

// A wireField is one field of a message in the binary format of Protocol Buffers.
type wireField struct {
	number int
	value  uint64 // varint
	bytes  []byte // content of a string, bytes or message; nil for numbers
}

// parseFields returns the fields of a message. It stops at the first field that is invalid or has
// an unknown wire type.
func parseFields(b []byte) (fields []wireField) {
	for len(b) > 0 {
		tag, n := parseVarint(b)
		b = b[n:]
		f := wireField{number: int(tag >> 3)}
		switch tag & 7 {
		case 0:
			f.value, n = parseVarint(b)
		case 1:
			n = 8
		case 2:
			length, size := parseVarint(b)
			if b = b[size:]; length > uint64(len(b)) {
				return fields
			}
			n = int(length)
			f.bytes = b[:n:n]
		case 5:
			n = 4
		default:
			return fields
		}
		if n == 0 && f.bytes == nil || n > len(b) {
			return fields
		}
		b = b[n:]
		fields = append(fields, f)
	}
	return fields
}

// parseVarint returns the number at the beginning of b and its length in bytes, which is 0 if there
// is none.
func parseVarint(b []byte) (value uint64, length int) {
	for i, c := range b {
		if i == 10 {
			return 0, 0
		}
		value |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			return value, i + 1
		}
	}
	return 0, 0
}
