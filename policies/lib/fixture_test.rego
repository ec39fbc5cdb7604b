# METADATA
# title: Inputs for tests
# description: |
#   The builtin remedy.input is provided by the test runner. It returns the
#   engine's input for an object, with settings resolved by helm-controller's
#   own getters.
package remedy.lib.fixture

api := "helm.toolkit.fluxcd.io/v2"

# The input of a release with this spec under the default controller.
release(spec) := under(spec, {})

# The same with another controller: {"version": "1.6.3", "gates": {...}}.
under(spec, controller) := remedy.input(object_of(spec), {}, object.union(known, controller))

# The same with a controller whose version is not known.
unknown(spec) := remedy.input(object_of(spec), {}, {})

# The same where the definition of HelmRelease is in the tree, with these schemas of spec by
# the versions that are served.
defined(spec, schemas) := remedy.input(object_of(spec), {}, {"definition": definition(schemas)})

definition(schemas) := {"spec": {"versions": [{
	"name": version,
	"served": true,
	"schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": schema}}},
} |
	some version, schema in schemas
]}}

# A schema of spec with what the object of a test has, and more fields.
with_fields(more) := {"type": "object", "required": ["interval"], "properties": object.union(
	{"interval": {"type": "string"}, "chartRef": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
	more,
)}

# A controller whose version is known.
known := {"version": "1.6.3"}

# The same with the gate DefaultToRetryOnFailure on.
gated(spec) := under(spec, {"gates": {"DefaultToRetryOnFailure": true}})

# The same where the configuration prefers the class bounded.
preferring_bounded(spec) := object.union(release(spec), {"prefer": "bounded"})

# The input of an update: from a release with a spec and a status, to another spec.
update(old, status, spec) := remedy.input(object_of(spec), object.union(object_of(old), {"status": status}), known)

# The object of a release with this spec; interval and chartRef have defaults.
object_of(spec) := {
	"apiVersion": api,
	"kind": "HelmRelease",
	"metadata": {"name": "app", "namespace": "apps"},
	"spec": object.union({"interval": "10m", "chartRef": {"kind": "OCIRepository", "name": "app"}}, spec),
}

# A strategy of class retry.
retry := {"name": "RetryOnFailure"}

# A half of class bounded.
bounded := {"strategy": {"name": "RemediateOnFailure"}, "remediation": {"retries": 3}}

remediate := {"name": "RemediateOnFailure"}

# The input of a release of an older API version.
beta(version, spec, controller) := remedy.input(object.union(object_of(spec), {"apiVersion": sprintf("helm.toolkit.fluxcd.io/%s", [version])}), {}, object.union(known, controller))

# The input of a whole object, valid or not.
raw(object_) := remedy.input(object_, {}, known)

# The status of a release that is installed and healthy.
deployed := {"conditions": [{"type": "Ready", "status": "True"}], "history": [{"status": "deployed"}]}
