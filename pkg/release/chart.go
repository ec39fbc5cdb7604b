package release

import "strings"

// Where a release names its chart, in the order that counts. The last element of the first
// two is the name of the chart; the third is that of the source which holds it.
var (
	ChartInSource = Path{"spec", "chart", "spec", "chart"}
	ChartInURL    = Path{"spec", "chart", "spec", "url"} // with the kind OCIRepository, since 1.7.0
	ChartInRef    = Path{"spec", "chartRef", "name"}
)

// Chart returns what a release says of its chart, and where: the path or the name in a source,
// the URL of an OCI repository, or the name of the chartRef.
func Chart(object map[string]any) (text string, at Path) {
	for _, at := range []Path{ChartInSource, ChartInURL} {
		if text, ok := at.In(object).(string); ok {
			return text, at
		}
	}
	text, _ = ChartInRef.In(object).(string)
	return text, ChartInRef
}

// ChartName returns the name of a release's chart, or that of its chartRef; empty if the
// release has neither.
func ChartName(object map[string]any) string {
	text, _ := Chart(object)
	return lastElement(text)
}

// lastElement returns the last element of a path or a URL.
func lastElement(path string) string {
	path = strings.TrimSuffix(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}
