// Package bundling builds bundles of policies and configuration for people, shows what is in
// them, compares them, and asks a webhook whether it judges by one.
package bundling
