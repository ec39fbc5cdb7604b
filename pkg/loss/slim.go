package loss

// Slim returns of an object what decides what becomes of it, and nothing else: no content of a Secret
// or ConfigMap, no value, no schema of a definition.
func Slim(object map[string]any) map[string]any {
	out := pick(object, "apiVersion", "kind", "reclaimPolicy")
	if metadata := mapOf(object, "metadata"); metadata != nil {
		slim := pick(metadata, "name", "namespace", "finalizers")
		if annotations := mapOf(metadata, "annotations"); annotations != nil {
			slim["annotations"] = pick(annotations, policyAnnotation, hookAnnotation, hookDeleteAnnotation)
		}
		out["metadata"] = slim
	}
	switch spec := mapOf(object, "spec"); text(object, "kind") {
	case Definition:
		out["spec"] = pick(spec, "group", "names")
	case claim, volume, "StatefulSet":
		out["spec"] = pick(spec, "replicas", "ordinals", "persistentVolumeClaimRetentionPolicy", "volumeClaimTemplates",
			"volumeName", "storageClassName", "resources", "capacity", "persistentVolumeReclaimPolicy")
	}
	if list, ok := object["items"].([]any); ok {
		var items []any
		for _, item := range list {
			if o, ok := item.(map[string]any); ok {
				items = append(items, Slim(o))
			}
		}
		out["items"] = items
	}
	return out
}

func pick(object map[string]any, keys ...string) map[string]any {
	out := map[string]any{}
	for _, key := range keys {
		if value, ok := object[key]; ok {
			out[key] = value
		}
	}
	return out
}
