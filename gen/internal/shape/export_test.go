package shape

import (
	"path"
	"strings"
)

// Names are those of the well-known types, without their packages.
func Names() (names []string) {
	for name := range customTypes {
		base := path.Base(name)
		names = append(names, base[strings.Index(base, "."):]+"`")
	}
	for name := range nullForms {
		names = append(names, "null."+name+"`")
	}
	for name := range nullableTypes {
		base := path.Base(name)
		names = append(names, base[strings.Index(base, "."):]+"[T]`")
	}
	return names
}

// Keywords are the keywords of the jsonschema tag.
func Keywords() []string {
	names := []string{"title", "description", "default", "example", "enum", "required", "nullable", "-"} // see applyKeyword
	for name := range limitKeywords {
		names = append(names, name)
	}
	return names
}
