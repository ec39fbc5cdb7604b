//go:build flux

package flux

import (
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// let lets an event happen.
func (r *run) let(what string) error {
	switch what {
	case "fix":
		return r.publish("app", fixedVersion)
	case "fix-fails":
		return r.publish("app", badFix)
	case "revert":
		r.log.offer(oldVersion)
		return r.patch(`{"spec":{"chartRef":{"name":"old"}}}`)
	case "commit":
		return r.patch(`{"spec":{"interval":"61m"}}`)
	case "cause-goes-away":
		r.place.end()
		return r.provide()
	case "move":
		r.place.leave()
		return r.patch(`{"spec":{"releaseName":"other"}}`)
	case "drift":
		if err := r.drift(); err != nil {
			return err
		}
		return r.annotate(requestedAt, "drift") // the interval is long
	case "reconcile":
		return r.annotate(requestedAt, "reconcile")
	case "force", "reset":
		return r.request(what)
	case "suspend":
		return r.patch(`{"spec":{"suspend":true}}`)
	case "resume":
		return r.patch(`{"spec":{"suspend":false}}`)
	case "restart":
		ended := make(chan struct{})
		r.restart(false, ended)
		return nil
	case "records-deleted":
		r.log.taken()
		return r.Resource(Secrets).Namespace(r.namespace).DeleteCollection(r.ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "owner=helm"})
	case "newest-record-deleted":
		return r.deleteNewest()
	case "helm-uninstall":
		main := r.Resource(r.charts.resource()).Namespace(r.namespace)
		if err := main.Delete(r.ctx, "main", metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		return r.let("records-deleted")
	case "helm-rollback":
		return r.helmRollback()
	case "value-removed":
		return r.patch(`{"spec":{"values":null}}`)
	case "stop-preserving":
		return r.patch(`{"spec":{"upgrade":null}}`)
	case "delete":
		return r.Resource(HelmReleases).Namespace(r.namespace).Delete(r.ctx, "app", metav1.DeleteOptions{})
	}
	return fmt.Errorf("nobody knows how to do that")
}

// deleteNewest deletes the newest Helm record.
func (r *run) deleteNewest() error {
	r.log.taken()
	records := r.Resource(Secrets).Namespace(r.namespace)
	all, err := records.List(r.ctx, metav1.ListOptions{LabelSelector: "owner=helm"})
	if err != nil {
		return err
	}
	newest := slices.MaxFunc(all.Items, func(a, b unstructured.Unstructured) int { return revisionOf(a) - revisionOf(b) })
	return records.Delete(r.ctx, newest.GetName(), metav1.DeleteOptions{})
}

// helmRollback does what helm rollback does: the old version runs again, and a new record says so. It
// is written as it is in the end, since it is no step of the controller.
func (r *run) helmRollback() error {
	records := r.Resource(Secrets).Namespace(r.namespace)
	all, err := records.List(r.ctx, metav1.ListOptions{LabelSelector: "owner=helm"})
	if err != nil {
		return err
	}
	for i := range all.Items {
		one := &all.Items[i]
		if one.GetLabels()["status"] != "deployed" {
			continue
		}
		if err := rewrite(one, "superseded", 0); err != nil {
			return err
		}
		if _, err := records.Update(r.ctx, one, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	slices.SortFunc(all.Items, func(a, b unstructured.Unstructured) int { return revisionOf(a) - revisionOf(b) })
	old := all.Items[0].DeepCopy()
	if err := rewrite(old, "deployed", revisionOf(all.Items[len(all.Items)-1])+1); err != nil {
		return err
	}
	if _, err := records.Create(r.ctx, old, metav1.CreateOptions{}); err != nil {
		return err
	}
	main := r.Resource(r.charts.resource()).Namespace(r.namespace)
	_, err = main.Patch(r.ctx, "main", types.MergePatchType, []byte(`{"metadata":{"labels":{"version":"`+oldVersion+`"}}}`), metav1.PatchOptions{})
	return err
}

// drift changes what the chart has made.
func (r *run) drift() error {
	main := r.Resource(r.charts.resource()).Namespace(r.namespace)
	_, err := main.Patch(r.ctx, "main", types.MergePatchType, []byte(`{"metadata":{"labels":{"version":"drifted"}}}`), metav1.PatchOptions{})
	return err
}

// drifted reports whether a change by [run.drift] is still there.
func (r *run) drifted() (bool, error) {
	main, err := r.Resource(r.charts.resource()).Namespace(r.namespace).Get(r.ctx, "main", metav1.GetOptions{})
	return err == nil && main.GetLabels()["version"] == "drifted", err
}

// request does what flux reconcile --force and --reset do.
func (r *run) request(what string) error {
	return r.patch(fmt.Sprintf(`{"metadata":{"annotations":{%q:"%s","reconcile.fluxcd.io/%sAt":"%s"}}}`, requestedAt, what, what, what))
}

func (r *run) annotate(key, value string) error {
	return r.patch(fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, key, value))
}

func (r *run) patch(text string) error {
	_, err := r.Resource(HelmReleases).Namespace(r.namespace).Patch(r.ctx, "app", types.MergePatchType, []byte(text), metav1.PatchOptions{})
	return err
}

// end ends the cause of the failures.
func (p *place) end() { p.over = true }

// leave notes that the release gets another name.
func (p *place) leave() { p.left = true }
