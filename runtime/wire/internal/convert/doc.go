// Package convert converts single values between JSON text and Go: numbers, times, durations, texts, and
// types whose form only encoding/json knows. It describes rejected values for a model.
package convert
