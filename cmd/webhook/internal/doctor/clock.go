package doctor

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// skew is how far clocks may be apart. A header has whole seconds, and an answer takes its
// time.
const skew = 15 * time.Second

// clock compares the clock here with that of the API server. Waivers end by it, and
// certificates.
func (i Installation) clock(ctx context.Context, _ kubernetes.Interface) (string, error) {
	client, err := rest.HTTPClientFor(i.Access)
	if err != nil {
		return "", err
	}
	client.Timeout = patient
	url, _, err := rest.DefaultServerUrlFor(i.Access)
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url.JoinPath("/version").String(), nil)
	if err != nil {
		return "", err
	}
	response, err := client.Do(request)
	if err != nil {
		return "", explain("the clock of the API server", err)
	}
	defer response.Body.Close()
	there, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return "", fmt.Errorf("the clock of the API server cannot be read: its answer has no date")
	}
	if apart := i.Now().Sub(there).Round(time.Second); apart.Abs() > skew {
		return "", fmt.Errorf("the clock here is %s from that of the API server (%s): waivers and certificates end at another time; "+
			"synchronise the clocks of the nodes", apart, there.UTC().Format(time.RFC3339))
	}
	return "as that of the API server", nil
}
