// Package attr imitates the attribute values of a database client.
package attr

// Value is the value of an attribute.
type Value interface{ isValue() }

// MemberS is a string.
type MemberS struct {
	Value string
	noSerde
}

// MemberBOOL is a boolean.
type MemberBOOL struct {
	Value bool
	noSerde
}

// MemberL is a list of values.
type MemberL struct {
	Value []Value
	noSerde
}

// MemberM is a map of values.
type MemberM struct {
	Value map[string]Value
	noSerde
}

type noSerde struct{}

func (*MemberS) isValue()    {}
func (*MemberBOOL) isValue() {}
func (*MemberL) isValue()    {}
func (*MemberM) isValue()    {}

//lint:file-ignore U1000 Unexported fields show which types are variants, and are not used.
