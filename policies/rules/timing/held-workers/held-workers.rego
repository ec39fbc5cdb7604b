# METADATA
# title: "wait and RetryOnFailure: releases that fail together hold all workers"
# description: |
#   A Kustomization that waits for health holds one of the workers of kustomize-controller
#   meanwhile. A release of class retry is never Stalled: while it fails, each look at it takes
#   the whole `spec.timeout`. Where more Kustomizations wait for such releases than there are
#   workers (`--concurrent`, 4 by default), an outage that all of them share, such as that of a
#   registry, leaves next to nothing for the others of the cluster: fixes arrive late.
#
#   It is reported once for a cluster, at the Kustomization that holds a worker the largest part
#   of the time. Only the linter reports it: at admission no Kustomizations are known.
# related_resources:
# - ref: https://fluxcd.io/flux/installation/configuration/vertical-scaling/
#   description: More workers
# - ref: https://github.com/fluxcd/kustomize-controller/issues/709
#   description: Health checks that hold up everything else
# custom:
#   help: Lengthen spec.retryInterval, shorten spec.timeout, or raise --concurrent of kustomize-controller.
#   severity: {production: info, staging: "off", development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
package remedy.rules.timing["held-workers"]

import data.remedy.lib

report contains {
	"object": sprintf("Kustomization/%s", [input.above.kustomization]), "path": ["spec", "wait"],
	"message": message, "degree": input.above.workers.holding - input.above.workers.of,
} if {
	input.above.waits
	input.effective.upgrade.strategy == "RetryOnFailure"
	message := sprintf("%d Kustomizations of the cluster wait for releases that are retried forever, and kustomize-controller has %s: if %d fail together, all workers are busy. Kustomization %s holds one for %s of every %s", [
		input.above.workers.holding, workers, input.above.workers.of, input.above.kustomization,
		lib.duration(input.above.timeout), lib.duration(input.above.timeout + input.above.retry),
	])
}

workers := lib.plural(input.above.workers.of, "worker") if {
	input.above.workers.known
} else := sprintf("%s (the default of --concurrent)", [lib.plural(input.above.workers.of, "worker")])
