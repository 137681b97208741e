package memorytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/memory"
)

func checkRead(ctx context.Context, s memory.Store) error {
	return errors.Join(
		expectValue(ctx, s, "k", ""),
		s.Write(ctx, "k", 1),
		expectValue(ctx, s, "k", "1"),
		s.Write(ctx, "k", "two"),
		expectValue(ctx, s, "k", `"two"`),
		s.Write(ctx, "k", nil),
		expectValue(ctx, s, "k", "null"), // a null value differs from a missing one
		expectValue(ctx, s, "K", ""),
		expectValue(ctx, s, "kk", ""),
	)
}

// oddKeys are keys that some databases and file systems cannot store.
var oddKeys = []string{
	"\x00", "\x00\x00", " ", "%", "*", "../x", "/", "?", "A", "[a", `\`, "_", "a", "a\x00", "a b", "a*", "a/b", "a\nb",
	"a\xfe", "a\xff", "a\uFFFD", "a\U0001F600", "ab", "b", "\x7f", "ä", "日本", "\xff", "\xff\xff",
}

func checkKeys(ctx context.Context, s memory.Store) error {
	if err := writeKeys(ctx, s, oddKeys...); err != nil {
		return err
	}
	sorted := slices.Sorted(slices.Values(oddKeys))
	errs := []error{expectKeys(ctx, s, "", sorted...)}
	for i, key := range oddKeys {
		errs = append(errs,
			s.Write(ctx, key, i),
			expectValue(ctx, s, key, fmt.Sprint(i)),
			expectKeys(ctx, s, key, slices.DeleteFunc(slices.Clone(sorted), func(other string) bool { return !strings.HasPrefix(other, key) })...))
	}
	return errors.Join(errs...)
}

func checkWrongKeys(ctx context.Context, s memory.Store) error {
	var errs []error
	for _, key := range []string{"", strings.Repeat("k", memory.MaxKey+1)} {
		_, _, err := s.Read(ctx, key)
		errs = append(errs,
			expectError(err, memory.InvalidKey, "Read(%.9q)", key),
			expectError(s.Write(ctx, key, 1), memory.InvalidKey, "Write(%.9q)", key),
			expectError(s.Delete(ctx, key), memory.InvalidKey, "Delete(%.9q)", key))
	}
	return errors.Join(append(errs, expectKeys(ctx, s, ""))...)
}

func checkValues(ctx context.Context, s memory.Store) error {
	var errs []error
	for i, v := range []struct {
		value any
		want  string
	}{
		{"", `""`},
		{"\x00 \u2028 \n \\ \" ü 😀", `"\u0000 \u2028 \n \\ \" ü 😀"`},
		{"<a href='x'>&</a>", `"<a href='x'>&</a>"`},
		{0, `0`},
		{1.5e300, `1.5e+300`},
		{int64(9007199254740993), `9007199254740993`},
		{false, `false`},
		{[]int{}, `[]`},
		{[]int(nil), `null`},
		{[]any{1, "a", nil, map[string]any{}}, `[1,"a",null,{}]`},
		{map[string]any{"b": 1, "a": map[string]any{"c": []int{1}}}, `{"a":{"c":[1]},"b":1}`},
		{struct {
			A int `json:"a"`
			B string
		}{1, "x"}, `{"a":1,"B":"x"}`},
		{json.RawMessage(" { \"b\" : 1.0 ,\n \"a\" : [ ] , \"b\" : 2 } "), `{"b":1.0,"a":[],"b":2}`},
		{json.RawMessage(`123456789012345678901234567890.10`), `123456789012345678901234567890.10`},
	} {
		key := fmt.Sprint(i)
		errs = append(errs, s.Write(ctx, key, v.value), expectValue(ctx, s, key, v.want))
	}
	return errors.Join(errs...)
}

// bomb is a value whose method panics.
type bomb struct{}

func (bomb) MarshalJSON() ([]byte, error) { panic("boom") }

func checkWrongValues(ctx context.Context, s memory.Store) error {
	errs := []error{s.Write(ctx, "old", 1)}
	for _, value := range []any{
		func() {}, make(chan int), []any{1, func() {}}, map[string]any{"a": make(chan int)}, bomb{},
		json.RawMessage(`{"a":`), json.RawMessage("\"\xff\""),
	} {
		for _, key := range []string{"new", "old"} {
			errs = append(errs, expectError(s.Write(ctx, key, value), memory.InvalidValue, "Write(%q, %T)", key, value))
		}
	}
	return errors.Join(append(errs, expectValue(ctx, s, "new", ""), expectValue(ctx, s, "old", "1"))...)
}

func checkLimits(ctx context.Context, s memory.Store) error {
	key := strings.Repeat("k", memory.MaxKey)
	value := strings.Repeat("v", memory.MaxValue-2) // and two quotes
	return errors.Join(
		s.Write(ctx, key, value),
		expectValue(ctx, s, key, `"`+value+`"`),
		expectKeys(ctx, s, key, key),
		expectKeys(ctx, s, key+"k"),
		expectError(s.Write(ctx, key, value+"v"), memory.InvalidValue, "Write of a value that is too long"),
		expectValue(ctx, s, key, `"`+value+`"`),
		s.Delete(ctx, key),
		expectValue(ctx, s, key, ""),
	)
}

func checkAliases(ctx context.Context, s memory.Store) error {
	list, raw := []int{1, 2}, json.RawMessage(`{"a":1}`)
	errs := []error{s.Write(ctx, "list", list), s.Write(ctx, "raw", raw)}
	list[0], raw[2] = 9, 'z'
	for range 2 { // in the second round, the first result has been overwritten
		errs = append(errs, expectValue(ctx, s, "list", "[1,2]"), expectValue(ctx, s, "raw", `{"a":1}`))
		value, _, err := s.Read(ctx, "list")
		overwriteBytes(value)
		entries, searchErr := searchAll(ctx, s, "")
		for _, e := range entries {
			overwriteBytes(e.Value)
		}
		errs = append(errs, err, searchErr)
	}
	return errors.Join(errs...)
}

// overwriteBytes overwrites the whole capacity of a slice.
func overwriteBytes(value json.RawMessage) {
	value = value[:cap(value)]
	for i := range value {
		value[i] = 'x'
	}
}

func checkSearch(ctx context.Context, s memory.Store) error {
	errs := []error{
		expectKeys(ctx, s, ""),
		writeKeys(ctx, s, "user_name", "user_age", "other", "user", "usez", "user_"),
		expectKeys(ctx, s, "user_", "user_", "user_age", "user_name"),
		expectKeys(ctx, s, "USER_"),
		expectKeys(ctx, s, "none"),
		expectKeys(ctx, s, "user_name_and_more"),
		expectKeys(ctx, s, "", "other", "user", "user_", "user_age", "user_name", "usez"),
	}
	entries, err := searchAll(ctx, s, "user_")
	errs = append(errs, err)
	for _, e := range entries {
		if want := `"` + e.Key + `"`; string(e.Value) != want {
			errs = append(errs, fmt.Errorf("a search finds %s under %s", e.Value, e.Key))
		}
	}
	found := s.Search(ctx, "u")
	for range 2 { // a search can be repeated, and stopped early
		count := 0
		for _, err := range found {
			errs = append(errs, err)
			if count++; count == 3 {
				break
			}
		}
		if count != 3 {
			errs = append(errs, fmt.Errorf("a search that the loop stops after 3 entries returned %d", count))
		}
	}
	return errors.Join(errs...)
}

// longSearch is a number of entries that is too large to read at once.
const longSearch = 3000

func checkLongSearch(ctx context.Context, s memory.Store) error {
	var keys []string
	filler := strings.Repeat("x", 2000)
	for i := range longSearch {
		keys = append(keys, fmt.Sprintf("k%04d", i))
	}
	write := make(chan string)
	err := runConcurrently(16, func(int) error {
		for key := range write {
			if err := s.Write(ctx, key, filler); err != nil {
				return err
			}
		}
		return nil
	}, func() error {
		defer close(write)
		for _, key := range keys {
			write <- key
		}
		return nil
	})
	return errors.Join(err, expectKeys(ctx, s, "k", keys...), expectKeys(ctx, s, "k10", keys[1000:1100]...))
}

func checkSearchAndChange(ctx context.Context, s memory.Store) error {
	if err := writeKeys(ctx, s, "a1", "a2", "a3", "a4", "b"); err != nil {
		return err
	}
	var errs []error
	var seen []string
	for entry, err := range s.Search(ctx, "a") {
		if err != nil {
			return err
		}
		seen = append(seen, entry.Key)
		errs = append(errs,
			s.Write(ctx, entry.Key, "again"),
			s.Write(ctx, "z"+entry.Key, strings.Repeat("x", 100_000)), // the store has to grow
			s.Delete(ctx, "b"))
		for inner, err := range s.Search(ctx, entry.Key) {
			if err != nil || string(inner.Value) != `"again"` {
				errs = append(errs, fmt.Errorf("a search within a search finds %s, %v", inner.Value, err))
			}
		}
	}
	if want := []string{"a1", "a2", "a3", "a4"}; !slices.Equal(seen, want) {
		errs = append(errs, fmt.Errorf("a search with writes in its loop finds %q, want %q", seen, want))
	}
	return errors.Join(append(errs, expectValue(ctx, s, "b", ""), expectValue(ctx, s, "a4", `"again"`))...)
}

func checkDelete(ctx context.Context, s memory.Store) error {
	return errors.Join(
		s.Delete(ctx, "missing"),
		writeKeys(ctx, s, "a", "ab", "b"),
		s.Delete(ctx, "a"),
		s.Delete(ctx, "a"),
		s.Delete(ctx, "A"),
		expectValue(ctx, s, "a", ""),
		expectValue(ctx, s, "ab", `"ab"`),
		expectKeys(ctx, s, "", "ab", "b"),
		s.Write(ctx, "a", 2),
		expectValue(ctx, s, "a", "2"),
	)
}

func checkContext(ctx context.Context, s memory.Store) error {
	if err := writeKeys(ctx, s, "old"); err != nil {
		return err
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, _, readErr := s.Read(canceled, "old")
	_, emptyErr := searchAll(canceled, s, "none")
	_, searchErr := searchAll(canceled, s, "")
	var errs []error
	for call, err := range map[string]error{
		"Read": readErr, "Search": searchErr, "Search that finds nothing": emptyErr,
		"Write": s.Write(canceled, "new", 1), "Delete": s.Delete(canceled, "old"),
	} {
		errs = append(errs, expectError(err, memory.Failed, "%s after the end of its context", call))
		if !errors.Is(err, context.Canceled) {
			errs = append(errs, fmt.Errorf("%s: the error %v does not wrap context.Canceled", call, err))
		}
	}
	return errors.Join(append(errs, expectValue(ctx, s, "old", `"old"`), expectValue(ctx, s, "new", ""))...)
}

func checkPrefix(ctx context.Context, s memory.Store) error {
	v := memory.Prefix(s, "run/1/")
	inner := memory.Prefix(v, "step/")
	long := strings.Repeat("k", memory.MaxKey-len("run/1/"))
	return errors.Join(
		writeKeys(ctx, s, "run/1/", "run/0", "run/1", "run/2/a"),
		writeKeys(ctx, v, "a", "b"),
		writeKeys(ctx, inner, "c"),
		expectKeys(ctx, v, "", "a", "b", "step/c"),
		expectKeys(ctx, inner, "", "c"),
		expectKeys(ctx, v, "b", "b"),
		expectKeys(ctx, s, "run/1/", "run/1/", "run/1/a", "run/1/b", "run/1/step/c"),
		expectValue(ctx, v, "a", `"a"`),
		expectValue(ctx, s, "run/1/step/c", `"c"`),
		v.Delete(ctx, "a"),
		expectValue(ctx, s, "run/1/a", ""),
		expectError(v.Write(ctx, "", 1), memory.InvalidKey, "Write of no key to a view"),
		expectError(v.Delete(ctx, ""), memory.InvalidKey, "Delete of no key in a view"),
		expectValue(ctx, s, "run/1/", `"run/1/"`),
		v.Write(ctx, long, 1),
		expectValue(ctx, v, long, "1"),
		expectError(v.Write(ctx, long+"k", 1), memory.InvalidKey, "Write of a key that is too long with its prefix"),
	)
}
