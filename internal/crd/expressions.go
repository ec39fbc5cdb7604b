package crd

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation"
)

// keeps are the checks in CEL of Flux's definitions: each reports whether a value keeps it. Defaults
// are filled in before them. Those that are not here are listed by a test.
var keeps = map[string]func(self any) bool{
	dataRule: keysHold,

	"has(self.configMapRef) != has(self.secretRef)": func(self any) bool { return has(self, "configMapRef") != has(self, "secretRef") },

	"self.metadata.name == 'flux'":              func(self any) bool { return text(child(self, "metadata"), "name") == "flux" },
	"has(self.spec) && has(self.spec.url)":      func(self any) bool { return has(child(self, "spec"), "url") },
	"has(self.spec) && has(self.spec.interval)": func(self any) bool { return has(child(self, "spec"), "interval") },

	"!has(self.serviceAccountName) || (has(self.provider) && (self.provider == 'azure' || self.provider == 'aws'))": func(self any) bool {
		return !has(self, "serviceAccountName") || is(self, "provider", "azure", "aws")
	},
	"self.provider == 'aws' || self.provider == 'generic' || !has(self.sts)": func(self any) bool {
		return is(self, "provider", "aws", "generic", "") || !has(self, "sts")
	},
	"self.provider != 'aws' || !has(self.sts) || self.sts.provider == 'aws'": func(self any) bool {
		return !is(self, "provider", "aws") || !has(self, "sts") || is(child(self, "sts"), "provider", "aws")
	},
	"self.provider != 'generic' || !has(self.sts) || self.sts.provider == 'ldap'": func(self any) bool {
		return !is(self, "provider", "generic", "") || !has(self, "sts") || is(child(self, "sts"), "provider", "ldap")
	},
	"!has(self.sts) || self.sts.provider != 'aws' || !has(self.sts.secretRef)": func(self any) bool {
		return !is(child(self, "sts"), "provider", "aws") || !has(child(self, "sts"), "secretRef")
	},
	"!has(self.sts) || self.sts.provider != 'aws' || !has(self.sts.certSecretRef)": func(self any) bool {
		return !is(child(self, "sts"), "provider", "aws") || !has(child(self, "sts"), "certSecretRef")
	},
	"self.provider != 'generic' || !has(self.serviceAccountName)": func(self any) bool {
		return !is(self, "provider", "generic", "") || !has(self, "serviceAccountName")
	},
	"!has(self.secretRef) || !has(self.serviceAccountName)": func(self any) bool { return !has(self, "secretRef") || !has(self, "serviceAccountName") },
	"!has(self.verify) || self.sourceRef.kind == 'HelmRepository'": func(self any) bool {
		return !has(self, "verify") || is(child(self, "sourceRef"), "kind", "HelmRepository")
	},

	"!has(self.sharding) || !has(self.sharding.storage) || self.sharding.storage != 'persistent' || has(self.storage)": func(self any) bool {
		return !is(child(self, "sharding"), "storage", "persistent") || has(self, "storage")
	},
	"(has(self.objectLevelWorkloadIdentity) && self.objectLevelWorkloadIdentity) || !has(self.multitenantWorkloadIdentity) || !self.multitenantWorkloadIdentity": func(self any) bool {
		return child(self, "objectLevelWorkloadIdentity") == true || child(self, "multitenantWorkloadIdentity") != true
	},
	"!has(self.provider) || self.provider != 'gcp' || self.kind == 'OCIRepository' || self.kind == 'Bucket'": func(self any) bool {
		return !is(self, "provider", "gcp") || is(self, "kind", "OCIRepository", "Bucket")
	},
	"!has(self.provider) || self.provider != 'github' || self.kind == 'GitRepository'": func(self any) bool {
		return !is(self, "provider", "github") || is(self, "kind", "GitRepository")
	},

	"!has(self.steps) || (!has(self.resources) && !has(self.resourcesTemplate))": func(self any) bool {
		return !has(self, "steps") || !has(self, "resources") && !has(self, "resourcesTemplate")
	},
	"has(self.steps) || has(self.resources) || has(self.resourcesTemplate)": func(self any) bool {
		return has(self, "steps") || has(self, "resources") || has(self, "resourcesTemplate")
	},
	"has(self.resources) || has(self.resourcesTemplate)": func(self any) bool { return has(self, "resources") || has(self, "resourcesTemplate") },
	"!has(self.readyExpr) || has(self.ready)":            func(self any) bool { return !has(self, "readyExpr") || has(self, "ready") },
	"!has(self.includeEmptyProviders) || self.name == 'Permute'": func(self any) bool {
		return !has(self, "includeEmptyProviders") || is(self, "name", "Permute")
	},
	"has(self.name) || has(self.selector)":   func(self any) bool { return has(self, "name") || has(self, "selector") },
	"!has(self.name) || !has(self.selector)": func(self any) bool { return !has(self, "name") || !has(self, "selector") },

	"self.type != 'Static' || !has(self.url)":           func(self any) bool { return !is(self, "type", "Static") || !has(self, "url") },
	"self.type != 'ExternalArtifact' || !has(self.url)": func(self any) bool { return !is(self, "type", "ExternalArtifact") || !has(self, "url") },
	"self.type == 'Static' || self.type == 'ExternalArtifact' || has(self.url)": func(self any) bool {
		return is(self, "type", "Static", "ExternalArtifact") || has(self, "url")
	},
	"!self.type.startsWith('Git') || self.url.startsWith('http')": func(self any) bool {
		return !strings.HasPrefix(text(self, "type"), "Git") || strings.HasPrefix(text(self, "url"), "http")
	},
	"!self.type.endsWith('ArtifactTag') || self.url.startsWith('oci')": func(self any) bool {
		return !strings.HasSuffix(text(self, "type"), "ArtifactTag") || strings.HasPrefix(text(self, "url"), "oci")
	},
}

