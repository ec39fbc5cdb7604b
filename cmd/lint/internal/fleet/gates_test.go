package fleet

import "testing"

// A gate is known of the controllers that have had it, and of no other.
func TestUnknownGates(t *testing.T) {
	for _, c := range []struct {
		controller, gates string
		unknown           int
	}{
		{sourceName, "OptimizedGitClones=false,GitManagedTransport=false,ForceGoGitImplementation=true,CacheSecretsAndConfigMaps=true,ObjectLevelWorkloadIdentity=true", 0},
		{sourceName, "ExternalArtifact=true,DisableConfigWatchers=true", 2},
		{applierName, "ExternalArtifact=true,DisableConfigWatchers=true,DisableCommitStatusEvent=true", 0},
		{applierName, "OptimizedGitClones=true,DetectDrift=true", 2},
		{controllerName, "DefaultToRetryOnFailure=true,DetectDrift=true,UseHelm3Defaults=true", 0},
		{controllerName, "defaultToRetryOnFailure=true,GroupChangeLog=true", 2},
	} {
		if notes := unknownGates(c.controller, c.gates); len(notes) != c.unknown {
			t.Errorf("%s --feature-gates=%s: %q", c.controller, c.gates, notes)
		}
	}
}
