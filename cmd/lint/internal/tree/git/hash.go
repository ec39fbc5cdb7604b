package git

import "github.com/go-git/go-git/v5/plumbing"

// Hash names an object.
type Hash = plumbing.Hash

func parseHash(text string) (Hash, bool) {
	return plumbing.NewHash(text), plumbing.IsHash(text)
}

// BlobHash returns the hash that a file with a content has.
func BlobHash(data []byte) Hash { return plumbing.ComputeHash(plumbing.BlobObject, data) }
