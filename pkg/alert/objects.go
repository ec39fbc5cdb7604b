package alert

// Group is the API group of Alerts and Providers.
const Group = "notification.toolkit.fluxcd.io"

// alertSpec and providerSpec are the fields of both that decide who is told, as
// notification-controller's API has them. A test in hack holds them to its types.
type alertSpec struct {
	ProviderRef struct {
		Name string `json:"name"`
	} `json:"providerRef"`
	EventSources  []eventSource     `json:"eventSources"`
	InclusionList []string          `json:"inclusionList"`
	ExclusionList []string          `json:"exclusionList"`
	EventMetadata map[string]string `json:"eventMetadata"`
	Suspend       bool              `json:"suspend"`
}

type eventSource struct {
	Kind        string            `json:"kind"`
	Name        string            `json:"name"`
	Namespace   string            `json:"namespace"`
	MatchLabels map[string]string `json:"matchLabels"`
}

type providerSpec struct {
	Type             string `json:"type"`
	Channel          string `json:"channel"`
	Address          string `json:"address"`
	Suspend          bool   `json:"suspend"`
	CommitStatusExpr string `json:"commitStatusExpr"`
}

// Specs returns the fields that are read of an Alert and of a Provider, for the test that
// compares them with the API.
func Specs() (alertFields, providerFields any) { return alertSpec{}, providerSpec{} }
