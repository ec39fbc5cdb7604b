package vap

import (
	"slices"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// TestSteps compares the forecast of each number of retries with that of the kind that
// stands for it.
func TestSteps(t *testing.T) {
	installs, upgrades := retried(installs), retried(upgrades)
	for i, install := range installs {
		for j, upgrade := range upgrades {
			if (i+j)%7 > 0 { // each with some of the others, to save time
				continue
			}
			want := endings(install, upgrade, release.Controller{})
			for _, retries := range between(i) {
				many := install
				many.Retries = retries
				if !slices.Equal(want, endings(many, upgrade, release.Controller{})) {
					t.Errorf("%d retries of an install end otherwise than %d: %+v, %+v", retries, install.Retries, install, upgrade)
				}
			}
			for _, retries := range between(j) {
				many := upgrade
				many.Retries = retries
				if !slices.Equal(want, endings(install, many, release.Controller{})) {
					t.Errorf("%d retries of an upgrade end otherwise than %d: %+v, %+v", retries, upgrade.Retries, upgrade, install)
				}
			}
		}
	}
}

// between returns numbers of retries of the same kind as the ith.
func between(i int) []int {
	return [][]int{{-9}, nil, nil, {3, 8}, {10, 50}}[i%len(steps)]
}
