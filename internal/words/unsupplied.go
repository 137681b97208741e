package words

// NotSuppliedError is the error of a function that needs a value that the calling
// program did not supply. The text tells the programmer how to supply the value.
type NotSuppliedError string

// Error returns a text that names the missing value and how to supply it.
func (e NotSuppliedError) Error() string { return string(e) }

// ModelText returns a text for the model, which cannot supply the value.
func (e NotSuppliedError) ModelText() string {
	return "the program does not supply what this tool needs. Calling it again will not help; continue without it."
}
