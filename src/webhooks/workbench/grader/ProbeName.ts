import { Schema } from "effect"

/**
 * The probes that a receiver should accept: each has a right signature and the current time. The last is sent while a
 * replaced secret signs.
 */
const goodProbes = [
  "right",
  "repeated",
  "later_first",
  "earlier_second",
  "unknown_fields",
  "unusual_json",
  "large",
  "rotated",
  "newest_alone"
] as const

/** The probes that a receiver should refuse. */
const badProbes = ["unsigned", "wrong_signature", "other_body", "old", "future"] as const

export const ProbeName = Schema.Literals([...goodProbes, ...badProbes]).annotate({
  identifier: "WebhookProbe",
  description: "A probe, as in the guide to receivers"
})
export type ProbeName = typeof ProbeName.Type

/**
 * The order of sending: the right probes first, each repeat after its original. A firewall may shut a sender out after
 * several wrong signatures, and would then refuse right ones.
 */
export const probeNames: ReadonlyArray<ProbeName> = [...goodProbes, ...badProbes]

const badOnes: ReadonlySet<string> = new Set(badProbes)

/** True if a receiver is to refuse it. */
export const isBad = (name: ProbeName): boolean => badOnes.has(name)
