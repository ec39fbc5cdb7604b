package loss

// withParents marks what goes with a namespace or a definition that is deleted, although Helm keeps
// the object itself.
func withParents(fates []Fate) []Fate {
	gone := map[string]string{} // what goes with an object, and the object
	for _, f := range fates {
		switch {
		case !f.Deleted || f.Later:
		case f.Kind == namespace && f.Group == "":
			gone["in "+f.Name] = f.Object.String()
		case f.Kind == Definition && !custom(f.Group):
			gone["of "+f.defines] = f.Object.String()
		}
	}
	for i, f := range fates {
		parent := gone["in "+f.Namespace]
		if custom(f.Group) && parent == "" {
			parent = gone["of "+f.Group+"/"+f.Kind]
		}
		if parent != "" && (!f.Deleted || f.Later) {
			fates[i].Deleted, fates[i].Later, fates[i].Note = true, false, "it goes with "+parent
		}
	}
	return fates
}
