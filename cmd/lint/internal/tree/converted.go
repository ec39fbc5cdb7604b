package tree

import (
	"bytes"
	"fmt"
	"path/filepath"
)

// Converted is the error of a file of a work tree that Git does not write as it is committed. Flux
// takes the commit, or what is on the disk where that is packed: which one is not known.
type Converted struct {
	Attribute string // working-tree-encoding=UTF-16
}

func (c Converted) Error() string {
	return fmt.Sprintf("has other bytes here than in the commit, or may have: Git converts it (%s in .gitattributes), and what Flux gets is not known; take the attribute away", c.Attribute)
}

// Committed returns what the commit has of a file of the disk with some content, as far as that
// is known; else the error is [Converted].
func Committed(name string, data []byte) ([]byte, error) {
	r := repositoryAt(filepath.Dir(name), ".")
	return r.committed(filepath.Base(name), data)
}

// committed returns what the commit has of a file that was read from the work tree. Ends of
// lines are those of the commit in all that is not YAML, to which they are the same.
func (r *repository) committed(name string, data []byte) ([]byte, error) {
	own := relative(r.dir, name)
	if attribute := r.attributes.Of(own); attribute != "" && !r.tracked().Holds(own, data) {
		return nil, Converted{attribute}
	}
	if isManifest(name) || !bytes.Contains(data, []byte("\r\n")) {
		return data, nil
	}
	if plain := bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")); r.tracked().Holds(own, plain) {
		return plain, nil
	}
	return data, nil
}
