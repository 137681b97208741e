package hints

// Tested is for tests alone.
type Tested struct{ Text string }
