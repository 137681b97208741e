// Package unions has arguments and results of interfaces with known implementations.
package unions

import (
	"errors"
	"io"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/unions/attr"
	"github.com/aiongen/aiongen/testdata/golden/unions/geo"
)

var (
	_ = tool.Union[Payment](Card{}, &Transfer{}, Cash(0)).Member("kind").Name("wire", &Transfer{})
	_ = tool.Union[Answer](Text(""), &Table{}, Yes(false))
	_ = tool.Union[Pet](Dog{}, (*Dog)(nil)).Name("dog_at_home", (*Dog)(nil))
)

// Payment is a way to pay.
type Payment interface{ Fee() int }

// Card pays by card.
type Card struct {
	Type   string `json:"type"` // no clash, because the member is kind
	Number string `json:"number,omitempty"`
}

// Transfer pays by bank transfer.
type Transfer struct {
	IBAN string `json:"iban"`
}

// Cash is an amount in cents.
type Cash int64

// Fee returns the fee.
func (Card) Fee() int { return 2 }

// Fee returns the fee.
func (*Transfer) Fee() int { return 1 }

// Fee returns the fee.
func (Cash) Fee() int { return 0 }

// Answer is any of some types.
type Answer any

// Text is an answer in words.
type Text string

// Table is an answer with rows.
type Table struct {
	Rows []map[string]Answer `json:"rows"`
}

// Yes is an answer of one bit.
type Yes bool

// Pet is a pet.
type Pet interface{ Name() string }

// Dog is a dog.
type Dog struct {
	Called string `json:"called"`
}

// Name returns the name.
func (d Dog) Name() string { return d.Called }

// Event is something that happened to a T.
type Event[T any] interface{ event(T) }

// Created is the event of a new T.
type Created[T any] struct {
	Item T `json:"item"`
}

// Deleted is the event of a T that is gone.
type Deleted[T any] struct {
	Why string `json:"why,omitempty"`
}

// Renamed is an event that only strings have.
type Renamed struct {
	From, To string
}

func (Created[T]) event(T)   {}
func (*Deleted[T]) event(T)  {}
func (Renamed) event(string) {}

// Source is a source of bytes. One implementation has no form in JSON, so that values are passed by reference.
type Source interface{ isSource() }

// File is a source with a name.
type File struct {
	Name string `json:"name"`
}

// Stream is a source without a name.
type Stream struct{ r io.Reader }

func (File) isSource()    {}
func (*Stream) isSource() {}

// Everything has unions at every depth.
type Everything struct {
	Shape    geo.Shape            `json:"shape"`
	Optional geo.Shape            `json:"optional,omitempty"`
	Pointer  *geo.Shape           `json:"pointer"`
	List     []geo.Shape          `json:"list"`
	Array    [2]Payment           `json:"array"`
	Map      map[string]Payment   `json:"map"`
	Solid    geo.Solid            `json:"solid"`
	Value    attr.Value           `json:"value"`
	Answer   Answer               `json:"answer"`
	Pets     []Pet                `json:"pets"`
	Strings  []Event[string]      `json:"strings"`
	Numbers  Event[int]           `json:"numbers"`
	Nested   map[string][]Payment `json:"nested,omitempty"`
	Group    geo.Group            `json:"group"`
	Circle   geo.Circle           `json:"circle"`
}

// Echo returns its argument.
func Echo(x Everything) Everything { return x }

// Draw returns the shape that it draws.
func Draw(shape geo.Shape, style *Style) (geo.Shape, error) {
	if _, ok := shape.(geo.Empty); ok {
		return nil, nil
	}
	if c, ok := shape.(geo.Circle); ok && c.Radius == 1 {
		return &c, nil
	}
	if c, ok := shape.(geo.Circle); ok && c.Radius == 2 {
		return geo.NewHidden(), nil
	}
	if style != nil && style.Missing {
		return (*geo.Square)(nil), nil
	}
	return shape, nil
}

// Style is a style.
type Style struct {
	Missing bool `json:"missing,omitempty"`
}

// Pay pays and returns the receipt.
func Pay(by Payment, others ...Payment) (Receipt, error) {
	if by == nil {
		return Receipt{}, errors.New("nothing to pay with")
	}
	return Receipt{By: by, Count: len(others)}, nil
}

// Receipt is a receipt.
type Receipt struct {
	By    Payment `json:"by,omitempty"`
	Count int     `json:"count"`
}

// Keep keeps a shape in a variable.
func Keep(shape geo.Shape) geo.Shape { return shape }

// Narrow takes one kind of shape and returns parts of some.
func Narrow(shape geo.Shape) []geo.Shape {
	return []geo.Shape{shape, &geo.Square{Side: 1, Color: geo.Red}, geo.Label("a")}
}

// Open opens a source.
func Open(name string) (Source, error) { return File{name}, nil }

// Read reads a source.
func Read(from Source) (string, error) { return from.(File).Name, nil }

//lint:file-ignore U1000 Unexported fields show which types are variants, and are not used.
