package main

import (
	"encoding/base64"
	"reflect"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
	"github.com/flux-remedy/remedy/pkg/loss"
)

// cluster is what templates find with lookup: what the release itself has put there before.
type cluster struct {
	namespace string // of objects that name none
	objects   []map[string]any
	asked     *[]string // what is not there
}

// mostAsked is how many objects are named.
const mostAsked = 20

// asMade are the kinds of which the cluster has what was made: they have no status.
var asMade = map[string]bool{"Secret": true, "ConfigMap": true}

// lookup returns an object; empty, as Helm does, if it is not there.
func (c *cluster) lookup(_, kind, namespace, name string) (map[string]any, error) {
	for _, o := range c.objects {
		metadata, _ := o["metadata"].(map[string]any)
		in, _ := metadata["namespace"].(string)
		if in == "" {
			in = c.namespace
		}
		if o["kind"] == kind && asMade[kind] && metadata["name"] == name && (namespace == "" || namespace == in) {
			return stored(o), nil
		}
	}
	asked := strings.TrimSpace(kind + " " + strings.Trim(namespace+"/"+name, "/"))
	if !slices.Contains(*c.asked, asked) && len(*c.asked) < mostAsked {
		*c.asked = append(*c.asked, asked)
	}
	return map[string]any{}, nil
}

// stored returns an object as the API server has it: stringData of a Secret is in its data.
func stored(object map[string]any) map[string]any {
	object = runtime.DeepCopyJSON(object) // templates may change what they get
	texts, ok := object["stringData"].(map[string]any)
	if !ok || object["kind"] != "Secret" {
		return object
	}
	delete(object, "stringData")
	data, _ := object["data"].(map[string]any)
	if data == nil {
		data = map[string]any{}
	}
	for key, value := range texts {
		text, _ := value.(string)
		data[key] = base64.StdEncoding.EncodeToString([]byte(text))
	}
	object["data"] = data
	return object
}

// unanswered returns what of all that a chart asks the cluster may change what an uninstall deletes.
// Most charts ask for what they have made themselves, such as a password. So they are rendered once
// more with what the install has made in the cluster, as the next upgrade or, where the chart refuses
// that, as another install: if the same holds data then, these questions do not matter.
func unanswered(out *charts.Result, c *chart.Chart, job charts.Job) []string {
	if len(out.Asks) == 0 {
		return nil
	}
	for _, options := range []common.ReleaseOptions{
		{Name: job.Name, Namespace: job.Namespace, Revision: 2, IsUpgrade: true},
		{Name: job.Name, Namespace: job.Namespace, Revision: 2, IsInstall: true},
	} {
		var asked []string
		next, err := installed(c, job, options, &cluster{job.Namespace, out.Documents, &asked})
		if err == nil && reflect.DeepEqual(data(out.Documents), data(next)) {
			return asked
		} else if err == nil {
			break
		}
	}
	return out.Asks
}

func data(documents []map[string]any) [2][]loss.Fate {
	l := loss.Of(loss.Release{Documents: documents})
	return [2][]loss.Fate{l.Gone, l.Kept}
}
