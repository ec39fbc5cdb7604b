package flux

import (
	"fmt"
	"maps"
	"testing/fstest"
)

// Chart packs a Helm chart named app, with templates by file name.
func Chart(version string, templates map[string]string) ([]byte, error) {
	files := fstest.MapFS{"app/Chart.yaml": {Data: fmt.Appendf(nil, "apiVersion: v2\nname: app\nversion: %s\n", version)}}
	for name, text := range maps.All(templates) {
		files["app/templates/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return Tar(files, func(string) bool { return true })
}
