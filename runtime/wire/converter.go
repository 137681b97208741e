package wire

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// Converter reads and writes values of type T as values of type F. It uses the functions that a package passes to
// Represent of package tool. Generated code has one Converter for each such declaration, and calls Check before
// its tools are used. A Converter is safe for concurrent use.
type Converter[T, F any] struct {
	Package string // import path of the package with the declaration
	Main    bool   // the package is a program, so its path is "main" in the binary

	functions atomic.Pointer[conversion[T, F]] // set by Check or the first use
}

// conversion holds the functions of one declaration.
type conversion[T, F any] struct {
	decode  func(F) (T, error)
	encode  func(T) (F, error)
	nilable bool // T is a pointer or an interface, so that nil is written as null
}

// conversionKey identifies a declaration: a package has at most one for a type.
type conversionKey[T, F any] struct{ path string }

// conversions holds the declarations of all packages: *conversion[T, F] by conversionKey[T, F].
var conversions sync.Map

// AddConversion records the functions of a declaration in the package with the given import path. Only Represent of
// package tool calls it, while packages are initialized.
func AddConversion[T, F any](path string, decode func(F) (T, error), encode func(T) (F, error)) {
	kind := reflect.TypeFor[T]().Kind()
	conversions.LoadOrStore(conversionKey[T, F]{path}, &conversion[T, F]{decode, encode, kind == reflect.Pointer || kind == reflect.Interface})
}

// Check returns an error if the package does not declare the functions. In that case, the code must be
// generated again.
func (c *Converter[T, F]) Check() error {
	found, ok := conversions.Load(conversionKey[T, F]{c.Package})
	if !ok && c.Main {
		found, ok = conversions.Load(conversionKey[T, F]{"main"})
	}
	if !ok {
		return fmt.Errorf("package %s does not represent %v as %v: generate its code again with go tool aiongen", c.Package, reflect.TypeFor[T](), reflect.TypeFor[F]())
	}
	declared := found.(*conversion[T, F])
	if declared.decode == nil || declared.encode == nil {
		return fmt.Errorf("package %s passes a nil function to tool.Represent for %v", c.Package, reflect.TypeFor[T]())
	}
	c.functions.Store(declared)
	return nil
}

// conversion returns the functions. It panics if the package does not declare them.
func (c *Converter[T, F]) conversion() *conversion[T, F] {
	if found := c.functions.Load(); found != nil {
		return found
	}
	if err := c.Check(); err != nil {
		panic(err)
	}
	return c.functions.Load()
}

// Read reads an F with read and converts it to a T. An error of the conversion is a fault of the value.
func (c *Converter[T, F]) Read(v Value, read func(Value) F) (x T) {
	if v.d == nil {
		return x
	}
	if v.isReference() {
		return Ref[T](v)
	}
	v.d.readOpaque = true
	before := v.d.faults.countAll()
	represented := read(v)
	if v.d.faults.countAll() > before {
		return x
	}
	decoded, err := c.conversion().decode(represented)
	if err == nil {
		return decoded
	}
	kind := "value"
	if v.entryOfKind(jsontape.String) != nil {
		kind = "string"
	}
	v.Fail("another " + kind + " (" + words.Cut(err.Error(), jsontape.LongestKey) + ")")
	return x
}

// Write converts the value that x points to to an F and writes it with write. A nil pointer or interface is
// null.
func (c *Converter[T, F]) Write(e *Encoder, lead string, x *T, write func(*Encoder, string, F)) {
	if !e.text.ok() {
		return
	}
	functions := c.conversion()
	if functions.nilable && isNil(*x) {
		e.Null(lead)
		return
	}
	represented, err := functions.encode(*x)
	if err != nil {
		e.text.failValue(lead, err)
		return
	}
	write(e, lead, represented)
}

// ConvertedMap reads an object whose keys c converts. elem reads the values. The result is nil only if v is
// absent or not an object. A key that the conversion rejects is a fault, and so are two keys that convert to the
// same value.
func ConvertedMap[K comparable, F ~string, V any](v Value, c *Converter[K, F], elem func(Value) V) map[K]V {
	if v.d != nil {
		v.d.readOpaque = true
	}
	return readMap(v.place, elem, func(key string) (k K, expected string) {
		k, err := c.conversion().decode(F(key))
		if err != nil {
			return k, words.OtherKey(err.Error())
		}
		return k, ""
	})
}

// EncodeConvertedMap writes x as an object with keys that c converts, sorted by their text. elem writes the
// values. A nil map is an empty object.
func EncodeConvertedMap[K comparable, F ~string, V any](e *Encoder, lead string, x map[K]V, c *Converter[K, F], elem func(*Encoder, string, V)) {
	encodeMap(e, lead, x, elem, func(k K) string {
		functions := c.conversion()
		if functions.nilable && isNil(k) {
			e.text.fail(errNilKey)
			return ""
		}
		text, err := functions.encode(k)
		if err != nil {
			e.text.fail(err)
		}
		return string(text)
	})
}

// errNilKey is the error for a map with a nil key.
var errNilKey = errors.New("a key is nil, which has no text")

// CheckConverters returns the first error of the converters.
func CheckConverters(all ...interface{ Check() error }) error {
	for _, c := range all {
		if err := c.Check(); err != nil {
			return err
		}
	}
	return nil
}
