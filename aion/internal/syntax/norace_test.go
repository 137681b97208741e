//go:build !race

package syntax

const raceDetector = false
