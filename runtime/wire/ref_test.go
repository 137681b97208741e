package wire

import "testing"

// TestAssignTo checks that values of named slice types are assignable, and that numbers are not converted.
func TestAssignTo(t *testing.T) {
	type names []string
	if plain, ok := assignTo[[]string](names{"a"}); !ok || len(plain) != 1 || plain[0] != "a" {
		t.Errorf("%v, %t", plain, ok)
	}
	if n, ok := assignTo[int](int64(1)); ok {
		t.Errorf("an int64 is assigned to an int: %d", n)
	}
	if err, ok := assignTo[error](nil); ok {
		t.Errorf("nil is assigned to an error: %v", err)
	}
}
