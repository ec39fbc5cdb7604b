package flux

import (
	"fmt"
	"path"
	"slices"
)

// need is an object that was looked for in a cluster.
type need struct{ cluster, key string }

// applied is an object and what applies it; nil if that is done by hand.
type applied struct {
	object map[string]any
	by     *kustomization
}

// get gives an object of a cluster, and notes what is not there.
func (c *cluster) get(home, key string) applied {
	found := c.objects[home][key]
	if found.object == nil {
		c.asked[need{home, key}] = true
	}
	return found
}

func (c *cluster) put(key string, object applied) {
	name := c.runner(object.by)
	if c.objects[name] == nil {
		c.objects[name] = map[string]applied{}
	}
	c.objects[name][key] = object
}

// find gives an object of a cluster; failing that, the one in the tree that is
// nearest to what the cluster is applied from.
func (c *cluster) find(home, kind, namespace, name string) map[string]any {
	if found := c.get(home, kind+"/"+namespace+"/"+name); found.object != nil {
		return found.object
	}
	if found := c.l.nearest(c.dir, kind, namespace, name); found != nil {
		return found.object
	}
	return nil
}

// variables reads what spec.postBuild of a Kustomization defines.
func (c *cluster) variables(k *kustomization) variables {
	home := c.home(k)
	return variablesOf(k.object, func(kind, namespace, name string) (applied, string) {
		return c.values(home, kind, namespace, name)
	})
}

// values gives a ConfigMap or Secret of a cluster; failing that, the only one in
// the tree that may have been put there by hand. Otherwise it says why there is
// none: variables are not guessed.
func (c *cluster) values(home, kind, namespace, name string) (applied, string) {
	if found := c.get(home, kind+"/"+namespace+"/"+name); found.object != nil {
		return found, ""
	}
	known := c.l.named(kind, namespace, name)
	if len(known) == 0 {
		return applied{}, "is not in the tree"
	}
	byHand := slices.DeleteFunc(slices.Clone(known), func(e indexed) bool { return !c.byHand(home, e.rel) })
	if len(byHand) == 1 {
		c.taken[byHand[0].rel] = true
		return applied{object: byHand[0].object}, ""
	}
	if len(byHand) > 1 {
		return applied{}, fmt.Sprintf("may be that of %s or that of %s: nothing in the tree applies them", byHand[0].rel, byHand[1].rel)
	}
	return applied{}, "is in " + known[0].rel + ", but not in what is applied to this cluster"
}

// byHand tells whether the objects of a file may be in a cluster though nothing
// in the tree applies them. What a build has read is where that puts it. If it is
// not known what applies the entries, only what stands beside or below them is
// likely to be applied with them.
func (c *cluster) byHand(home, rel string) bool {
	if home != c.name || c.bare() || c.l.built[rel] || c.l.broken[rel] != "" || hidden(rel) {
		return false
	}
	if c.loose {
		return within(c.dir, path.Dir(rel))
	}
	return !c.foreign(rel)
}

// foreign tells whether a file is in the folder of another cluster.
func (c *cluster) foreign(rel string) bool {
	return slices.ContainsFunc(c.others, func(dir string) bool {
		return within(dir, rel) && !within(dir, c.folder())
	})
}

// outdated tells whether a build has meanwhile read what was taken for applied
// by hand.
func (c *cluster) outdated() bool {
	for rel := range c.taken {
		if c.l.built[rel] || c.l.broken[rel] != "" {
			return true
		}
	}
	return false
}
