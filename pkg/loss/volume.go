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
// claim goes, and what is to be said of it.
func (t *teller) retains(claim map[string]any) (bool, string) {
	spec := mapOf(claim, "spec")
	if name := text(spec, "volumeName"); name != "" {
		retained, known := t.volumes[name]
		if !known {
			return false, "unless its PersistentVolume " + name + " is retained"
		}
		return retained, "its PersistentVolume " + name + " is retained"
	}
	class := text(spec, "storageClassName")
	retained, known := t.classes[class]
	if !known && class != "" && t.Retained != nil {
		retained = t.Retained(class)
	}
	return retained, "its StorageClass " + class + " retains volumes"
}
