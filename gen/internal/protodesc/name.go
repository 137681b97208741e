package protodesc

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// goName returns the Go name that protoc-gen-go gives to a declaration: Outer_Inner for Outer.Inner,
// and FooBar for foo_bar.
func goName(name string) string {
	var b []byte
	for i := 0; i < len(name); i++ {
		lowerNext := i+1 < len(name) && isLower(name[i+1])
		switch c := name[i]; {
		case c == '.':
			if !lowerNext {
				b = append(b, '_')
			}
		case c == '_' && (i == 0 || name[i-1] == '.'):
			b = append(b, 'X')
		case c == '_' && lowerNext:
		case '0' <= c && c <= '9':
			b = append(b, c)
		default:
			if isLower(c) {
				c -= 'a' - 'A'
			}
			b = append(b, c)
			for ; i+1 < len(name) && isLower(name[i+1]); i++ {
				b = append(b, name[i+1])
			}
		}
	}
	return string(b)
}

// renameClashing appends _ to the Go name of a field that clashes with a method of all messages, or with an
// earlier field or its getter. As in protoc-gen-go, the first field of a oneof also reserves the name of the
// oneof, which has no getter.
func (m *Message) renameClashing() {
	taken := map[string]bool{
		"Reset": true, "String": true, "ProtoMessage": true, "Marshal": true, "Unmarshal": true,
		"ExtensionRangeArray": true, "ExtensionMap": true, "Descriptor": true,
	}
	take := func(name string, hasGetter bool) string {
		for taken[name] || hasGetter && taken["Get"+name] {
			name += "_"
		}
		taken[name], taken["Get"+name] = true, hasGetter
		return name
	}
	oneofs := map[string]bool{}
	for _, f := range m.Fields {
		f.GoName = take(f.GoName, true)
		if f.Oneof != "" && !oneofs[f.Oneof] {
			oneofs[f.Oneof] = true
			take(goName(f.Oneof), false)
		}
	}
}

// jsonName returns the JSON name of a field that does not declare one.
func jsonName(name string) string {
	var b []byte
	upper := false
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '_':
			upper = true
			continue
		case upper && isLower(c):
			c -= 'a' - 'A'
		}
		upper = false
		b = append(b, c)
	}
	return string(b)
}
