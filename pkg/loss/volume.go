package loss

// teller knows what a release says of volumes.
type teller struct {
	Release
	volumes map[string]bool // PersistentVolumes by name: whether they are retained
	classes map[string]bool // StorageClasses by name: whether their volumes are
}

func newTeller(r Release) *teller {
	t := &teller{r, map[string]bool{}, map[string]bool{}}
	for _, object := range r.objects() {
		switch o := r.named(object); {
		case o.Kind == volume && o.Group == "":
			policy := text(mapOf(object, "spec"), "persistentVolumeReclaimPolicy")
			t.volumes[o.Name] = policy == "" || policy == "Retain" // the API's default for such a one
		case o.Kind == "StorageClass" && o.Group == "storage.k8s.io":
			t.classes[o.Name] = text(object, "reclaimPolicy") == "Retain" // the default is Delete
		}
	}
	return t
}

// retains reports whether the volume of a claim, or of a template of claims, is retained when the
// claim goes, and what is to be said of that; "" where there is nothing to say.
func (t *teller) retains(claim map[string]any) (bool, string) {
	spec := mapOf(claim, "spec")
	if name := text(spec, "volumeName"); name != "" {
		switch retained, known := t.volumes[name]; {
		case !known:
			return false, "unless its PersistentVolume " + name + " is retained"
		case retained:
			return true, "its PersistentVolume " + name + " is retained"
		}
		return false, ""
	}
	class := text(spec, "storageClassName")
	retained, known := t.classes[class]
	if !known && class != "" && t.Retained != nil {
		retained = t.Retained(class)
	}
	if !retained {
		return false, ""
	}
	return true, "its StorageClass " + class + " retains volumes"
}
