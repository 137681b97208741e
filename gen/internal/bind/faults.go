package bind

import (
	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/failure"
)

// reportFailure reports the error of a stage at an element.
func (b *binder) reportFailure(parsed *aion.Element, err error) {
	var faults diag.List
	failure.Report(&faults, b.pkg.Path, brace(parsed), err)
	b.faults.Add(faults)
}

// soundSince reports whether no error was found since the list of faults had a length.
func (b *binder) soundSince(length int) bool {
	return !b.faults.Full() && b.faults.List[length:].Err() == nil
}
