package gofmt

import (
	"bytes"
	"flag"
	"go/format"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// check holds what is made of a text against what go/format makes of it, and returns
// whether that was asked. What is not Go must never be known.
func check(t *testing.T, text string) (left bool) {
	t.Helper()
	const clause = "package p\n"
	want, wrong := format.Source([]byte(clause + "\n" + text))
	got, n, err := declarations(nil, []byte(text))
	if wrong != nil {
		if err == nil && n == 0 {
			t.Errorf("%s\nis known, but %v", text, wrong)
		}
		return true
	}
	if want = bytes.TrimSpace(want[len(clause):]); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q (%v) becomes\n%s\nnot\n%s", text, err, got, want)
	}
	return n > 0
}

// TestKnown lays out what emission prints without the help of go/format.
func TestKnown(t *testing.T) {
	for name, text := range map[string]string{
		"struct":         "// Args holds what Find takes.\ntype Args struct {\n// Words: what to look for\nWords string `json:\"words\"`\nLimit , Least int `json:\"limit\"`\nLike  map [string] [] * wire.Item\n\nwire.Embedded\n* Other `json:\"-\"`\nF func (a, b int , rest ... T) (x int , err error)\nLong struct{\nA int\nBcd struct{}\n}\nLast interface{\nM () error\nfmt.Stringer\n}\n}",
		"one field":      "type T struct{\nA int `x`\n}",
		"types":          "type T map [K] chan <- (func () <- chan int)\n\ntype A [] [3] [N] [p.N] * p.G [int , [] T[X]]\n\ntype B = interface{}",
		"constants":      "const (\na = `{\"a\":  1}`\nbcd , efg = 1 , \"\\t\"\n\nx = 'x'\n// next\nyz\n)\n\n\n\nconst Pi = 3.14",
		"columns":        "var x = p.T {\nA : 1 ,\nBcd : [] byte (x) ,\n\"ö\" : {1,2} ,\n\nF : func () {\n} ,\nLonger : 1 ,\nG : p.U {\nA : 1 ,\nBc : 2 ,\n} ,\n}",
		"guard":          "func _ () {\nvar _ func (context.Context,int) ([] * T,error) = ( * T) . M\nvar a , b = 1 , 2\n}",
		"calls":          "func (t * T) F (v wire.Value , x * [4] T) * tool.Of [A,[] B] {\nreturn wire.New [A] (v , func (e * E) {\ne.f ()\n} ) . X (xs ... )\n}",
		"lines":          "var x = f (\na,\n\nb . c [:] ,\n[]string {\n\"a\" ,\n} ,\n)",
		"statements":     "func f () {\n\n\nif ! in.Ready () {\nreturn \n} else if a , ok := x . (T) ; ok && a > 1 {\n\n} else {\n\nx , y = y , x\n\n}\n// a comment\nfor i := range 10 {\nx [i] ++\n}\nfor range xs {\nx += 1\n}\nfor k , v = range [] T {{1}} {\n}\nfor x < 1 {\n}\nreturn nil , func () {\n}\n}",
		"operators":      "var x = a + b * c - d , a == b + 1 , f (a + b) , f (a + b , c * d) , x [i + 1] , x [i + 1 :] , ! a && b || - c < d , (a + b) * c + d , a % (b + c * d) , s + \"a\" + t , * f (a + b , c) + 1 , p.T {a + b , c} , f (a + (b * c) , d) , & x [a + b] [c + d]",
		"values in name": "func f () {\nif x == (T {}) {\n}\nif f (T {1}) {\n}\nfor _ , x := range map [string] int {\"a\" : 1} {\n}\n}",
	} {
		t.Run(name, func(t *testing.T) {
			if check(t, text) {
				t.Errorf("%s\nis not known", text)
			}
		})
	}
}