// dataRule stands for what Kubernetes checks of ConfigMaps and Secrets itself.
// Source: ValidateConfigMap and ValidateSecret of k8s.io/kubernetes.
const dataRule = "keys of data and binaryData are valid, and none is in both"

func keysHold(self any) bool {
	binary, _ := child(self, "binaryData").(map[string]any)
	for _, field := range []string{"data", "binaryData", "stringData"} {
		values, _ := child(self, field).(map[string]any)
		for key := range values {
			_, twice := binary[key]
			if len(validation.IsConfigMapKey(key)) > 0 || twice && field == "data" {
				return false
			}
		}
	}
	return true
}

func child(v any, name string) any {
	m, _ := v.(map[string]any)
	return m[name]
}

func has(v any, name string) bool { return child(v, name) != nil }

func text(v any, name string) string {
	out, _ := child(v, name).(string)
	return out
}

// is reports whether a field is one of some texts; left out, it is empty.
func is(v any, name string, of ...string) bool { return slices.Contains(of, text(v, name)) }

// Pattern is a regular expression, which is compiled when a text is first held to it.
type Pattern struct {
	text     string
	compiled func() (*regexp.Regexp, error)
}

// UnmarshalJSON reads the pattern from a string.
func (p *Pattern) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	*p = Pattern{text, sync.OnceValues(func() (*regexp.Regexp, error) { return regexp.Compile(text) })}
	return nil
}

// MarshalJSON writes the pattern as a string.
func (p Pattern) MarshalJSON() ([]byte, error) { return json.Marshal(p.text) }

func (p Pattern) String() string { return p.text }

// matches reports whether a text matches. One that Go cannot compile counts as matched.
func (p Pattern) matches(text string) bool {
	if p.text == "" {
		return true
	}
	expression, err := p.compiled()
	return err != nil || expression.MatchString(text)
}
