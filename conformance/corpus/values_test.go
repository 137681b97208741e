package corpus_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"math/big"
	"math/rand/v2"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"strconv"
	"time"

	"github.com/aiongen/aiongen/testdata/golden/corpus"
	"github.com/aiongen/aiongen/testdata/golden/described/packages/param"
)

// generator generates random values of Go types: zero, extreme, nil and others.
type generator struct {
	*rand.Rand
	nils bool // also elements that are nil, which arguments cannot have
	wild bool // also enums of other values, which arguments cannot have
}

// randomValue returns a random addressable value of a type.
func (g *generator) randomValue(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	g.fillValue(v, 0)
	return v
}

// maxValueDepth limits the nesting of values, so that recursive types end.
const maxValueDepth = 8

func (g *generator) fillValue(v reflect.Value, depth int) {
	if make, ok := typeGenerators[v.Type()]; ok {
		v.Set(reflect.ValueOf(make(g)))
		return
	}
	if words, ok := enumValues[v.Type()]; ok && !g.wild {
		v.Set(reflect.ValueOf(pickOne(g, words)).Convert(v.Type()))
		return
	}
	if g.fillUnion(v, depth) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(g.oneIn(2))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(g.randomInt(v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(g.randomUint(v.Type().Bits()))
	case reflect.Float32:
		v.SetFloat(float64(pickOne(g, []float32{0, 1, -0.5, 0.1, math.MaxFloat32, math.SmallestNonzeroFloat32, 1e21, 1e-7, float32(g.NormFloat64())})))
	case reflect.Float64:
		v.SetFloat(pickOne(g, []float64{0, math.Copysign(0, -1), 1, 0.1, -2.5e-9, math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, 1e21, g.NormFloat64()}))
	case reflect.String:
		v.SetString(g.randomText())
	case reflect.Interface:
		if v.Type() == reflect.TypeFor[error]() {
			if !g.oneIn(3) {
				v.Set(reflect.ValueOf(errors.New(g.randomText())))
			}
			return
		}
		if x := g.randomAny(depth); x != nil {
			v.Set(reflect.ValueOf(x))
		}
	case reflect.Pointer:
		g.fillPointer(v, depth)
	case reflect.Struct:
		g.fillStruct(v, depth)
	case reflect.Array:
		for i := range v.Len() {
			g.fillElem(v.Index(i), depth)
		}
	case reflect.Slice:
		g.fillSlice(v, depth)
	case reflect.Map:
		g.fillMap(v, depth)
	default:
		panic("no values of type " + v.Type().String())
	}
}

// unionVariants are the variants of the unions of package corpus, with a variant that contains no other last.
var unionVariants = map[reflect.Type][]any{
	reflect.TypeFor[corpus.Figure](): {&corpus.Cluster{}, corpus.Disk{}, corpus.Sizes{}, corpus.Tag("")},
	reflect.TypeFor[corpus.Entry]():  {&corpus.Item{}, corpus.Quantity(0)},
}

// unionViews are the types that package encoding/json uses for the unions.
var unionViews = map[reflect.Type]reflect.Type{
	reflect.TypeFor[corpus.FigureView](): reflect.TypeFor[corpus.Figure](),
	reflect.TypeFor[corpus.EntryView]():  reflect.TypeFor[corpus.Entry](),
}

// fillUnion sets a union, or what is seen of it, to a variant, and reports whether v is one.
func (g *generator) fillUnion(v reflect.Value, depth int) bool {
	if union, ok := unionViews[v.Type()]; ok {
		x := reflect.New(union).Elem()
		g.fillUnion(x, depth)
		copyFields(v, x)
		return true
	}
	variants, ok := unionVariants[v.Type()]
	if !ok || g.wild && g.oneIn(4) { // an argument is not null
		return ok
	}
	if depth >= maxValueDepth/2 {
		variants = variants[len(variants)-1:]
	}
	variant := reflect.TypeOf(pickOne(g, variants))
	x := reflect.New(variant).Elem()
	if variant.Kind() == reflect.Pointer {
		x.Set(reflect.New(variant.Elem()))
		g.fillValue(x.Elem(), depth+1)
	} else {
		g.fillValue(x, depth+1)
	}
	v.Set(x)
	return true
}

func (g *generator) fillPointer(v reflect.Value, depth int) {
	if depth < maxValueDepth && !g.oneIn(3) {
		v.Set(reflect.New(v.Type().Elem()))
		g.fillValue(v.Elem(), depth+1)
	}
}

// fillStruct skips fields that JSON ignores.
func (g *generator) fillStruct(v reflect.Value, depth int) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if tag := field.Tag.Get("json"); tag == "-" || field.PkgPath != "" && !field.Anonymous {
			continue
		}
		if field.Anonymous && !field.IsExported() {
			// The fields of an unexported embedded struct can still be set.
			for j := range field.Type.NumField() {
				if v.Field(i).Field(j).CanSet() {
					g.fillValue(v.Field(i).Field(j), depth+1)
				}
			}
			continue
		}
		g.fillValue(v.Field(i), depth+1)
	}
}

