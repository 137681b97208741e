// Package sequence collects the first items of sequences: range functions, iterators with a method such as Next,
// pagers and channels. Generated code uses it for tools whose functions return a sequence.
package sequence

import (
	"context"
	"errors"
	"iter"
	"time"
)

// A List holds the first items of a sequence.
type List[T any] struct {
	Items []T  `json:"items"`
	More  bool `json:"more"` // the sequence has, or may have, more items
}

// A Pair is an item of a sequence of two values, such as maps.All returns.
type Pair[K, V any] struct {
	Key   K `json:"key"`
	Value V `json:"value"`
}

// Collect returns the first items of a sequence, at most take. It reads at most one item more than it returns, to
// find out whether there are more. It returns an error and no items if the sequence yields an error or ctx is
// done. A nil sequence has no items.
func Collect[T any](ctx context.Context, items func(yield func(T, error) bool), take int) (List[T], error) {
	var l List[T]
	if items == nil {
		return l, nil
	}
	for item, err := range items {
		if err != nil {
			return List[T]{}, err
		}
		if ctx.Err() != nil {
			break
		}
		if len(l.Items) == take {
			l.More = true
			return l, nil
		}
		l.Items = append(l.Items, item)
	}
	if err := ctx.Err(); err != nil { // the sequence may have ended because ctx is done
		return List[T]{}, err
	}
	return l, nil
}

// Values converts a sequence of values to a sequence for [Collect], with nil errors.
func Values[T any](items func(yield func(T) bool)) iter.Seq2[T, error] {
	if items == nil {
		return nil
	}
	return func(yield func(T, error) bool) {
		for item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

// Pairs converts a sequence of two values to a sequence of pairs for [Collect], with nil errors.
func Pairs[K, V any](items func(yield func(K, V) bool)) iter.Seq2[Pair[K, V], error] {
	if items == nil {
		return nil
	}
	return func(yield func(Pair[K, V], error) bool) {
		for key, value := range items {
			if !yield(Pair[K, V]{key, value}, nil) {
				return
			}
		}
	}
}

// Until returns a sequence of the values that next returns. It ends when next returns the error done.
// If next returns another error, the sequence yields it and ends.
func Until[T any](next func() (T, error), done error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			item, err := next()
			if errors.Is(err, done) || !yield(item, err) || err != nil {
				return
			}
		}
	}
}

// While returns a sequence of the values that next returns. It ends when more returns false. If next
// returns an error, the sequence yields it and ends.
func While[T any](more func() bool, next func() (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for more() {
			if item, err := next(); !yield(item, err) || err != nil {
				return
			}
		}
	}
}

// Decode calls decode with a pointer to a variable of type any, and returns the value of the variable.
func Decode(decode func(any) error) (any, error) {
	var value any
	if err := decode(&value); err != nil {
		return nil, err
	}
	return value, nil
}

// Flatten returns a sequence of the items of all pages. If pages yields an error, the sequence yields it
// and ends.
func Flatten[P, T any](pages iter.Seq2[P, error], items func(P) []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range pages {
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, item := range items(page) {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// patience is how long Receive waits for another item after it has received take items.
const patience = 100 * time.Millisecond

// Receive returns at most take items from a channel. It waits until it has received take items or the channel
// is closed. After take items, it waits up to 100 milliseconds for another one. If none arrives and the
// channel is still open, More is true. Receive returns an error and no items
// if ctx is done. A nil channel has no items.
func Receive[T any](ctx context.Context, items <-chan T, take int) (List[T], error) {
	var l List[T]
	if items == nil {
		return l, nil
	}
	var timeout <-chan time.Time
	for {
		if len(l.Items) == take {
			timeout = time.After(patience)
		}
		select {
		case <-ctx.Done():
			return List[T]{}, ctx.Err()
		case <-timeout:
			l.More = true
			return l, nil
		case item, open := <-items:
			switch {
			case ctx.Err() != nil: // the channel may have been closed because ctx is done
				return List[T]{}, ctx.Err()
			case !open:
				return l, nil
			case len(l.Items) == take:
				l.More = true
				return l, nil
			}
			l.Items = append(l.Items, item)
		}
	}
}
