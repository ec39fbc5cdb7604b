// Package alert says who learns of failures on a cluster, by the Alerts and Providers of
// Flux's notification-controller.
//
//   - [Read] takes the objects of a cluster (cluster.go).
//   - [Cluster.Told] says whether an Alert tells of the failures of a HelmRelease, and
//     which one comes nearest (alert.go).
//   - [Cluster.Channels] says where an Alert sends them (status.go), [Cluster.Statuses]
//     which commit statuses Kustomizations report to (status.go).
//
// What happens is that of internal/server in notification-controller 1.9:
// event_handlers.go and provider_commit_status.go. Each failed action of helm-controller
// gives an event of severity error (InstallFailed, UpgradeFailed, RollbackFailed,
// UninstallFailed, TestFailed), and a release that becomes Stalled none of its own: so an
// Alert of either severity tells of every end.
package alert