func (g *generator) fillElem(v reflect.Value, depth int) {
	g.fillValue(v, depth+1)
	for p := v; p.Kind() == reflect.Pointer && !g.nils; p = p.Elem() {
		for p.IsNil() {
			g.fillValue(p, min(depth+1, maxValueDepth-1)) // deeper pointers stay nil
		}
	}
}

func (g *generator) fillSlice(v reflect.Value, depth int) {
	n := g.randomLength(depth)
	if n == 0 && g.oneIn(2) {
		return // nil
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		g.fillElem(v.Index(i), depth)
	}
}

func (g *generator) fillMap(v reflect.Value, depth int) {
	n := g.randomLength(depth)
	if n == 0 && g.oneIn(2) {
		return // nil
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n {
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		g.fillValue(key, depth+1)
		g.fillElem(elem, depth)
		v.SetMapIndex(key, elem)
	}
}

// randomOption returns an option that is missing, null or a value.
func randomOption[T comparable](g *generator, value T) param.Opt[T] {
	var option param.Opt[T]
	text := []byte("null")
	switch g.IntN(3) {
	case 0:
		return option
	case 1:
		text = mustValue(json.Marshal(value))
	}
	if err := option.UnmarshalJSON(text); err != nil {
		panic(err)
	}
	return option
}

// oneIn returns true with a probability of 1/n.
func (g *generator) oneIn(n int) bool { return g.IntN(n) == 0 }

func pickOne[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

func (g *generator) randomLength(depth int) int {
	if depth >= maxValueDepth {
		return 0
	}
	return g.IntN(4)
}

func (g *generator) randomInt(bits int) int64 {
	least := int64(-1) << (bits - 1)
	return pickOne(g, []int64{0, 1, -1, least, -(least + 1), int64(g.Uint64()) >> (64 - bits), 1<<53 + 1 | least})
}

func (g *generator) randomUint(bits int) uint64 {
	return pickOne(g, []uint64{0, 1, math.MaxUint64 >> (64 - bits), g.Uint64() >> (64 - bits)})
}

var sampleWords = []string{
	"", "a", "name", "Ada Lovelace", "é😀", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "\u2028\u2029", "<a & b>", "null", "1", "~/~0~1",
	"aGk=", "2026-01-02T03:04:05Z", "1h30m", "https://example.com/", "\ufffd\ufeff", "a fairly long text, to go beyond what is cut in messages, and some",
}

func (g *generator) randomText() string {
	if g.oneIn(4) {
		return string([]rune{rune(g.IntN(0xd800)), rune('a' + g.IntN(26))})
	}
	return pickOne(g, sampleWords)
}

// randomAny returns a value of one of the types that encoding/json decodes into an any.
func (g *generator) randomAny(depth int) any {
	switch g.IntN(8) {
	case 0:
		return nil
	case 1:
		return g.oneIn(2)
	case 2:
		return json.Number(pickOne(g, sampleNumbers))
	case 3:
		list := make([]any, g.randomLength(depth))
		for i := range list {
			list[i] = g.randomAny(depth + 1)
		}
		return list
	case 4:
		object := map[string]any{}
		for range g.randomLength(depth) {
			object[g.randomText()] = g.randomAny(depth + 1)
		}
		return object
	}
	return g.randomText()
}

var sampleNumbers = []string{"0", "-0", "1", "1.50", "-1e5", "12345678901234567890", "1E+2", "0.1"}

func (g *generator) randomTime() time.Time {
	zone := time.FixedZone("", 60*(g.IntN(48*60-1)-24*60+1)) // of less than a day
	t := time.Unix(g.Int64N(200e9)-60e9, pickOne(g, []int64{0, 1, 120_000_000, 999_999_999})).In(zone)
	return pickOne(g, []time.Time{{}, time.Unix(0, 0).UTC(), t, t.UTC()})
}

// typeGenerators has the types that are not generated from their parts.
var typeGenerators = map[reflect.Type]func(g *generator) any{
	reflect.TypeFor[time.Time](): func(g *generator) any { return g.randomTime() },
	reflect.TypeFor[time.Duration](): func(g *generator) any {
		return pickOne(g, []time.Duration{0, 1, time.Hour, -90 * time.Second, math.MaxInt64, math.MinInt64, time.Duration(g.Uint64())})
	},
	reflect.TypeFor[json.RawMessage](): func(g *generator) any {
		b, err := json.Marshal(g.randomAny(0))
		if err != nil {
			panic(err) // the random values of any can always be encoded
		}
		return pickOne(g, []json.RawMessage{nil, b, json.RawMessage(` { "a" : [ 1 , "<" ] } `)})
	},
	reflect.TypeFor[corpus.PromptText]():  func(g *generator) any { return corpus.PromptText("p" + g.randomText()) },
	reflect.TypeFor[param.Opt[int64]]():   func(g *generator) any { return randomOption(g, g.randomInt(64)) },
	reflect.TypeFor[param.Opt[float64]](): func(g *generator) any { return randomOption(g, g.NormFloat64()) },
	reflect.TypeFor[param.Opt[string]]():  func(g *generator) any { return randomOption(g, g.randomText()) },
	reflect.TypeFor[json.Number]():        func(g *generator) any { return json.Number(pickOne(g, append(sampleNumbers, ""))) },
	reflect.TypeFor[url.URL](): func(g *generator) any {
		u, err := url.Parse(pickOne(g, []string{"", "/", "https://user:pass@example.com:80/a%20b?c=<d>&e#f", "mailto:a@b", "//host", "?q", "http://[::1]/"}))
		if err != nil {
			panic(err)
		}
		return *u
	},
	reflect.TypeFor[netip.Addr](): func(g *generator) any {
		return pickOne(g, []netip.Addr{{}, netip.IPv6Unspecified(), netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("fe80::1%eth0"), netip.MustParseAddr("::ffff:1.2.3.4")})
	},
	reflect.TypeFor[netip.Prefix](): func(g *generator) any {
		return pickOne(g, []netip.Prefix{{}, netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::/0")})
	},
	reflect.TypeFor[net.IP](): func(g *generator) any {
		return pickOne(g, []net.IP{nil, net.IPv4zero, net.IPv6loopback, {1, 2, 3, 4}})
	},
	reflect.TypeFor[netip.AddrPort](): func(g *generator) any {
		return pickOne(g, []netip.AddrPort{{}, netip.MustParseAddrPort("10.0.0.1:80"), netip.MustParseAddrPort("[fe80::1%eth0]:65535")})
	},
	reflect.TypeFor[sql.NullTime](): func(g *generator) any {
		return sql.NullTime{Time: g.randomTime(), Valid: g.oneIn(2)}
	},
	reflect.TypeFor[big.Int](): func(g *generator) any {
		x := new(big.Int).Lsh(big.NewInt(g.randomInt(64)), pickOne(g, []uint{0, 1, 500}))
		return *x
	},
	reflect.TypeFor[big.Float](): func(g *generator) any {
		return *big.NewFloat(pickOne(g, []float64{0, -0.1, math.MaxFloat64, math.Inf(1), g.NormFloat64()}))
	},
	reflect.TypeFor[slog.Level](): func(g *generator) any { return slog.Level(g.IntN(20) - 8) },
	reflect.TypeFor[corpus.Name](): func(g *generator) any {
		return pickOne(g, []corpus.Name{{}, {First: "Ada", Last: "Lovelace"}, {First: "Jean", Last: "le Rond d’Alembert"}})
	},
	reflect.TypeFor[corpus.Kelvin](): func(g *generator) any {
		var k corpus.Kelvin
		if err := json.Unmarshal([]byte(pickOne(g, []string{"0", "1", "273.15", "1e300"})), &k); err != nil {
			panic(err)
		}
		return k
	},
	reflect.TypeFor[corpus.Money]():       func(g *generator) any { return g.randomMoney() },
	reflect.TypeFor[corpus.MoneyView]():   func(g *generator) any { return corpus.MoneyView(g.randomMoney()) },
	reflect.TypeFor[corpus.Ticks]():       func(g *generator) any { return corpus.NewTicks(g.randomInt(64)) },
	reflect.TypeFor[corpus.TicksView]():   func(g *generator) any { return corpus.TicksView(corpus.NewTicks(g.randomInt(64))) },
	reflect.TypeFor[corpus.Words]():       func(g *generator) any { return g.randomWords() },
	reflect.TypeFor[corpus.WordsView]():   func(g *generator) any { return corpus.WordsView(g.randomWords()) },
	reflect.TypeFor[corpus.Kept]():        func(g *generator) any { return decodeSample[corpus.Kept](g, "0", "null", `"a"`, `{"a":[1,null]}`) },
	reflect.TypeFor[corpus.Triple]():      func(g *generator) any { return decodeSample[corpus.Triple](g, "null", `""`, `"a"`) },
	reflect.TypeFor[corpus.Limits]():      func(g *generator) any { return g.randomLimits() },
	reflect.TypeFor[corpus.Temperature](): func(g *generator) any { return corpus.Temperature(g.NormFloat64()) },
}

func (g *generator) randomMoney() corpus.Money {
	m, err := corpus.ParseMoney(strconv.FormatInt(g.randomInt(64), 10))
	if err != nil {
		panic(err)
	}
	return m
}

func (g *generator) randomWords() corpus.Words {
	list := make([]string, g.IntN(3))
	for i := range list {
		list[i] = g.randomText()
	}
	return corpus.NewWords(list...)
}

// decodeSample returns the zero value of a type, or one that it reads from a sample.
func decodeSample[T any](g *generator, samples ...string) (x T) {
	if !g.oneIn(4) {
		if err := json.Unmarshal([]byte(pickOne(g, samples)), &x); err != nil {
			panic(err)
		}
	}
	return x
}

// randomLimits returns a value within all limits.
func (g *generator) randomLimits() corpus.Limits {
	tags := [][]string{{""}, {"a", "b"}, {"a", "A", " a"}}
	return corpus.Limits{
		Percent: g.IntN(101),
		Even:    2 * uint8(g.IntN(100)),
		Ratio:   pickOne(g, []float64{1, 0.5, math.SmallestNonzeroFloat64}),
		Step:    pickOne(g, []float64{0, 0.5, -1e15, 1}),
		Code:    pickOne(g, []string{"aa", "éé", "abcd"}),
		Order:   pickOne(g, []string{"asc", "desc"}),
		Size:    pickOne(g, []int{1, 2, 10}),
		Tags:    pickOne(g, tags),
		Weights: pickOne(g, [][]float32{{}, {-1, 0, 1}, {0.1, 0.2}}),
		Pair:    [2]uint8{uint8(g.IntN(10)), 9},
		Maybe:   pickOne(g, []*string{nil, new("a")}),
		ID:      pickOne(g, []string{"123e4567-e89b-12d3-a456-426614174000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"}),
		Day:     pickOne(g, []string{"", "2024-02-29"}),
		Mail:    pickOne(g, []string{"", "a+b@c-d.e"}),
		Link:    pickOne(g, []string{"", "urn:a:b", "http://[::1]/?q"}),
		When:    pickOne(g, []string{"", "1998-12-31t23:59:60z"}),
	}
}

// enumValues has the values allowed for arguments of types with constants.
var enumValues = map[reflect.Type][]any{
	reflect.TypeFor[corpus.Color]():              {"red", "green", "blue", ""},
	reflect.TypeFor[corpus.Level]():              {-1, 0, 1},
	reflect.TypeFor[corpus.Port]():               {80, 443},
	reflect.TypeFor[corpus.PetStatus]():          {"available", "sold"},
	reflect.TypeFor[time.Weekday]():              {0, 1, 2, 3, 4, 5, 6},
	reflect.TypeOf(corpus.UnexportedEnum).Out(0): {"♥", "♠"},
}
