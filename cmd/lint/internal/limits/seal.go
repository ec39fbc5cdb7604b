package limits

import (
	"fmt"
	"log"
	"net/http"
	"os"
)

// Seal takes from the process what no command needs, so that nothing in a tree
// can ask for it: kustomize would fetch what a kustomization.yaml names by HTTP
// or with git. What is not in the tree makes its build fail.
func Seal() {
	http.DefaultTransport = noTransport{}
	http.DefaultClient = &http.Client{Transport: noTransport{}}
	_ = os.Setenv("PATH", "") // no program is found by its name
}

// noTransport refuses every request.
type noTransport struct{}

func (noTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("%s is not in the tree, and nothing is fetched", r.URL.Redacted())
}

// Mute sends what libraries write to standard error to nowhere: kustomize notes
// there which fields are deprecated. What the program says goes to its streams,
// and the runtime reports a crash past this variable.
func Mute() {
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stderr = null
		log.SetOutput(null) // which began with the former
	}
}
