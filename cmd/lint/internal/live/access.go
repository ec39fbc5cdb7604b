package live

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Access says which cluster is meant, in the words of kubectl. The zero value is
// what kubectl takes without flags: the current context or, in a pod, its cluster.
type Access struct {
	// Kubeconfig is a file; empty for those of $KUBECONFIG, or ~/.kube/config.
	Kubeconfig string
	// Context is one of the kubeconfig; empty for the current one.
	Context string
	Host    Host
}

// Cluster answers questions about a running cluster.
type Cluster struct {
	// Name is that of the context; empty in a pod.
	Name string
	// Namespace is the one that the context names, "default" if it names none.
	Namespace string

	base *url.URL
	http *http.Client
	// patience is how long an answer may take to begin.
	patience time.Duration
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
	c := &Cluster{Name: a.name(loader), Namespace: namespace, patience: patience}
	if c.base, _, err = rest.DefaultServerUrlFor(config); err != nil {
		return nil, a.explain(err)
	}
	err = a.Host.aloud(func() (err error) {
		c.http, err = rest.HTTPClientFor(config)
		return err
	})
	return c, err
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
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: a.Context})
}

// name returns the name of the context that is used.
func (a Access) name(loader clientcmd.ClientConfig) string {
	if raw, err := loader.RawConfig(); a.Context == "" && err == nil {
		return raw.CurrentContext
	}
	return a.Context
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
