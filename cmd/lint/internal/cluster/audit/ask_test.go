package audit

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
)

// hang takes a request for a path, or for all if it is empty, and does not answer it.
func hang(path string) func(http.ResponseWriter, *http.Request) bool {
	return func(_ http.ResponseWriter, r *http.Request) bool {
		if path != "" && r.URL.Path != path {
			return false
		}
		<-r.Context().Done()
		return true
	}
}

// breakOff answers the second page of a list in part.
func breakOff(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Query().Get("continue") == "" {
		return false
	}
	fmt.Fprint(w, `{"items": [{"apiVersion"`)
	w.(http.Flusher).Flush()
	<-r.Context().Done()
	return true
}

// Clusters that hang, refuse or break off hide nothing of the others, nor what they have said
// themselves. Each is named, and what hangs is asked once.
func TestFleet(t *testing.T) {
	servers, bad := map[string]*livetest.Server{}, map[string]int{}
	for i := range 60 {
		name := fmt.Sprintf("c-%02d", i)
		server := livetest.New(t, ready("apps", "a"), stalled("apps", "b"), failing("data", "c", 2))
		server.Page = 2
		servers[name] = server
		switch i % 20 {
		case 3:
			server.Before, bad[name] = hang(""), 0
		case 7:
			server.Before, bad[name] = breakOff, 2
		case 11:
			server.Before = func(w http.ResponseWriter, _ *http.Request) bool {
				livetest.Refuse(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized")
				return true
			}
			bad[name] = 0
		case 13:
			server.Before, bad[name] = refuse("/api/v1/namespaces"), 3
		case 17:
			server.Before, bad[name] = hang("/apis/apps/v1/namespaces/flux-system/deployments/helm-controller"), 0
		}
	}
	r := run(t, Options{All: true, ClusterTimeout: 5 * time.Second}, servers)
	if len(r.Clusters) != len(servers) || len(r.Problems) != len(bad) {
		t.Errorf("%d clusters; problems:\n%s", len(r.Clusters), strings.Join(r.Problems, "\n"))
	}
	for i, c := range r.Clusters {
		want, incomplete := bad[c.Name]
		if !incomplete {
			want = 3
		}
		if c.Name != fmt.Sprintf("c-%02d", i) || c.Incomplete != incomplete || c.Releases != want {
			t.Errorf("%d: %+v, want %d releases", i, c, want)
		}
		if said := slices.ContainsFunc(r.Problems, func(p string) bool { return strings.Contains(p, c.Name+" ") }); said != incomplete {
			t.Errorf("%s: named in a problem: %t, want %t", c.Name, said, incomplete)
		}
	}
	if got, want := textOf(t, r, Options{Outputs: []string{"text"}}), "9 of 60 clusters could not be read: c-03, c-11, c-17, c-23, c-31, c-37, c-43, c-51, c-57\nc-07: HelmReleases: 2 ("; !strings.Contains(got, want) {
		t.Errorf("the text is %s, want %s", got, want)
	}
	if n := len(servers["c-03"].Requests()); n != 1 {
		t.Errorf("a cluster that hangs was asked %d times", n)
	}
}

// When the time of the run is over, what is known is said, and which clusters are missing.
func TestOver(t *testing.T) {
	good, bad := livetest.New(t, ready("apps", "a")), livetest.New(t, ready("apps", "a"))
	answered := make(chan struct{})
	good.Before = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/helmreleases") {
			close(answered)
		}
		return false
	}
	bad.Before = hang("")
	servers := map[string]*livetest.Server{"bad": bad, "one": good}
	r := run(t, Options{All: true, ClusterTimeout: time.Hour, Until: time.Now().Add(5 * time.Second)}, servers)
	<-answered
	if len(r.Releases) != 1 || !r.Clusters[0].Incomplete || r.Clusters[1].Incomplete {
		t.Errorf("%+v", r.Clusters)
	}
	if len(r.Problems) != 1 || r.Problems[0] != errOver.Error()+": 1 of 2 clusters had not answered: bad" {
		t.Errorf("%q", r.Problems)
	}
	r = run(t, Options{All: true, Until: time.Now()}, servers)
	if len(r.Problems) != 1 || r.Problems[0] != errOver.Error()+": 2 of 2 clusters had not answered: bad, one" || !r.Clusters[0].Incomplete || !r.Clusters[1].Incomplete {
		t.Errorf("%q %+v", r.Problems, r.Clusters)
	}
}

// Contexts are chosen by name and by glob, of one kubeconfig and of each in a folder.
func TestTargets(t *testing.T) {
	server, dir := livetest.New(t), t.TempDir()
	for file, names := range map[string][]string{"de.yaml": {"admin", "prod-de", "arn:aws:eks:x:cluster/prod"}, "us.yaml": {"admin", "prod-us", "prod-[us]"}} {
		servers := map[string]*livetest.Server{}
		for _, name := range names {
			servers[name] = server
		}
		if err := livetest.Kubeconfig(filepath.Join(dir, file), "admin", servers); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "cache"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file     string
		contexts []string
		want     string // or the error
	}{
		{"", nil, "de/admin arn:aws:eks:x:cluster/prod prod-de us/admin prod-[us] prod-us"},
		{"", []string{"prod-*"}, "prod-de prod-[us] prod-us"},
		{"", []string{"admin"}, "de/admin us/admin"},
		{"", []string{"**/prod"}, "arn:aws:eks:x:cluster/prod"},
		{"", []string{"other"}, "--context other: no context of the kubeconfig matches"},
		{"us.yaml", nil, ""},
		{"us.yaml", []string{"prod-[us]"}, "prod-[us]"},
		{"us.yaml", []string{"prod-us", "prod-*"}, "prod-us prod-[us]"},
		{"us.yaml", []string{"other"}, "other"},
		{"us.yaml", []string{"other-*"}, "--context other-*: no context of the kubeconfig matches"},
	} {
		o := Options{Access: live.Access{Kubeconfig: filepath.Join(dir, c.file)}, Contexts: c.contexts}
		all, err := o.targets(&collector{})
		var names []string
		for _, one := range all {
			names = append(names, one.name)
		}
		if err != nil {
			names = []string{err.Error()}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.file, c.contexts, got, c.want)
		}
	}
}

// A file of a folder that is no kubeconfig hides no other.
func TestFolder(t *testing.T) {
	server, dir := livetest.New(t, ready("apps", "a")), t.TempDir()
	if err := livetest.Kubeconfig(filepath.Join(dir, "a.yaml"), "one", map[string]*livetest.Server{"one": server}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.yaml"), []byte("\tnone"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := Options{Access: live.Access{Kubeconfig: dir}, All: true}
	r, err := o.Run(t.Context(), disk(t, nil), configured(t, "{}"), engine(t), now)
	if err != nil || len(r.Releases) != 1 || len(r.Problems) != 1 || !strings.Contains(r.Problems[0], "b.yaml") {
		t.Errorf("%v, %q, %d releases", err, r.Problems, len(r.Releases))
	}
}
