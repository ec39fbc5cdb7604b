package live

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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

// Host is what a process had before it was sealed, and what the credential plugins
// of a kubeconfig need, and a command that was named for a key. Nothing else is started.
type Host struct {
	// Path is the variable PATH.
	Path string
	// Stderr is where plugins ask for a login.
	Stderr *os.File
}

// prepare has a plugin found, and find others, by the path of the host.
func (h Host) prepare(plugin *api.ExecConfig) {
	if plugin == nil || h.Path == "" {
		return
	}
	if filepath.Base(plugin.Command) == plugin.Command {
		plugin.Command = h.Find(plugin.Command)
	}
	plugin.Env = append(plugin.Env, api.ExecEnvVar{Name: "PATH", Value: h.Path})
}

// Find returns the file of a program. One that is not found keeps its name, which the
// error then tells.
func (h Host) Find(program string) string {
	for _, dir := range filepath.SplitList(h.Path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if file, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
			return file
		}
	}
	return strings.TrimSpace(program)
}

// aloud runs f while messages of plugins are shown. They write where standard error
// was when they were set up.
func (h Host) aloud(f func() error) error {
	if h.Stderr != nil {
		muted := os.Stderr
		os.Stderr = h.Stderr
		defer func() { os.Stderr = muted }()
	}
	return f()
}
