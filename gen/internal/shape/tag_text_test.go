package shape

import (
	"strings"
	"testing"
)

// TestTagDialects parses tags of both dialects, and tags that mix or misspell them.
func TestTagDialects(t *testing.T) {
	for tag, want := range map[string]string{
		"": "", " ": "", ",": "",

		// descriptions of google/jsonschema-go
		"the name of the person to greet":    "description=the name of the person to greet",
		"a name, or nothing, if none":        "description=a name, or nothing, if none",
		"a filter such as a=b, c=d":          "description=a filter such as a=b, c=d",
		"one\\, two":                         "description=one, two",
		"City":                               "description=City",
		"minimum":                            "description=minimum",
		"Required.":                          "description=Required.",
		"Nullable?":                          "description=Nullable?",
		"requires a login":                   "description=requires a login",
		" =":                                 "description= =",
		"the city, required":                 "description=the city, required",
		"the city,required":                  `description=the city,required ! "required" has no effect, because the whole tag is a description`,
		"how many,minimum=3,of=x,,nullable ": `description=how many,minimum=3,of=x,,nullable  ! "minimum=3" has no effect, because the whole tag is a description`,

		// lists of invopop/jsonschema
		"required":                             "required=",
		"-":                                    "-=",
		"required, nullable,description=a=b":   "required= nullable= description=a=b",
		"description=x=1\\, y=2,title=":        "description=x=1, y=2 title=",
		"title=A,uniqueItems,readOnly":         "title=A uniqueItems= readOnly=",
		"description=Hello, world,minLength=2": "description=Hello, world minLength=2 ! the value of description contains a comma, at which other programs end the value",
		"description=by name, e.g. sort=asc":   "description=by name, e.g. sort=asc ! the value of description contains a comma, at which other programs end the value",
		"pattern=^a{1,3}$,required":            "pattern=^a{1,3}$ required= ! the value of pattern contains a comma, at which other programs end the value",
		"enum=a,b,default=a":                   `enum=a enum=b default=a ! the enum value "b" has no keyword`,
		"required,the name of the user":        `required= ! unknown keyword "the name of the user"`,
		"title=Nice,Required.":                 "title=Nice,Required. ! the value of title contains a comma, at which other programs end the value",
		"requird":                              `! unknown keyword "requird"`,
		"Required,minLength=2":                 `minLength=2 ! unknown keyword "Required"`,
		"minlength=2":                          `! unknown keyword "minlength"`,
		"description=a,minlenght=2":            `description=a ! unknown keyword "minlenght"`,
		"key=value pairs":                      `! unknown keyword "key"`,
		"minimum=1,maximum":                    "minimum=1 ! the keyword maximum has no value",
		"required,x-order=1":                   `required= ! unknown keyword "x-order"`,
		"oneof_type=string;integer,deprecated": "oneof_type=string;integer deprecated=",
		"default=a,required":                   "default=a required=",
		"description=ends with a comma,":       "description=ends with a comma",
		"=":                                    `! unknown keyword ""`,
	} {
		keywords, problems := parseTag(tag)
		var got []string
		for _, k := range keywords {
			got = append(got, k.name+"="+k.value)
		}
		for _, p := range problems {
			got = append(got, "! "+p.message)
			if p.help == "" {
				t.Errorf("%q: %s: no help", tag, p.message)
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%q: got\n%s, want\n%s", tag, text, want)
		}
	}
}

// TestUnknownKeywordHelp checks that help names the keyword that was meant, or description.
func TestUnknownKeywordHelp(t *testing.T) {
	for name, want := range map[string]string{
		"max":               "did you mean maxItems, maxLength or maximum?",
		"min":               "did you mean minItems, minLength or minimum?",
		"a":                 "write description= before a description; types",
		"x":                 "write description= before a description; types",
		"minlength":         "did you mean minLength?",
		"xyz":               "write description= before a description; types come from Go; the other keywords are ",
		"a few plain words": "write description= before a description that follows keywords",
		"maximum":           "write maximum= and the value",
	} {
		if p := describeUnknown(name); !strings.HasPrefix(p.help, want) {
			t.Errorf("%s: help %q, want %q", name, p.help, want)
		}
	}
	if help := describeUnknown("xyz").help; strings.Contains(help, "oneof_type") {
		t.Errorf("the help lists a keyword that is ignored: %s", help)
	}
}
