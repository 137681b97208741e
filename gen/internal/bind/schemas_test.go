package bind_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// TestLargeSchemas checks which schemas are noted as large, and the proposed notes.
func TestLargeSchemas(t *testing.T) {
	goSource := "package large\n\ntype Large struct {\n\tID int `json:\"id\"`\n\tName string `json:\"a.b\"`\n\tNested []Part `json:\"nested\"`\n"
	for i := range 100 {
		goSource += fmt.Sprintf("\tField%d []string `json:\"field%d\"` // %s\n", i, i, strings.Repeat("words ", 100))
	}
	goSource += "}\n\ntype Part struct{ X int }\n\ntype List []List\n\n" +
		"func Out(id int) (int, []Large, error) { return 0, nil, nil }\n\nfunc In(l *Large) {}\n\nfunc Several(id int, l Large) {}\n\nfunc Lists(l List) List { return l }\n"
	for _, tt := range []struct{ element, want, help string }{
		{`{ name --> "out", function --> "Out" --> {} }`, "out: the schema of the result has 66 kB, which the model reads with every request", `select the fields that the model needs, such as return-2 --> "list[dict] | only=id,'a.b',field0,field1,field2,field3,field4,nested.X"`},
		{`{ name --> "in", function --> "In" --> {} }`, "in: the schema of the arguments has 66 kB, which the model reads with every request", `select the fields that the model needs, such as arg-1 --> "dict | only=id,'a.b',field0,field1,field2,field3,field4"`},
		{`{ name --> "several", function --> "Several" --> {} }`, "several: the schema of the arguments has 66 kB, which the model reads with every request", `select the fields that the model needs, such as arg-2 --> "dict | only=id,'a.b',field0,field1,field2,field3,field4"`},
		{`{ name --> "lists", function --> "Lists" --> {} }`, "", ""},
		{`{ name --> "out", function --> "Out" --> { return-1 --> "int", return-2 --> "list[dict] | only=id,'a.b',field0,field1,field2,field3,field4,nested.X" } }`, "", ""},
	} {
		pkg, _ := loadPackage(t, goSource)
		doc, faults := aion.Parse("large.aion", []byte(`[ `+strings.Replace(tt.element, "function", `description --> "Does.", function`, 1)+` ]`))
		if err := faults.Err(); err != nil {
			t.Fatal(err)
		}
		m, _, faults := bind.Bind(nil, pkg, source.NewDocReader(pkg), []*aion.Document{doc}, shape.Target{Path: pkg.Path, Name: pkg.Name})
		var got, help string
		for _, d := range faults {
			got, help = d.Message, d.Help[0]
		}
		if got != tt.want || help != tt.help {
			t.Errorf("%s:\n%s\n%s", tt.element, got, help)
		}
		if tt.want == "" && len(m.Tools()) == 1 && len(m.Tools()[0].Output) > 5<<10 {
			t.Errorf("%s: output schema of %d bytes", tt.element, len(m.Tools()[0].Output))
		}
	}
}
