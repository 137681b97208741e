package sequence_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aiongen/aiongen/runtime/sequence"
)

func Example() {
	words := slices.Values([]string{"one", "two", "three"})
	list, err := sequence.Collect(context.Background(), sequence.Values(words), 2)
	fmt.Println(list.Items, list.More, err)
	// Output: [one two] true <nil>
}

// countTo yields 1 to n and then err, if it is not nil. It counts the values that it yields.
func countTo(n int, err error, yielded *int) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			*yielded++
			if !yield(i+1, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

// TestCollect collects sequences that are shorter or longer than the list.
func TestCollect(t *testing.T) {
	failure := errors.New("broken")
	for _, tt := range []struct {
		n       int
		err     error
		want    sequence.List[int]
		wantErr error
		yielded int
	}{
		{n: 0},
		{n: 2, want: sequence.List[int]{Items: []int{1, 2}}, yielded: 2},
		{n: 3, want: sequence.List[int]{Items: []int{1, 2, 3}}, yielded: 3},
		{n: 4, want: sequence.List[int]{Items: []int{1, 2, 3}, More: true}, yielded: 4},
		{n: 9, want: sequence.List[int]{Items: []int{1, 2, 3}, More: true}, yielded: 4},
		{n: 2, err: failure, wantErr: failure, yielded: 2},
		{n: 3, err: failure, wantErr: failure, yielded: 3},
		{n: 4, err: failure, want: sequence.List[int]{Items: []int{1, 2, 3}, More: true}, yielded: 4},
	} {
		yielded := 0
		got, err := sequence.Collect(t.Context(), countTo(tt.n, tt.err, &yielded), 3)
		if !reflect.DeepEqual(got, tt.want) || !errors.Is(err, tt.wantErr) || yielded != tt.yielded {
			t.Errorf("%d items, then %v: %v, %v after %d, want %v, %v after %d", tt.n, tt.err, got, err, yielded, tt.want, tt.wantErr, tt.yielded)
		}
	}
}

// TestCanceled checks that Collect and Receive return an error, not a shortened list, if the context is done.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	for name, items := range map[string]iter.Seq2[int, error]{
		"endless": func(yield func(int, error) bool) {
			for i := 0; yield(i, nil); i++ {
				cancel()
			}
		},
		"obedient": func(func(int, error) bool) { cancel() },
	} {
		if got, err := sequence.Collect(ctx, items, 3); got.Items != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	closed := make(chan int)
	close(closed)
	if got, err := sequence.Receive(ctx, closed, 3); got.Items != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("channel: %v, %v", got, err)
	}
}

// TestAdapters collects sequences of other forms.
func TestAdapters(t *testing.T) {
	ctx, failure := t.Context(), errors.New("broken")
	pairs, err := sequence.Collect(ctx, sequence.Pairs(maps.All(map[string]int{"a": 1})), 3)
	if want := []sequence.Pair[string, int]{{Key: "a", Value: 1}}; !reflect.DeepEqual(pairs.Items, want) || err != nil {
		t.Errorf("pairs: %v, %v", pairs, err)
	}
	nextOf := func(n int, last error) func() (int, error) {
		i := 0
		return func() (int, error) {
			if i++; i > n {
				return 0, last
			}
			return i, nil
		}
	}
	until := sequence.Until(nextOf(2, fmt.Errorf("read: %w", io.EOF)), io.EOF)
	if got, err := sequence.Collect(ctx, until, 3); !slices.Equal(got.Items, []int{1, 2}) || err != nil {
		t.Errorf("until: %v, %v", got, err)
	}
	if got, err := sequence.Collect(ctx, sequence.Until(nextOf(2, failure), io.EOF), 3); got.Items != nil || !errors.Is(err, failure) {
		t.Errorf("until a failure: %v, %v", got, err)
	}
	pages := func(next func() (int, error)) iter.Seq2[int, error] {
		left := 3
		more := func() bool { left--; return left >= 0 }
		return sequence.Flatten(sequence.While(more, next), func(n int) []int { return make([]int, n) })
	}
	if got, err := sequence.Collect(ctx, pages(nextOf(3, nil)), 6); len(got.Items) != 6 || got.More || err != nil {
		t.Errorf("pages: %v, %v", got, err)
	}
	if got, err := sequence.Collect(ctx, pages(nextOf(3, nil)), 5); len(got.Items) != 5 || !got.More || err != nil {
		t.Errorf("first pages: %v, %v", got, err)
	}
	if got, err := sequence.Collect(ctx, pages(nextOf(1, failure)), 5); got.Items != nil || !errors.Is(err, failure) {
		t.Errorf("pages with a failure: %v, %v", got, err)
	}
}

// TestDecode decodes single values.
func TestDecode(t *testing.T) {
	value, err := sequence.Decode(func(into any) error { return json.Unmarshal([]byte(`{"a":[1]}`), into) })
	if want := map[string]any{"a": []any{1.0}}; !reflect.DeepEqual(value, want) || err != nil {
		t.Errorf("it decodes %v, %v", value, err)
	}
	failure := errors.New("broken")
	value, err = sequence.Decode(func(into any) error {
		*into.(*any) = "a part"
		return failure
	})
	if value != nil || !errors.Is(err, failure) {
		t.Errorf("it decodes %v, %v", value, err)
	}
}

// TestNil collects sequences that are nil.
func TestNil(t *testing.T) {
	ctx := t.Context()
	values, err1 := sequence.Collect(ctx, sequence.Values[int](nil), 3)
	pairs, err2 := sequence.Collect(ctx, sequence.Pairs[string, int](nil), 3)
	received, err3 := sequence.Receive[int](ctx, nil, 3)
	if err := errors.Join(err1, err2, err3); err != nil || values.More || pairs.More || received.More {
		t.Error(values, pairs, received, err)
	}
}

// TestReceive receives from channels that deliver a number of items and are then closed or stay open.
func TestReceive(t *testing.T) {
	for _, tt := range []struct {
		n      int
		closed bool
		want   []int
		more   bool
	}{
		{n: 0, closed: true},
		{n: 2, closed: true, want: []int{1, 2}},
		{n: 3, closed: true, want: []int{1, 2, 3}},
		{n: 3, want: []int{1, 2, 3}, more: true},
		{n: 4, want: []int{1, 2, 3}, more: true},
		{n: 4, closed: true, want: []int{1, 2, 3}, more: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			items := make(chan int)
			go func() {
				for i := range tt.n {
					select {
					case items <- i + 1:
					case <-t.Context().Done():
						return
					}
				}
				if tt.closed {
					close(items)
				}
			}()
			got, err := sequence.Receive(t.Context(), items, 3)
			if !slices.Equal(got.Items, tt.want) || got.More != tt.more || err != nil {
				t.Errorf("%+v: %v, %v", tt, got, err)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		items := make(chan int, 1)
		items <- 1
		if got, err := sequence.Receive(ctx, items, 3); got.Items != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("open channel: %v, %v", got, err)
		}
	})
}
