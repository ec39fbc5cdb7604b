package main

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// elsewhere is a kustomization that sets another namespace and other names on an overlay.
const elsewhere = "namespace: platform\nnamePrefix: team-\nresources: [../%s]\n"

// own are the places of texts that are no references, though they are written as the names
// of objects are.
var own = regexp.MustCompile(`metadata\.labels|matchLabels|\.selector\.app|spec\.commonName|spec\.groups|` +
	`Certificate\.spec\.secretName|Issuer\.spec\.ca\.secretName|dnsNames\.2|serverName|ConfigMap\.data`)

// inOwn matches the namespace of the manifests, and a name in it.
var inOwn = regexp.MustCompile(`^(?:flux-remedy/([a-z-]+)|([a-z-]+)\.flux-remedy(\.svc.*))$`)

// TestPlaced builds every overlay in another namespace with other names: each reference, and
// nothing else, is to the object that it was to.
func TestPlaced(t *testing.T) {
	for _, overlay := range folders(t, "overlays") {
		t.Run(overlay, func(t *testing.T) {
			before, after := build(t, overlay), around(t, fmt.Sprintf(elsewhere, overlay))
			var names []string
			for _, object := range before {
				names = append(names, object.GetName())
			}
			var want, got []any
			for _, object := range before {
				want = append(want, placed(object.GetKind(), object.Object, names))
			}
			for _, object := range after {
				got = append(got, object.Object)
			}
			byName := func(a, b any) int { return strings.Compare(titleOf(a), titleOf(b)) }
			slices.SortFunc(want, byName)
			slices.SortFunc(got, byName)
			for i := range want {
				if !reflect.DeepEqual(want[i], got[i]) {
					t.Errorf("%s:\n%v\nwant\n%v", titleOf(want[i]), got[i], want[i])
				}
			}
		})
	}
}

func titleOf(object any) string {
	u := unstructured.Unstructured{Object: object.(map[string]any)}
	return u.GetKind() + " " + u.GetNamespace() + "/" + u.GetName()
}

// placed returns a value of an object as it is elsewhere; names are those of all objects.
func placed(path string, value any, names []string) any {
	switch value := value.(type) {
	case map[string]any:
		all := map[string]any{}
		for key, of := range value {
			all[key] = placed(path+"."+key, of, names)
		}
		return all
	case []any:
		var all []any
		for i, of := range value {
			all = append(all, placed(fmt.Sprintf("%s.%d", path, i), of, names))
		}
		return all
	case string:
		if !own.MatchString(path) {
			return renamed(path, value, names)
		}
	}
	return value
}

func renamed(path, text string, names []string) string {
	match := inOwn.FindStringSubmatch(text)
	switch {
	case match != nil && match[1] != "":
		return "platform/team-" + match[1]
	case match != nil:
		return "team-" + match[2] + ".platform" + match[3]
	case text != "flux-remedy" && slices.Contains(names, text):
		return "team-" + text
	case text == "flux-remedy" && regexp.MustCompile(`namespace$|\.values\.|^Namespace\.`).MatchString(path):
		return "platform"
	case text == "flux-remedy":
		return "team-" + text
	}
	return text
}