// TestLeft lays out what has a layout of its own between other declarations.
func TestLeft(t *testing.T) {
	for _, text := range []string{
		"func f () { return }", "var x = a +\nb", "type T struct { a int }", "const x = 0X1P3", "var x = `a\nb`", "var x = ((a))", "func f() (int) {\n}",
		"// A list:\n// - a\nvar x = 1", "//go:embed x\nvar x = 1", "// A heading\n//\n// and ``text''.\nvar x = 1", "var x = 1 // x\nvar yz = 2 // y", "var x = s[a + b : c]",
		"func f() {\nswitch x {\ncase 1:\n}\n}", "var x = - - y", "var x = a * * b", "/* c */ var x = 1", "func f() {\nL:\nfor {\nbreak L\n}\n}", "func a() {}\nfunc abc() {}",
	} {
		if !check(t, "type A  struct{\n}\n\n"+text+"\n\n\nvar  b  = 1") {
			t.Errorf("%s is known", text)
		}
	}
}

// TestOdd lays out, or leaves, what is at the borders of what is known, and what is not
// Go but nearly.
func TestOdd(t *testing.T) {
	for _, text := range []string{
		"func f() {\n1 := 2\n}", "func f() {\na, 1 := 2\n}", "func f() {\n() = 1\n}", "func f() {\na + b\n}", "func f() {\nfunc() {\n}\n}", "func f() {\nT{}\n}", "func f() {\n[]int{1}\n}",
		"func f() {\nif T{} {\n}\n}", "func f() {\nif []int{} == nil {\n}\n}", "func f() {\nfor x := range T{} {\n}\n}", "func f(a, b) {\n}", "func f(a b, c) {\n}", "func (a, b T) f() {\n}", "func () f() {\n}",
		"func f(...) {\n}", "func f(a ...int, b int) {\n}", "func f() (a ...int) {\n}", "var x = f(a...)", "var x = f(a..., b)", "var x = T{a...}", "var x = [...]int{1}", "var x [...]int", "var x = T[int,]{}", "var x = []int",
		"var x = a[]", "var x = a[:]", "var x = a[1,2]", "var x = a[1:2,3]", "var x = a.b.(T).c[0](x)(y)", "var x = func() int", "var x = f(func() int)", "var x = interface{}(nil)", "var x = <-c", "var x = <-<-c", "var x = *<-c", "var x = !<-c",
		"var x = chan int(nil)", "var x = map[T]U(nil)", "var x = struct{}{}", "type T struct {\n*p.T\n}", "type T struct {\n**T\n}", "type T struct {\n*[]T\n}", "type T struct {\na, b\n}", "type T struct {\nT[int]\n}", "type T struct {\na T[int]\n}",
		"type T struct {\na [3]int\n*a [3]int\n}", "type T interface {\n*T\n}", "type T interface {\nM()\n~int\n}", "type T interface {\na, b()\n}", "type T[P any] struct{}", "type T [P]int", "type T [5]int", "type T = []int", "const x", "const (\nx\n)", "const (\nx = 1\ny, z\n)",
		"var (\nx\n)", "var (\nx = 1\ny int\n)", "var _ = 'ab'", "var _ = \"\\q\"", "var _ = 08", "var _ = 1_000", "var _ = 0b1", "var _ = 1e3", "var _ = 1.", "var _ = .5", "var _ = 1i", "var _ = 'a'", "var _ = '\\''", "var a, b int = 1, 2", "var if = 1",
		"func f() {\nreturn a,\nb\n}", "func f() {\nx := <-c\n}", "func f() {\nc <- x\n}", "func f() {\nx.y++\n}", "func f() {\nx, y++\n}", "func f() {\nx += 1, 2\n}", "func f() {\nx &^= a &^ b\n}", "var x = a &^ b", "var x = a & ^b", "var x = a && &b == nil", "var x = a - (-b)",
		"var x = -a * -b", "var x = a.f(b+c)(d*e, f)", "var x = f(a+b)[c+d]", "var x = f(a+b, c)[d].g(e+f)", "var x = T{f(a+b), c * d}", "var x = (a+b)*(c+d) - e", "var x = ((a+b)*c + d) * e", "var x = a || b && c == d+e*f", "var x = g((a+b)*c, (d))", "var x = *(a + b)", "var x = -(a + b) * c",
		"var x = func() int {\nreturn a + b\n}() + c*d", "var x = T{\na: b + c*d,\n\"k\" + s: 1,\n}", "var x = T{\n{1},\n{2, 3},\n}", "var x = T{\na: {1, 2},\nbcd: {\n1,\n},\n}", "var x = T{a: 1, func() {\n}, b: 2}", "var x = T{a: func() {\n}, b: 2}", "var x = T{\na: 1, b: 2,\n}", "var x = f(\na, b,\n)",
		"var x = f(a,\nb)", "var x = f(a, T{\nb,\n}, c)", "var x = f(T{\nb,\n}, func() {\n}, c)", "var x, y = f(func() {\n}), g(func() {\n})", "func f() {\nx, y := T{\n1,\n}, U{\n2,\n}\n}", "func f() {\nreturn T{\n1,\n}, nil\n}", "func f() {\nreturn nil, T{\n1,\n}\n}",
		"func f() {\nfor {\n}\n}", "func f() {\nfor i := 0; i < n; i++ {\n}\n}", "func f() {\nfor range f(T{}) {\n}\n}", "func f() {\nif x := f(T{1}); x.y {\n}\n}", "func f() {\nif func() bool {\nreturn T{} == x\n}() {\n}\n}", "func f() {\nif a[T{1}] {\n}\n}", "func f() {\nif (a) {\n}\n}", "func f() {\nif (a) == b {\n}\n}",
		"func f() {\nif a {\n}\nelse {\n}\n}", "func f() {\nif a {} else {\n}\n}", "func f() {\n// c\n}", "func f() {\nx() // c\n}", "func f() {\nx(\n// c\na,\n)\n}", "func f() {\n// c\n\nx()\n}", "// Deprecated: x\nfunc f() {\n}", "// See [T].\nvar x T", "// [T]: http://x\nvar x T", "// a  b\nvar x T", "// x\n//\n// y\nvar x T",
		"var ö = 1", "var x = ö.Ä", "var \u0660x = 1", "var x = \"\u202e\"", "type T struct {\nö int `x`\nab int `x`\n}", "var x = T{\n\"öö\": 1,\n\"a\": 2,\n}", "type T struct {\na int\nbcd func() struct {\nx int\n}\ne int `x`\n}", "type T struct {\na struct {\nb int\n} `x`\n}", "const (\nab = 1\nc = f(func() {\n})\ndef = 2\n)",
		"const (\na, bc = 1, 2\nd = 3\n)", "var x = a.\nb", "var x = a[\n1]", "var x = f(a)(\nb,\n)", "var x = T{\n\na,\n}", "var x = T{\na,\n\n}", "var x = T{}.f", "var x = T{}[0]", "var x = [2]T{}[0]", "var x = []T{}.f", "var x = \"a\"[0]", "var x = \"a\".b", "var x = 1.b", "var x = 1 .b", "var x = (1).b",
	} {
		check(t, text)
	}
}

