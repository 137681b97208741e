package bind

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// The interfaces that a *bytes.Buffer and a *strings.Reader implement.
var (
	writerTypes = []string{"io.Writer", "io.StringWriter", "io.ByteWriter"}
	readerTypes = []string{"io.Reader", "io.ByteReader", "io.ByteScanner", "io.RuneReader", "io.RuneScanner", "io.ReaderAt", "io.ReadSeeker", "io.Seeker"}
)

// helpStream returns the help on a parameter that is a reader or a writer: to write a Go function that
// takes or returns a string. It returns "" for other parameters.
func (b *binder) helpStream(el *element, param *types.Var) string {
	name := b.pkg.TypeName(param.Type())
	isWriter := slices.Contains(writerTypes, name)
	if !isWriter && !slices.Contains(readerTypes, name) || el.fn.Literal != nil {
		return ""
	}
	for v := range el.fn.Sig.Results().Variables() {
		_, isBasic := v.Type().Underlying().(*types.Basic)
		if isWriter && !isBasic && b.pkg.TypeName(v.Type()) != "error" {
			return "" // a constructor, which keeps the writer
		}
	}
	signature := b.streamSignature(el.fn.Sig)
	if isWriter {
		return fmt.Sprintf("a model cannot pass a writer: write a Go function %s that calls %s with a *bytes.Buffer and returns its text", signature, el.fn.Describe())
	}
	return fmt.Sprintf("a model cannot pass a reader: write a Go function %s that calls %s with strings.NewReader of the string", signature, el.fn.Describe())
}

// streamSignature returns the signature of a function with string parameters instead of readers,
// and string results instead of writers.
func (b *binder) streamSignature(sig *types.Signature) string {
	var params, results []string
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		typ := b.pkg.TypeName(v.Type())
		switch {
		case slices.Contains(writerTypes, typ):
			results = append(results, "string")
			continue
		case slices.Contains(readerTypes, typ):
			typ = "string"
		case sig.Variadic() && i == sig.Params().Len()-1:
			typ = "..." + strings.TrimPrefix(typ, "[]")
		}
		if v.Name() != "" {
			typ = v.Name() + " " + typ
		}
		params = append(params, typ)
	}
	for v := range sig.Results().Variables() {
		results = append(results, b.pkg.TypeName(v.Type()))
	}
	list := strings.Join(results, ", ")
	if len(results) > 1 {
		list = "(" + list + ")"
	}
	return strings.TrimSpace(fmt.Sprintf("func(%s) %s", strings.Join(params, ", "), list))
}
