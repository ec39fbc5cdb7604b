package rules

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// ClusterConfig declares a cluster whose entry is not in the tree: it is
// bootstrapped from elsewhere.
type ClusterConfig struct {
	// Name of the cluster in reports, for --cluster and for globs.
	Name string `json:"name"`
	// Path is the folder that Flux applies in the cluster, relative to the folder of
	// the configuration.
	Path string `json:"path"`
	// Source is the Flux source that this repository is in the cluster, as
	// KIND/NAMESPACE/NAME. Default: GitRepository/flux-system/flux-system.
	Source string `json:"source,omitempty"`
	// Tier of its releases, where spec.tiers does not say.
	Tier release.Tier `json:"tier,omitempty"`
	// Controller is its helm-controller.
	Controller ClusterController `json:"controller,omitzero"`
}

// ClusterController is the helm-controller of a declared cluster.
type ClusterController struct {
	// Version of helm-controller there.
	Version string `json:"version,omitempty"`
	// Gates given to it there.
	Gates release.Gates `json:"gates,omitempty"`
}

// cluster returns what is declared of a cluster; nil if nothing is.
func (c *Config) cluster(name string) *ClusterConfig {
	i := slices.IndexFunc(c.Spec.Clusters, func(d ClusterConfig) bool { return name != "" && d.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Spec.Clusters[i]
}

// validate checks an entry of spec.clusters by itself.
func (d ClusterConfig) validate() error {
	var errs []error
	if d.Name == "" {
		errs = append(errs, errors.New("name is missing"))
	}
	if d.Path == "" {
		errs = append(errs, errors.New(`path is missing: the folder that Flux applies in the cluster, "." for all of it`))
	}
	if d.Path != "" && !filepath.IsLocal(d.Path) {
		errs = append(errs, fmt.Errorf("path %q is not below the folder of the configuration", d.Path))
	}
	if d.Source != "" {
		errs = append(errs, validSource(d.Source))
	}
	if d.Tier != "" {
		_, err := release.ParseTier(string(d.Tier))
		errs = append(errs, err)
	}
	controller := release.Controller{Version: d.Controller.Version, Gates: d.Controller.Gates}
	return errors.Join(append(errs, controller.Validate())...)
}

// validClusters checks spec.clusters as a whole.
func validClusters(all []ClusterConfig) error {
	seen := map[string]bool{}
	for _, d := range all {
		if seen[d.Name] {
			return fmt.Errorf("two entries have the name %q", d.Name)
		}
		seen[d.Name] = true
	}
	return nil
}

// validSource checks the name of a Flux source.
func validSource(name string) error {
	if parts := strings.Split(name, "/"); len(parts) != 3 || slices.Contains(parts, "") {
		return fmt.Errorf("%q names no source: want KIND/NAMESPACE/NAME, as GitRepository/flux-system/flux-system", name)
	}
	return nil
}

// validSources checks spec.sources.
func validSources(sources map[string]string) error {
	for _, name := range sortedKeys(sources) {
		if err := validSource(name); err != nil {
			return err
		}
		if sources[name] == "" || filepath.IsAbs(sources[name]) {
			return fmt.Errorf("%s: %q is no folder relative to that of the configuration", name, sources[name])
		}
	}
	return nil
}
