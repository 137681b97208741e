package talk

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
)

// TestLayers: what was said in an attempt that is made again, or that failed within one
// that did not, does not count; what is said between them does.
func TestLayers(t *testing.T) {
	r := record{limit: 100}
	say := func(text string) { r.attach(content.Text(text)); r.reply("last", json.RawMessage(`"`+text+`"`)) }
	within := func(level int, failed bool, f func()) {
		from := r.enter(level)
		f()
		r.leave(level, from, failed)
	}
	expect := func(want ...string) {
		t.Helper()
		var got []string
		for _, p := range r.allParts() {
			got = append(got, p.Text)
		}
		last := ""
		if len(want) > 0 {
			last = `"` + want[len(want)-1] + `"`
		}
		if !reflect.DeepEqual(got, want) || string(r.allReplies()["last"]) != last {
			t.Errorf("got %q %s, want %q", got, r.allReplies(), want)
		}
	}
	within(0, false, func() {
		say("a")
		for i := range 2 { // each of them has two, of which the second counts
			within(1, false, func() {
				say(fmt.Sprint("b", i))
				within(2, true, func() { say(fmt.Sprint("c", i)) })
				say(fmt.Sprint("d", i))
				within(2, false, func() { say(fmt.Sprint("e", i)) })
			})
		}
		say("f")
		expect("a", "b1", "d1", "e1", "f")
	})
	within(0, false, func() { // instead of what failed, there is something else
		within(1, true, func() { say("g") })
		expect("g")
	})
	expect()
	within(0, true, func() {
		within(1, true, func() { say("h") })
	})
	expect("h")
}

// TestLong: too much is not kept, and an attempt less long may follow.
func TestLong(t *testing.T) {
	r := record{limit: 10}
	from := r.enter(0)
	r.attach(content.Text("12345678"))
	r.reply("a", json.RawMessage(`12345678`))
	r.reply("b", json.RawMessage(`1`))
	if r.long != 17 || len(r.allParts()) != 1 || len(r.allReplies()) != 1 {
		t.Errorf("got %d, %v %v", r.long, r.allParts(), r.allReplies())
	}
	r.leave(0, from, true)
	r.enter(0)
	r.attach(content.Text("1234567890"))
	if r.long != 0 || len(r.allParts()) != 1 || r.allReplies() != nil {
		t.Errorf("got %d, %v %v", r.long, r.allParts(), r.allReplies())
	}
}

// TestAnswers: each time that a question is asked it has another answer; in an attempt
// that is made again, those of the one before.
func TestAnswers(t *testing.T) {
	guess, name := ask.Model("Your guess?", 9), ask.Model("Your name?", 9)
	answer := func(q ask.Question, text string) ask.Answer { return q.Accept(json.RawMessage(`"` + text + `"`)) }
	r := record{answers: []ask.Answer{answer(guess, "1"), answer(name, "Ada"), guess.Accept(json.RawMessage("2")), answer(guess, "3")}}
	for range 2 {
		from := r.enter(0)
		for _, want := range []string{"1", "3", "4"} {
			known, missing := r.known([]ask.Question{guess, name})
			var given []ask.Answer
			for _, q := range missing {
				given = append(given, answer(q, "4"))
			}
			if all := r.noteAnswers(known, given); string(all[0].Value) != `"`+want+`"` {
				t.Errorf("got %s, want %s", all, want)
			}
		}
		r.leave(0, from, true)
	}
	if n := len(r.answers); n != 7 {
		t.Errorf("%d answers", n)
	}
	r.enter(0)
	known, missing := r.known([]ask.Question{guess, ask.Roots(), guess})
	if len(missing) != 1 || missing[0].Kind != ask.KindRoots || string(known[0].Value) != `"1"` || known[1].Of != "" || string(known[2].Value) != `"3"` {
		t.Errorf("got %s without %v", known, missing)
	}
}
