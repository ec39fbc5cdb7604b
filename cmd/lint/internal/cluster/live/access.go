package live

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// Access says which cluster is meant, in the words of kubectl. The zero value is
// what kubectl takes without flags: the current context or, in a pod, its cluster.
type Access struct {
	// Kubeconfig is a file; empty for those of $KUBECONFIG, or ~/.kube/config.
	Kubeconfig string
	// Context is one of the kubeconfig; empty for the current one.
	Context string
	Host    Host
	// Limit is how long one answer may take as a whole. A cluster that takes longer is asked
	// nothing else. Zero only limits how long an answer may take to begin.
	Limit time.Duration

	read *api.Config // as Read has read it
}

// Cluster answers questions about a running cluster.
type Cluster struct {
	// Name is that of the context; empty in a pod.
	Name string
	// Namespace is the one that the context names, "default" if it names none.
	Namespace string

	base *url.URL
	http *http.Client
	// patience is how long an answer may take to begin, limit how long as a whole; zero for
	// as long as it takes.
	patience, limit time.Duration
	// lost is why the cluster is asked nothing else; nil if it answers.
	lost error
}

// patience is how long an answer of an API server may take to begin: longer than any list of a
// page, and short enough for somebody who waits.
const patience = 30 * time.Second

// Open finds a cluster and the credentials for it. It asks the cluster nothing.
func (a Access) Open() (*Cluster, error) {
	loader := a.loader()
	config, err := loader.ClientConfig()
	if err != nil {
		return nil, a.explain(err)
	}
	namespace, _, err := loader.Namespace()
	if err != nil {
		return nil, a.explain(err)
	}
	a.Host.prepare(config.ExecProvider)
	config.UserAgent = "flux-remedy"
	config.Proxy = orEnvironment(config.Proxy) // a transport of its own, also without TLS
	c := &Cluster{Name: a.name(loader), Namespace: namespace, patience: patience, limit: a.Limit}
	if c.base, _, err = rest.DefaultServerUrlFor(config); err != nil {
		return nil, a.explain(err)
	}
	err = a.Host.aloud(func() (err error) {
		c.http, err = rest.HTTPClientFor(config)
		return err
	})
	return c, err
}

// Close ends the connections to a cluster that is asked nothing else.
func (c *Cluster) Close() { utilnet.CloseIdleConnectionsFor(c.http.Transport) }

// Read returns the same access to a kubeconfig that is read once for all its contexts.
func (a Access) Read() (Access, error) {
	raw, err := a.loader().RawConfig()
	if err != nil {
		return a, a.explain(err)
	}
	a.read = &raw
	return a, nil
}

// Contexts lists the contexts of the kubeconfig by name.
func (a Access) Contexts() ([]string, error) {
	raw, err := a.loader().RawConfig()
	if err != nil {
		return nil, a.explain(err)
	}
	return slices.Sorted(maps.Keys(raw.Contexts)), nil
}

func (a Access) loader() clientcmd.ClientConfig {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = a.Kubeconfig
	if a.read != nil && (a.Context != "" || len(a.read.Contexts) > 0) {
		return clientcmd.NewNonInteractiveClientConfig(*a.read, a.Context, &clientcmd.ConfigOverrides{}, rules)
	}
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: a.Context})
}

// name returns the name of the context that is used.
func (a Access) name(loader clientcmd.ClientConfig) string {
	if a.Context != "" {
		return a.Context
	}
	raw, _ := loader.RawConfig() // without one the cluster has no name
	return raw.CurrentContext
}

func (a Access) explain(err error) error {
	if clientcmd.IsEmptyConfig(err) {
		return fmt.Errorf("no cluster is known: there is no kubeconfig (--kubeconfig, $KUBECONFIG, ~/.kube/config), and this is no pod")
	}
	return fmt.Errorf("find the cluster: %w", err)
}

type proxy = func(*http.Request) (*url.URL, error)

func orEnvironment(p proxy) proxy {
	if p == nil {
		return http.ProxyFromEnvironment
	}
	return p
}
