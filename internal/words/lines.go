package words

// CommonLines counts the lines that two texts have in common at the beginning, and those of the rest that they
// have in common at the end.
func CommonLines(a, b []string) (head, tail int) {
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}
