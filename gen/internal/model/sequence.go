package model

// A Sequence is a result of a function that generated code collects into a list: a function for range
// loops, an iterator, a pager or a channel.
type Sequence struct {
	Form    SequenceForm
	Result  int    // index among the results of the function
	Go      GoType // the type of the result
	Take    int    // the largest number of items in the list
	Nilable bool   // the result has methods and may be nil
	Release string // the method that frees the resources after the last item; "" if there is none
	Detach  bool   // Release takes a context, which must not be canceled
	Items   string // the method that returns the channel or the function for range loops; "" if the result itself is one
	Failure string // the method that returns the error after the last item, such as Err; "" if there is none

	// The following fields are for the forms Methods and Decoded.

	More    string   // the method that advances and reports whether there is an item; "" if Done ends the sequence
	Next    string   // the method that returns the next item or page
	Current string   // the method that returns the item to which More has advanced; "" if Next or Decode is set
	Decode  string   // the method that stores that item, or the only item, in the variable that its argument points to
	Context bool     // Next, or More if there is no Next, takes a context
	Options bool     // Next takes options
	Item    GoType   // the type of an item or page
	Done    ErrorVar // the error that Next returns after the last item
	Page    *Page    // set if Next returns pages of items; nil if it returns items
}

// A Page says how generated code gets the items of a page.
type Page struct {
	Field string   // the field with the list; "" if the page itself is the list
	Elem  GoType   // the type of the items
	Other []Unseen // fields of the page that the model does not see, apart from strings
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

// NeedsCancel reports whether generated code must cancel the context of the function after the last item,
// to stop a goroutine that sends to the channel, or to close a stream.
func (s *Sequence) NeedsCancel() bool { return s.Form == Receiver || s.Form == Methods && s.More == "" }