// TestGolden lays out what emission prints, and that with its blanks, line breaks and
// some of its tokens disturbed.
func TestGolden(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	n, left, leftDisturbed := 0, 0, 0
	for _, text := range sources(t, "../../../testdata/golden") {
		if !strings.HasPrefix(text, "// Code generated") {
			continue
		}
		for _, d := range cut(text) {
			n++
			left += count(check(t, d))
			leftDisturbed += count(check(t, disturb(random, d)))
		}
	}
	t.Logf("%d declarations, %d left to go/format; disturbed, %d", n, left, leftDisturbed)
	if n < 1000 || left > n/20 {
		t.Errorf("of %d declarations, %d are not known", n, left)
	}
}

var all = flag.Bool("all", false, "try all of the standard library, which takes half a minute")

// TestStandardLibrary lays out what people wrote, and that disturbed.
func TestStandardLibrary(t *testing.T) {
	folders := []string{"encoding/json", "net/url", "strconv", "text/template"}
	if *all {
		folders = []string{"."}
	}
	random := rand.New(rand.NewPCG(3, 4))
	n, left, leftDisturbed := 0, 0, 0
	for _, folder := range folders {
		for _, text := range sources(t, filepath.Join(runtime.GOROOT(), "src", folder)) {
			for _, d := range cut(text) {
				n++
				left += count(check(t, d))
				leftDisturbed += count(check(t, disturb(random, d)))
			}
		}
	}
	t.Logf("%d declarations, %d left to go/format; disturbed, %d", n, left, leftDisturbed)
}

