package draft

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"strings"
)

// blobID returns the name under which Git keeps a content.
func blobID(data []byte) string {
	return fmt.Sprintf("%x", sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...)))
}

// binaryPatch returns a change as a "GIT binary patch" that holds the difference alone.
func binaryPatch(old, new []byte) string {
	change := delta(old, new)
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(change) // to memory
	_ = w.Close()
	var out strings.Builder
	fmt.Fprintf(&out, "GIT binary patch\ndelta %d\n", len(change))
	for data := packed.Bytes(); len(data) > 0; {
		n := min(len(data), 52)
		length := byte('A' + n - 1)
		if n > 26 {
			length = byte('a' + n - 27)
		}
		out.WriteByte(length)
		out.WriteString(base85(data[:n]) + "\n")
		data = data[n:]
	}
	return out.String() + "\n"
}

const digits85 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"

// base85 encodes bytes as Git does, padded with zeros to groups of four.
func base85(data []byte) string {
	var out []byte
	for len(data) > 0 {
		var group [4]byte
		data = data[copy(group[:], data):]
		n := binary.BigEndian.Uint32(group[:])
		var text [5]byte
		for i := 4; i >= 0; i-- {
			text[i], n = digits85[n%85], n/85
		}
		out = append(out, text[:]...)
	}
	return string(out)
}

// shortest is the length from which on equal bytes are copied and not written.
const shortest = 4

// mostMatches bounds the places that are compared for one match.
const mostMatches = 64

// delta returns what makes new of old, in Git's format: the sizes, then what is copied from old
// and what is written. All that old has is copied, so that none of it is written.
func delta(old, new []byte) []byte {
	out := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(old))), uint64(len(new)))
	places := map[string][]int{}
	for i := 0; i+shortest <= len(old); i++ {
		key := string(old[i : i+shortest])
		places[key] = append(places[key], i)
	}
	var written []byte
	flush := func() {
		for len(written) > 0 {
			n := min(len(written), 127)
			out = append(append(out, byte(n)), written[:n]...)
			written = written[n:]
		}
	}
	last := 0 // where the next bytes of old are
	for len(new) > 0 {
		at, n := longest(old, new, places, last)
		if n == 0 {
			written, new = append(written, new[0]), new[1:]
			continue
		}
		flush()
		out = appendCopy(out, at, n)
		new, last = new[n:], at+n
	}
	flush()
	return out
}

// longest returns the longest part of old that new begins with; nothing if there is none that is
// worth while. The place that follows the last copy is tried first.
func longest(old, new []byte, places map[string][]int, last int) (at, n int) {
	if len(new) < shortest {
		return 0, 0
	}
	tried := places[string(new[:shortest])]
	for _, i := range append([]int{last}, tried[:min(len(tried), mostMatches)]...) {
		k := 0
		for i+k < len(old) && k < len(new) && old[i+k] == new[k] {
			k++
		}
		if k >= shortest && k > n {
			at, n = i, k
		}
	}
	return at, n
}

// mostCopied is how many bytes one instruction copies.
const mostCopied = 0xffff

// appendCopy appends instructions that copy bytes of old.
func appendCopy(out []byte, at, n int) []byte {
	for n > 0 {
		size := min(n, mostCopied)
		op, args := byte(0x80), []byte(nil)
		for i := range 4 {
			if b := byte(at >> (8 * i)); b != 0 {
				op, args = op|1<<i, append(args, b)
			}
		}
		for i := range 2 {
			if b := byte(size >> (8 * i)); b != 0 {
				op, args = op|0x10<<i, append(args, b)
			}
		}
		out = append(append(out, op), args...)
		at, n = at+size, n-size
	}
	return out
}
