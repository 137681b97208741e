package model

// A Sequence is a result of a function that generated code collects into a list: a function for range
// loops, an iterator, a pager or a channel.
type Sequence struct {
	Form    SequenceForm
	Result  int    // its index among the results of the function
	Go      GoType // the type of the result
	Take    int    // the largest number of items in the list
	Nilable bool   // it has methods, and may be nil
	Release string // the method to call afterward; "" if there is none
	Detach  bool   // Release takes a context, which must not be canceled
	Items   string // the method that returns the function for range loops or the channel; "" if the result itself is one
	Failure string // the method that returns the error with which the items end; "" if there is none

	// The following fields are for sequences of the form Methods.

	More    string // the method that reports whether there are more items; "" if Done ends the sequence
	Next    string // the method that returns the next item
	Current string // the method that returns the item to which More has advanced; "" if Next or Decode is set
	Decode  string // the method that stores this item, or the only one, where its argument points
	Context bool   // Next, or More if there is no Next, takes a context
	Options bool   // Next takes options
	Item    GoType // what Next returns
	Done    ErrorVar
	Page    *Page // what Next returns is a page of items; nil if it is an item
}

// A Page says how generated code gets the items of a page.
type Page struct {
	Field string   // the field with the list; "" if the page itself is the list
	Elem  GoType   // the type of the items
	Other []Unseen // fields that the list of items leaves out, apart from strings
}

// An ErrorVar is an exported variable that holds an error.
type ErrorVar struct{ Path, Package, Name string }

// SequenceForm is the form of a sequence.
type SequenceForm int

// The forms of sequences.
const (
	Values     SequenceForm = iota // func(yield func(T) bool)
	Pairs                          // func(yield func(K, V) bool)
	ErrorPairs                     // func(yield func(T, error) bool)
	Receiver                       // <-chan T
	Methods                        // a type with a method for the next item or page
	Decoded                        // a type with a method that decodes the only item, which is not in a list
)

// NeedsCancel reports whether the context of the function is canceled after the last item, because
// something may go on until then: a goroutine that sends to a channel, or a stream.
func (s *Sequence) NeedsCancel() bool { return s.Form == Receiver || s.Form == Methods && s.More == "" }
