package git

import "github.com/go-git/go-git/v5/plumbing"

// Hash names an object.
type Hash = plumbing.Hash

func parseHash(text string) (Hash, bool) {
	return plumbing.NewHash(text), plumbing.IsHash(text)
}
