package draft

import "slices"

// mostCompared bounds the lines of a change that are compared with each other.
const mostCompared = 1000

// minimal returns a diff in which no line goes and comes back where it was. The one that it
// is made from holds on to lines that are there once, and fields such as "retries: 3" are not.
func minimal(lines []patchLine) []patchLine {
	var out []patchLine
	for len(lines) > 0 {
		gone := countWhile(lines, '-')
		come := countWhile(lines[gone:], '+')
		if gone+come == 0 {
			out, lines = append(out, lines[0]), lines[1:]
			continue
		}
		out = append(out, common(lines[:gone], lines[gone:gone+come])...)
		lines = lines[gone+come:]
	}
	return out
}

func countWhile(lines []patchLine, mark byte) int {
	n := slices.IndexFunc(lines, func(l patchLine) bool { return l.mark != mark })
	if n < 0 {
		return len(lines)
	}
	return n
}

// common writes lines that go and lines that come as one change, with the most lines that
// stay between them.
func common(gone, come []patchLine) []patchLine {
	if max(len(gone), len(come)) > mostCompared {
		return slices.Concat(gone, come)
	}
	stay := staying(gone, come)
	var out, after []patchLine
	for len(gone) > 0 && len(come) > 0 {
		i, j := len(stay)-len(gone)-1, len(stay[0])-len(come)-1
		switch {
		case gone[0].text == come[0].text:
			l := gone[0]
			l.mark, l.new, l.hidden = ' ', come[0].new, l.hidden || come[0].hidden
			out, after = append(append(out, after...), l), nil
			gone, come = gone[1:], come[1:]
		case stay[i+1][j] >= stay[i][j+1]:
			out, gone = append(out, gone[0]), gone[1:]
		default:
			after, come = append(after, come[0]), come[1:]
		}
	}
	return slices.Concat(out, gone, after, come)
}

// staying returns for each rest of two lists of lines how many lines both can keep.
func staying(gone, come []patchLine) [][]int {
	out := make([][]int, len(gone)+1)
	for i := range out {
		out[i] = make([]int, len(come)+1)
	}
	for i := len(gone) - 1; i >= 0; i-- {
		for j := len(come) - 1; j >= 0; j-- {
			if out[i][j] = max(out[i+1][j], out[i][j+1]); gone[i].text == come[j].text {
				out[i][j] = out[i+1][j+1] + 1
			}
		}
	}
	return out
}
