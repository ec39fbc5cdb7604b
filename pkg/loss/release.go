package loss

// Release is what a Helm release consists of, and how it is uninstalled.
type Release struct {
	// Chart is the name and the version of the chart: "redis 19.0.1".
	Chart string
	// Namespace is that of objects which name none.
	Namespace string
	// Documents are the YAML documents of the templates as they are rendered, with those of hooks.
	Documents []map[string]any
	// Definitions are the objects of the folder crds/.
	Definitions []map[string]any
	// Given reports whether somebody else has rendered it, so that it is of today's chart alone.
	Given bool
	// Orphan reports whether spec.uninstall.deletionPropagation is orphan.
	Orphan bool
	// NoHooks reports whether spec.install.disableHooks is set, so that no install creates a hook.
	NoHooks bool
	// Retained reports whether a StorageClass of that name retains the volumes of claims; nil if
	// nothing is known of those which are not in the release.
	Retained func(class string) bool
}

// Object names an object.
type Object struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

func (o Object) String() string { return o.Kind + " " + o.Name }

// Fate is what becomes of an object when the release is uninstalled.
type Fate struct {
	Object
	// Size is that of a claim or a volume, as 8Gi; empty if it is not written.
	Size string `json:"size,omitempty"`
	// Data reports whether the object holds data, or whatever others keep in it.
	Data bool `json:"data,omitempty"`
	// Deleted reports whether the uninstall, or an install after it, deletes the object.
	Deleted bool `json:"deleted,omitempty"`
	// Retained reports whether the data stays although the object is deleted: the volume is retained.
	Retained bool `json:"retained,omitempty"`
	// Later reports whether it is not the uninstall that deletes it but the install after it: it is a
	// hook, and deleted before it is created anew.
	Later bool `json:"later,omitempty"`
	// Note says why it stays, or what goes with it; empty if there is nothing to say.
	Note string `json:"note,omitempty"`

	annotations map[string]any // those that decide whether an upgrade drops it
	defines     string         // of a definition: its group and kind
	hook        bool
}

// Lost reports whether data is lost with the object.
func (f Fate) Lost() bool { return f.Data && f.Deleted && !f.Retained }
