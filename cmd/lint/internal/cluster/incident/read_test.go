package incident

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/printed"
)

// TestRead: a HelmRelease is found wherever kubectl may print it.
func TestRead(t *testing.T) {
	const shop = `{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: shop, namespace: apps}%s}`
	for text, want := range map[string]int{
		fmt.Sprintf(shop, ""):                                             1,
		fmt.Sprintf(shop, ", items: []"):                                  1,
		`{kind: List, items: [` + fmt.Sprintf(shop, "") + `]}`:            1,
		`{kind: List, items: [` + fmt.Sprintf(shop, ", items: []") + `]}`: 1,
		`{kind: List, items: [{kind: List, items: [` + fmt.Sprintf(shop, "") + `, {kind: HelmRelease}, 3]}]}`: 1,
		`{kind: List, items: {a: b}}`: 0,
	} {
		all, err := Releases(printed.Objects("list.yaml", strings.NewReader(text)), "", "shop")
		if len(all) != want || err != nil {
			t.Errorf("%s: %d releases, %v, want %d", text, len(all), err, want)
		}
	}
}
