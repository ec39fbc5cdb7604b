package git

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Entry is what a folder of a revision holds.
type Entry struct {
	Name string
	Kind Kind
	Hash Hash
}

// Kind says what an entry is.
type Kind int

// Other is a mode that git does not write.
const (
	Other Kind = iota
	File
	Folder
	Link
	Submodule
)

// kindOf returns what a mode says, of which git looks only at the kind.
func kindOf(mode string) Kind {
	bits, err := strconv.ParseUint(mode, 8, 32)
	if err != nil {
		return Other
	}
	switch bits & 0o170000 {
	case 0o040000:
		return Folder
	case 0o120000:
		return Link
	case 0o160000:
		return Submodule
	case 0o100000:
		return File
	}
	return Other
}

var errFolder = errors.New("malformed folder of a revision")

// entries reads a folder.
func (s *store) entries(h Hash) ([]Entry, error) {
	o, err := s.typed(h, plumbing.TreeObject)
	if err != nil {
		return nil, err
	}
	var out []Entry
	for data := o.data; len(data) > 0; {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, spaced := strings.Cut(string(head), " ")
		if !ok || !spaced || len(rest) < len(Hash{}) {
			return nil, fmt.Errorf("object %s: %w", h, errFolder)
		}
		out = append(out, Entry{Name: name, Kind: kindOf(mode), Hash: Hash(rest[:len(Hash{})])})
		data = rest[len(Hash{}):]
	}
	return out, nil
}
