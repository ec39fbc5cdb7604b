package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// fingerprints returns for each finding an identity that outlives edits of its file:
// it is made of the rule, the release, the path and the clusters, never of
// lines. The file counts where no cluster is known. No two are the same.
func fingerprints(findings []Finding) []string {
	seen := map[string]int{}
	prints := make([]string, len(findings))
	for i, f := range findings {
		where := strings.Join(f.Clusters, ",")
		if where == "" {
			where = f.File
		}
		key := strings.Join([]string{f.Rule, f.Release.String(), f.Path, where}, "\n")
		if seen[key]++; seen[key] > 1 {
			key += fmt.Sprintf("\n%d", seen[key])
		}
		sum := sha256.Sum256([]byte(key))
		prints[i] = hex.EncodeToString(sum[:16])
	}
	return prints
}
