package flux

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Set names the controllers of one Flux: as pinned in the folder of that name, or a version of
// helm-controller, which has no kustomize-controller of its own.
type Set string

// The sets that are pinned: the newest and the oldest controllers that can be had.
const (
	Newest Set = "newest"
	Oldest Set = "oldest"
)

// assets is the folder bin/ of the repository.
var assets = filepath.Join("..", "..", "bin")

// dir is the folder of the set's controllers.
func (s Set) dir() string { return filepath.Join(assets, "flux", string(s)) }

// crds lists the folders of custom resource definitions.
func (s Set) crds() []string {
	return []string{filepath.Join(s.dir(), "crds"), filepath.Join(assets, "flux", "sources")}
}

// Cluster is an API server with its etcd, and the controllers that run in front of it.
type Cluster struct {
	dynamic.Interface
	Artifacts *Artifacts
	// Kubeconfig is that of a user who may do everything.
	Kubeconfig []byte

	heed       func(line string) // is called with what the controllers log
	set        Set
	kubeconfig string // its file
	guard      *guard
	env        *envtest.Environment
	mu         sync.Mutex
	running    []*Controller
}

// Start starts an API server that knows the custom resources of a set, with the folders of more
// definitions. It ends with the test. If that fails, the ends of the controllers' logs are
// among its output; the variable FLUX_LOGS keeps all.
func Start(t testing.TB, set Set, crds ...string) *Cluster {
	t.Helper()
	c := &Cluster{set: set, heed: func(string) {}, guard: newGuard(t, os.Getenv("FLUX_LOGS") != "")}
	t.Cleanup(func() { c.stop(t) })
	c.env = &envtest.Environment{
		BinaryAssetsDirectory:    filepath.Join(c.guard.dir, "bin"),
		CRDInstallOptions:        envtest.CRDInstallOptions{Paths: append(set.crds(), crds...), ErrorIfPathMissing: true},
		ControlPlaneStartTimeout: 3 * time.Minute, // the first start on a busy machine takes its time
		ControlPlaneStopTimeout:  30 * time.Second,
	}
	if err := c.start(); err != nil {
		t.Fatalf("start the API server: %v", err)
	}
	c.Artifacts = serve(t)
	return c
}

func (c *Cluster) start() error {
	programs := map[string]string{"etcd": envtestAssets(), "kube-apiserver": envtestAssets(), "helm-controller": c.set.dir()}
	if c.set == Newest || c.set == Oldest {
		programs["kustomize-controller"] = c.set.dir()
	}
	for name, dir := range programs {
		if err := c.guard.program(name, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	config, err := c.env.Start()
	if err != nil {
		return err
	}
	config.QPS = -1
	if c.Interface, err = dynamic.NewForConfig(config); err != nil {
		return err
	}
	c.Kubeconfig = c.env.KubeConfig
	c.kubeconfig = filepath.Join(c.guard.dir, "kubeconfig")
	return os.WriteFile(c.kubeconfig, c.env.KubeConfig, 0o600)
}

func envtestAssets() string {
	if dir := os.Getenv("KUBEBUILDER_ASSETS"); dir != "" {
		return dir
	}
	return filepath.Join(assets, "envtest")
}

// stop ends all, and shows the logs of a test that has failed.
func (c *Cluster) stop(t testing.TB) {
	for _, p := range c.running {
		p.Kill()
		if t.Failed() {
			t.Log(p.tail(40))
		}
	}
	if err := c.env.Stop(); err != nil {
		t.Log(err)
	}
	if err := c.guard.end(); err != nil {
		t.Log(err)
	}
	if dir := os.Getenv("FLUX_LOGS"); dir != "" {
		t.Log("kept", c.guard.dir)
	}
}

// Context returns the context of a test, which ends early enough to say what it waits for.
func Context(t testing.TB) context.Context {
	ctx := t.Context()
	if limited, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if at, set := limited.Deadline(); set {
			short, cancel := context.WithDeadline(ctx, at.Add(-30*time.Second))
			t.Cleanup(cancel)
			return short
		}
	}
	return ctx
}
