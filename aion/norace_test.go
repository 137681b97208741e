//go:build !race

package aion

const raceDetector = false
