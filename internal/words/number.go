package words

// fewTaken is how many numbers FreeNumber tries one by one.
const fewTaken = 64

// FreeNumber returns a number from 2 on that is not taken. It is the first such number,
// unless many are taken. FreeNumber tries few numbers even if very many are taken.
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
