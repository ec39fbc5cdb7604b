package charts

// Job is a chart that is rendered with the values of a release, in the process of
// flux-remedy-charts.
type Job struct {
	// Archive is the chart as an archive; empty if Files hold it.
	Archive []byte
	// Files are those of the chart's folder, by path.
	Files map[string][]byte
	// Laid are the folders and archives among them that were laid into the chart as dependencies: what the
	// chart ignores is not of them.
	Laid []string
	// ValuesFiles take the place of the chart's values, merged in their order; nil leaves those. Each
	// is a path in the chart, or the text itself if Files hold the chart.
	ValuesFiles []string
	// SkipMissing reports whether a missing file of ValuesFiles is left out.
	SkipMissing bool
	// From are the values of spec.valuesFrom, Values those of spec.values, which go over them.
	From   []Values
	Values map[string]any
	// Name and Namespace are those of the Helm release.
	Name, Namespace string
	// PostRenderers and CommonMetadata are those of the release's spec.
	PostRenderers []any
	// AnyValues reports whether values are not held to the schema of the chart.
	AnyValues      bool
	CommonMetadata map[string]any
}

// Values are what a ConfigMap or Secret holds under a key.
type Values struct {
	// Text is YAML. With a Path it is one value instead, in the syntax of helm --set, or as it is if Literal.
	Text    string
	Path    string
	Literal bool
	// Secret reports whether a Secret holds them.
	Secret bool
}

// Result is what Helm renders of a chart.
type Result struct {
	// Chart is its name and version.
	Chart string
	// Documents are those of the templates, Definitions the objects of crds/.
	Documents, Definitions []map[string]any
	// Asks lists what the templates look up on the cluster: "Secret apps/password". Nothing is there
	// when they are rendered.
	Asks []string
	// Problem says why the chart cannot be rendered; empty if it can.
	Problem string
}
