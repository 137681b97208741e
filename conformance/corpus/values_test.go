package corpus_test

import (
	"database/sql"
	"encoding/json"
	"log/slog"
	"math"
	"math/big"
	"math/rand/v2"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"time"

	"github.com/aiongen/aiongen/testdata/golden/corpus"
)

// generator makes random values of Go types: zero, extreme, nil, and others.
type generator struct {
	*rand.Rand
	nils bool // also elements that are nil, which arguments cannot have
	wild bool // also enums of other values, which arguments cannot have
}

// value returns a random value of a type, addressable.
func (g *generator) value(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	g.fill(v, 0)
	return v
}

// deepest is how deeply values are nested at most, so that recursive types end.
const deepest = 8

func (g *generator) fill(v reflect.Value, depth int) {
	if make, ok := own[v.Type()]; ok {
		v.Set(reflect.ValueOf(make(g)))
		return
	}
	if words, ok := enums[v.Type()]; ok && !g.wild {
		v.Set(reflect.ValueOf(pick(g, words)).Convert(v.Type()))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(g.one(2))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(g.integer(v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(g.natural(v.Type().Bits()))
	case reflect.Float32:
		v.SetFloat(float64(pick(g, []float32{0, 1, -0.5, 0.1, math.MaxFloat32, math.SmallestNonzeroFloat32, 1e21, 1e-7, float32(g.NormFloat64())})))
	case reflect.Float64:
		v.SetFloat(pick(g, []float64{0, math.Copysign(0, -1), 1, 0.1, -2.5e-9, math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, 1e21, g.NormFloat64()}))
	case reflect.String:
		v.SetString(g.text())
	case reflect.Interface:
		if x := g.any(depth); x != nil {
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

func (g *generator) fillPointer(v reflect.Value, depth int) {
	if depth < deepest && !g.one(3) {
		v.Set(reflect.New(v.Type().Elem()))
		g.fill(v.Elem(), depth+1)
	}
}

// fillStruct leaves fields zero that JSON does not see.
func (g *generator) fillStruct(v reflect.Value, depth int) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if tag := field.Tag.Get("json"); tag == "-" || field.PkgPath != "" && !field.Anonymous {
			continue
		}
		if field.Anonymous && !field.IsExported() {
			// The fields of an embedded struct can be set all the same.
			for j := range field.Type.NumField() {
				g.fill(v.Field(i).Field(j), depth+1)
			}
			continue
		}
		g.fill(v.Field(i), depth+1)
	}
}

func (g *generator) fillElem(v reflect.Value, depth int) {
	g.fill(v, depth+1)
	for p := v; p.Kind() == reflect.Pointer && !g.nils; p = p.Elem() {
		for p.IsNil() {
			g.fill(p, depth+1)
		}
	}
}

func (g *generator) fillSlice(v reflect.Value, depth int) {
	n := g.length(depth)
	if n == 0 && g.one(2) {
		return // nil
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		g.fillElem(v.Index(i), depth)
	}
}

func (g *generator) fillMap(v reflect.Value, depth int) {
	n := g.length(depth)
	if n == 0 && g.one(2) {
		return // nil
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n {
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		g.fill(key, depth+1)
		g.fillElem(elem, depth)
		v.SetMapIndex(key, elem)
	}
}

// one is true once in n times.
func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

func (g *generator) length(depth int) int {
	if depth >= deepest {
		return 0
	}
	return g.IntN(4)
}

func (g *generator) integer(bits int) int64 {
	least := int64(-1) << (bits - 1)
	return pick(g, []int64{0, 1, -1, least, -(least + 1), int64(g.Uint64()) >> (64 - bits), 1<<53 + 1 | least})
}

func (g *generator) natural(bits int) uint64 {
	return pick(g, []uint64{0, 1, math.MaxUint64 >> (64 - bits), g.Uint64() >> (64 - bits)})
}

var words = []string{
	"", "a", "name", "Ada Lovelace", "é😀", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "\u2028\u2029", "<a & b>", "null", "1", "~/~0~1",
	"aGk=", "2026-01-02T03:04:05Z", "1h30m", "https://example.com/", "\ufffd\ufeff", "a fairly long text, to go beyond what is cut in messages, and some",
}

func (g *generator) text() string {
	if g.one(4) {
		return string([]rune{rune(g.IntN(0xd800)), rune('a' + g.IntN(26))})
	}
	return pick(g, words)
}

// any returns a value as encoding/json reads them into an any.
func (g *generator) any(depth int) any {
	switch g.IntN(8) {
	case 0:
		return nil
	case 1:
		return g.one(2)
	case 2:
		return json.Number(pick(g, numbers))
	case 3:
		list := make([]any, g.length(depth))
		for i := range list {
			list[i] = g.any(depth + 1)
		}
		return list
	case 4:
		object := map[string]any{}
		for range g.length(depth) {
			object[g.text()] = g.any(depth + 1)
		}
		return object
	}
	return g.text()
}

var numbers = []string{"0", "-0", "1", "1.50", "-1e5", "12345678901234567890", "1E+2", "0.1"}

func (g *generator) time() time.Time {
	zone := time.FixedZone("", 60*(g.IntN(48*60-1)-24*60+1)) // of less than a day
	t := time.Unix(g.Int64N(200e9)-60e9, pick(g, []int64{0, 1, 120_000_000, 999_999_999})).In(zone)
	return pick(g, []time.Time{{}, time.Unix(0, 0).UTC(), t, t.UTC()})
}

// own has the types that are not made from their parts.
var own = map[reflect.Type]func(g *generator) any{
	reflect.TypeFor[time.Time](): func(g *generator) any { return g.time() },
	reflect.TypeFor[time.Duration](): func(g *generator) any {
		return pick(g, []time.Duration{0, 1, time.Hour, -90 * time.Second, math.MaxInt64, math.MinInt64, time.Duration(g.Uint64())})
	},
	reflect.TypeFor[json.RawMessage](): func(g *generator) any {
		b, err := json.Marshal(g.any(0))
		if err != nil {
			panic(err) // any makes nothing that fails
		}
		return pick(g, []json.RawMessage{nil, b, json.RawMessage(` { "a" : [ 1 , "<" ] } `)})
	},
	reflect.TypeFor[json.Number](): func(g *generator) any { return json.Number(pick(g, append(numbers, ""))) },
	reflect.TypeFor[url.URL](): func(g *generator) any {
		u, err := url.Parse(pick(g, []string{"", "/", "https://user:pass@example.com:80/a%20b?c=<d>&e#f", "mailto:a@b", "//host", "?q", "http://[::1]/"}))
		if err != nil {
			panic(err)
		}
		return *u
	},
	reflect.TypeFor[netip.Addr](): func(g *generator) any {
		return pick(g, []netip.Addr{{}, netip.IPv6Unspecified(), netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("fe80::1%eth0"), netip.MustParseAddr("::ffff:1.2.3.4")})
	},
	reflect.TypeFor[netip.Prefix](): func(g *generator) any {
		return pick(g, []netip.Prefix{{}, netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::/0")})
	},
	reflect.TypeFor[net.IP](): func(g *generator) any {
		return pick(g, []net.IP{nil, net.IPv4zero, net.IPv6loopback, {1, 2, 3, 4}})
	},
	reflect.TypeFor[netip.AddrPort](): func(g *generator) any {
		return pick(g, []netip.AddrPort{{}, netip.MustParseAddrPort("10.0.0.1:80"), netip.MustParseAddrPort("[fe80::1%eth0]:65535")})
	},
	reflect.TypeFor[sql.NullTime](): func(g *generator) any {
		return sql.NullTime{Time: g.time(), Valid: g.one(2)}
	},
	reflect.TypeFor[big.Int](): func(g *generator) any {
		x := new(big.Int).Lsh(big.NewInt(g.integer(64)), pick(g, []uint{0, 1, 500}))
		return *x
	},
	reflect.TypeFor[big.Float](): func(g *generator) any {
		return *big.NewFloat(pick(g, []float64{0, -0.1, math.MaxFloat64, math.Inf(1), g.NormFloat64()}))
	},
	reflect.TypeFor[slog.Level](): func(g *generator) any { return slog.Level(g.IntN(20) - 8) },
	reflect.TypeFor[corpus.Name](): func(g *generator) any {
		return pick(g, []corpus.Name{{}, {First: "Ada", Last: "Lovelace"}, {First: "Jean", Last: "le Rond d’Alembert"}})
	},
	reflect.TypeFor[corpus.Kelvin](): func(g *generator) any {
		var k corpus.Kelvin
		if err := json.Unmarshal([]byte(pick(g, []string{"0", "1", "273.15", "1e300"})), &k); err != nil {
			panic(err)
		}
		return k
	},
	reflect.TypeFor[corpus.Limits]():      func(g *generator) any { return g.limits() },
	reflect.TypeFor[corpus.Temperature](): func(g *generator) any { return corpus.Temperature(g.NormFloat64()) },
}

// limits returns a value within all limits.
func (g *generator) limits() corpus.Limits {
	tags := [][]string{{""}, {"a", "b"}, {"a", "A", " a"}}
	return corpus.Limits{
		Percent: g.IntN(101),
		Even:    2 * uint8(g.IntN(100)),
		Ratio:   pick(g, []float64{1, 0.5, math.SmallestNonzeroFloat64}),
		Step:    pick(g, []float64{0, 0.5, -1e15, 1}),
		Code:    pick(g, []string{"aa", "éé", "abcd"}),
		Order:   pick(g, []string{"asc", "desc"}),
		Size:    pick(g, []int{1, 2, 10}),
		Tags:    pick(g, tags),
		Weights: pick(g, [][]float32{{}, {-1, 0, 1}, {0.1, 0.2}}),
		Pair:    [2]uint8{uint8(g.IntN(10)), 9},
		Maybe:   pick(g, []*string{nil, new("a")}),
		ID:      pick(g, []string{"123e4567-e89b-12d3-a456-426614174000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"}),
		Day:     pick(g, []string{"", "2024-02-29"}),
		Mail:    pick(g, []string{"", "a+b@c-d.e"}),
		Link:    pick(g, []string{"", "urn:a:b", "http://[::1]/?q"}),
		When:    pick(g, []string{"", "1998-12-31t23:59:60z"}),
	}
}

// enums have the values that arguments of a type are held to.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[corpus.Color]():              {"red", "green", "blue", ""},
	reflect.TypeFor[corpus.Level]():              {-1, 0, 1},
	reflect.TypeFor[corpus.Port]():               {80, 443},
	reflect.TypeFor[time.Weekday]():              {0, 1, 2, 3, 4, 5, 6},
	reflect.TypeOf(corpus.UnexportedEnum).Out(0): {"♥", "♠"},
}
