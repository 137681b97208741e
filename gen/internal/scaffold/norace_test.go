//go:build !race

package scaffold_test

const raceDetector = false
