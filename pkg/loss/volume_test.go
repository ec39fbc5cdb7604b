package loss

import "testing"

// A claim is said to be retained only where its volume is.
func TestVolumesOfClaims(t *testing.T) {
	const claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: "
	const volume = "\n---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {name: disk}\nspec: "
	const class = "\n---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: fast}\n"
	for manifests, want := range map[string]string{
		claim + "{}":                 "deletes PersistentVolumeClaim data",
		claim + "{volumeName: disk}": "deletes PersistentVolumeClaim data (unless its PersistentVolume disk is retained)",
		claim + "{volumeName: disk}" + volume + "{persistentVolumeReclaimPolicy: Delete}":      "deletes PersistentVolumeClaim data and PersistentVolume disk",
		claim + "{volumeName: disk}" + volume + "{}":                                           "deletes PersistentVolumeClaim data (its PersistentVolume disk is retained) and PersistentVolume disk (what is stored there stays)",
		claim + "{storageClassName: fast}" + class + "reclaimPolicy: Delete":                   "deletes PersistentVolumeClaim data and 1 object without data",
		claim + "{storageClassName: fast}" + class + "reclaimPolicy: Retain":                   "deletes PersistentVolumeClaim data (its StorageClass fast retains volumes) and 1 object without data",
		claim + "{volumeName: disk, storageClassName: fast}" + class + "reclaimPolicy: Retain": "deletes PersistentVolumeClaim data (unless its PersistentVolume disk is retained) and 1 object without data",
	} {
		release := Release{Documents: parse(t, []byte(manifests))}
		if got := Of(release).Sentence(); got != want {
			t.Errorf("%s\n%s, want\n%s", manifests, got, want)
		}
	}
}
