package tool

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/aiongen/aiongen/runtime/content"
)

// TestLayers checks that messages of an attempt that is repeated, or that failed inside a successful
// one, do not count, and that messages between attempts do.
func TestLayers(t *testing.T) {
	r := exchangeLog{limit: 100}
	say := func(text string) { r.addParts(content.Text(text)); r.addReply("last", json.RawMessage(`"`+text+`"`)) }
	within := func(level int, failed bool, f func()) {
		from := r.enterLayer(level)
		f()
		r.leaveLayer(level, from, failed)
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
		for i := range 2 { // each layer has two attempts, of which the second counts
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
	within(0, false, func() { // another result replaces the failed attempt
		within(1, true, func() { say("g") })
		expect("g")
	})
	expect()
	within(0, true, func() {
		within(1, true, func() { say("h") })
	})
	expect("h")
}

// TestLong checks that messages above the limit are dropped, and that a shorter attempt may follow.
func TestLong(t *testing.T) {
	r := exchangeLog{limit: 10}
	from := r.enterLayer(0)
	r.addParts(content.Text("12345678"))
	r.addReply("a", json.RawMessage(`12345678`))
	r.addReply("b", json.RawMessage(`1`))
	if r.excess != 17 || len(r.allParts()) != 1 || len(r.allReplies()) != 1 {
		t.Errorf("got %d, %v %v", r.excess, r.allParts(), r.allReplies())
	}
	r.leaveLayer(0, from, true)
	r.enterLayer(0)
	r.addParts(content.Text("1234567890"))
	if r.excess != 0 || len(r.allParts()) != 1 || r.allReplies() != nil {
		t.Errorf("got %d, %v %v", r.excess, r.allParts(), r.allReplies())
	}
}

// TestAnswers checks that a question that is asked repeatedly gets successive answers, and that a
// repeated attempt gets those of the previous one.
func TestAnswers(t *testing.T) {
	guess, name := AskModel("Your guess?", 9), AskModel("Your name?", 9)
	answer := func(q Question, text string) Answer { return q.Accept(json.RawMessage(`"` + text + `"`)) }
	r := exchangeLog{answers: []Answer{answer(guess, "1"), answer(name, "Ada"), guess.Accept(json.RawMessage("2")), answer(guess, "3")}}
	for range 2 {
		from := r.enterLayer(0)
		for _, want := range []string{"1", "3", "4"} {
			known, missing := r.findAnswers([]Question{guess, name})
			var given []Answer
			for _, q := range missing {
				given = append(given, answer(q, "4"))
			}
			if all := r.addAnswers(known, given); string(all[0].Value) != `"`+want+`"` {
				t.Errorf("got %s, want %s", all, want)
			}
		}
		r.leaveLayer(0, from, true)
	}
	if n := len(r.answers); n != 7 {
		t.Errorf("%d answers", n)
	}
	r.enterLayer(0)
	known, missing := r.findAnswers([]Question{guess, AskRoots(), guess})
	if len(missing) != 1 || missing[0].Kind != QuestionRoots || string(known[0].Value) != `"1"` || known[1].QuestionKey != "" || string(known[2].Value) != `"3"` {
		t.Errorf("got %s without %v", known, missing)
	}
}
