package tool

import (
	"testing"
	"time"
)

func TestNow(t *testing.T) {
	for range 100 {
		before := time.Now()
		now := currentTime()
		after := time.Now()
		if now.Before(before) || now.After(after) {
			t.Fatalf("it is %v between %v and %v", now, before, after)
		}
		if wall := now.Round(0); wall.Sub(after.Round(0)).Abs() > time.Second {
			t.Fatalf("on the wall it is %v at %v", wall, after)
		}
	}
}
