package main

// place is what an answer says of where a release is. Each may be empty.
type place struct {
	namespace, name string
	// The Flux Kustomization that applies it.
	kustomizationNamespace, kustomizationName string
}

// where returns the place of the object of a request.
func (r *review) where() place {
	text := func(name int) string {
		text, _ := cuts[name].In(r.Object).(string)
		return text
	}
	return place{r.Namespace, text(objectName), text(kustomizationNamespace), text(kustomizationName)}
}

// where returns a place with the names that are cut out of a request.
func (q *question) where(p place) place {
	return place{
		q.or(requestNamespace, p.namespace), q.or(objectName, p.name),
		q.or(kustomizationNamespace, p.kustomizationNamespace), q.or(kustomizationName, p.kustomizationName),
	}
}

func (p place) release() string { return p.namespace + "/" + p.name }

// kustomization returns the namespace and name of the Flux Kustomization that applies the
// release; empty if it is not known.
func (p place) kustomization() string {
	if p.kustomizationName == "" || p.kustomizationNamespace == "" {
		return ""
	}
	return p.kustomizationNamespace + "/" + p.kustomizationName
}
