import { Schema } from "effect"

/** What a receiver is to accept: each is signed rightly, and of now. The last is sent while a replaced secret signs. */
export const goodProbes = [
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

/** What a receiver is to refuse. */
export const badProbes = ["unsigned", "wrong_signature", "other_body", "old", "future"] as const

export const ProbeName = Schema.Literals([...goodProbes, ...badProbes]).annotate({
  identifier: "WebhookProbe",
  description: "A probe, as in the guide to receivers"
})
export type ProbeName = typeof ProbeName.Type

/**
 * In the order in which they are sent: the right ones first, each repeat after what it repeats. Something before a receiver
 * that shuts out who signs wrongly again and again would else refuse right ones.
 */
export const probeNames: ReadonlyArray<ProbeName> = [...goodProbes, ...badProbes]

const badOnes: ReadonlySet<string> = new Set(badProbes)

/** Whether a receiver is to refuse it. */
export const isBad = (name: ProbeName): boolean => badOnes.has(name)
