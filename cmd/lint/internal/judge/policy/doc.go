// Package policy says what a change makes of the policy that it is judged by: the
// configuration, rules of one's own, waivers, and what the tree says of tiers and of
// helm-controller. It reads no files.
//
//  1. A [Side] is a state with its policy. [Compare] takes the base and the new one.
//  2. The releases of the new state are judged as the policy of the base has them:
//     in the tier that they had, or that the base has in their place (standing.go), by
//     its rules, configuration and waivers (compare.go). Releases for which nothing
//     differs are not judged again.
//  3. What is found so, and not under the new policy, is excused (excuse.go). The
//     line that excuses is found by judging once more with one part of the policy
//     exchanged (cause.go), and a finding of the rule policy-weakened is made for
//     each line (finding.go).
//  4. If the change is allowed, both states are compared under the policy of each alone: what
//     is new under neither, only a stricter policy reports (alone.go).
//  5. Other keys that verify the bundle of a configuration weaken the policy, whatever
//     the bundle holds (signers.go). So does what may excuse what the next change brings, though it excuses nothing yet
//     (loosened.go).
//  6. All changes of the policy are listed, whether or not they excuse anything
//     (listing.go, settings.go, rego.go, baseline.go).
package policy
