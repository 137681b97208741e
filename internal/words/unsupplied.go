package words

// Unsupplied is the error of a function that needs what the program that calls it
// did not supply, and says how to. A model can do nothing with that.
type Unsupplied string

// Error says what is missing, and how to supply it.
func (e Unsupplied) Error() string { return string(e) }

// ModelText says of it what a model can use.
func (e Unsupplied) ModelText() string {
	return "the program does not give it what it needs. The same call again will not help; go on without it."
}