func count(left bool) int {
	if left {
		return 1
	}
	return 0
}

func sources(t *testing.T, dir string) (texts []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || e.IsDir() || strings.HasSuffix(filepath.Dir(path), "testdata") {
			return err
		}
		text, err := os.ReadFile(path)
		texts = append(texts, string(text))
		return err
	})
	if err != nil || len(texts) == 0 {
		t.Fatal(err, len(texts))
	}
	return texts
}

// cut cuts a file into declarations.
func cut(text string) (all []string) {
	_, text, _ = strings.Cut("\n"+text, "\npackage ")
	_, text, _ = strings.Cut(text, "\n")
	s := setter{scanner: scanner{src: []byte(text)}}
	for s.next(); s.tok.kind != token.EOF; {
		all = append(all, string(s.skip()))
	}
	return all
}

// disturb changes a text in a few places.
func disturb(random *rand.Rand, text string) string {
	for range 1 + random.IntN(3) {
		at := random.IntN(len(text) + 1)
		if blank := strings.IndexAny(text[at:], " \n\t"); blank >= 0 && random.IntN(2) > 0 {
			at += blank
		}
		before, after := text[:at], text[at:]
		switch random.IntN(5) {
		case 0:
			after = after[min(1, len(after)):]
		case 1:
			before += []string{" ", "\n", "\t\n\n", "  "}[random.IntN(4)]
		case 2:
			before += string("(){}[],;:.+-*/&|<>=!x1 \"`\n"[random.IntN(26)])
		case 3:
			after = strings.ReplaceAll(after, "\n\t", "\n")
		case 4:
			before += inserted[random.IntN(len(inserted))]
		}
		text = before + after
	}
	return text
}

var inserted = []string{
	"-x", " + ", " * y", "&& z", ", a: b", "{\n}", "[1:]", "[a+b:]", "chan ", "<-", "// a comment\n", "//line x.go:1\n", "func(x int) {\n}", "...",
	"T[int]", ".(T)", "0x1", "'x'", "struct{}", "\n}\n\nfunc f() {\n", " else ", "return ", "if x {\n", "\n),\n", "(\n", "`x`", "ö",
}

func FuzzDeclarations(f *testing.F) {
	for _, seed := range []string{
		"type T struct {\n\tA int `x`\n}", "var x = T{\n\ta: 1,\n\tbc: f(x+1, y),\n}", "func f(a, b int, c ...T) (err error) {\n\tif x := a; x {\n\t\treturn\n\t}\n}",
		"const (\n\ta = 1\n\tb\n)", "// x\nvar x = a*b + c[d+1:]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 1000 {
			check(t, text)
		}
	})
}

// BenchmarkDeclarations lays out what emission prints, beside go/format.
func BenchmarkDeclarations(b *testing.B) {
	file, err := os.ReadFile("../../../testdata/golden/shaping/shaping.aion.go")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Join(cut(string(file))[1:], "\n\n") // without imports
	for _, by := range []struct {
		name   string
		format func(string) ([]byte, error)
	}{
		{"gofmt", func(text string) ([]byte, error) { return Append(nil, []byte(text)) }},
		{"go_format", func(text string) ([]byte, error) { return format.Source([]byte("package p\n" + text)) }},
	} {
		b.Run(by.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := by.format(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
