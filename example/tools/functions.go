package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// SuggestPriority guesses a priority from how a problem is described.
func SuggestPriority(description string) Priority {
	text := strings.ToLower(description)
	for _, hint := range []struct {
		word     string
		priority Priority
	}{
		{"everybody", Urgent}, {"outage", Urgent}, {"cannot work", High}, {"deadline", High}, {"when you have time", Low},
	} {
		if strings.Contains(text, hint.word) {
			return hint.priority
		}
	}
	return Normal
}

// Notify sends a message to a member of the staff and returns the recipient's address.
func Notify(ctx context.Context, user, message string) (address string, err error) {
	if user == "" || strings.ContainsAny(user, " @") {
		return "", fmt.Errorf("invalid user name %q", user)
	}
	return user + "@desk.example", ctx.Err()
}

// Echo returns its input.
func Echo(text string) string { return text }

// Operation is an arithmetic operation of the calculator.
type Operation string

// The four operations.
const (
	Add      Operation = "add"
	Subtract Operation = "subtract"
	Multiply Operation = "multiply"
	Divide   Operation = "divide"
)

// Calculate applies an operation to two numbers.
func Calculate(operation Operation, a, b float64) (float64, error) {
	switch operation {
	case Add:
		return a + b, nil
	case Subtract:
		return a - b, nil
	case Multiply:
		return a * b, nil
	case Divide:
		if b == 0 {
			return 0, errors.New("division by zero")
		}
		return a / b, nil
	}
	return 0, fmt.Errorf("unknown operation %q", operation)
}
