package words

// fewTaken is the number below which FreeNumber tries all numbers.
const fewTaken = 64

// FreeNumber returns a number of at least 2 that is not taken. It is the first below 64 that is free. If all of
// these are taken, FreeNumber finds a larger number by binary search, so that it calls taken only a few times.
func FreeNumber(taken func(int) bool) int {
	for n := 2; n < fewTaken; n++ {
		if !taken(n) {
			return n
		}
	}
	high := fewTaken
	for taken(high) {
		high *= 2
	}
	for low := high / 2; low+1 < high; { // low is taken or 1, high is free
		if middle := (low + high) / 2; taken(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
