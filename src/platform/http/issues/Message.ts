import type { SchemaAST, SchemaIssue } from "effect"
import { type Fault, faultOf, type Faults, faultsOf, sentenceOf, type Source } from "./Faults.ts"

/** In characters. Ten faults of ours have a third of it; the rest is for what clients call their fields. */
export const longestMessage = 2000

const wholes: Record<Source, string> = { body: "The body", query: "The query" }

const rest = (more: number | undefined) => more === undefined ? "; and more" : more === 0 ? "" : `; and ${more} more`

/** The sentences of these faults in one, as many as the length of a message has room for. */
const messageOf = ({ more, named }: Faults, source: Source = "body"): string => {
  const sentences = named.map((fault) => sentenceOf(fault, wholes[source]))
  const fitting = sentences.filter((_, index) =>
    sentences.slice(0, index + 1).join("; ").length <= longestMessage - "; and 20000 more".length
  )
  const left = sentences.length - fitting.length
  return fitting.join("; ") + rest(more === undefined ? more : more + left)
}

/** Names the first field that was refused and what it takes, never the value. */
export const describeIssue = (issue: SchemaIssue.Issue): string => sentenceOf(faultOf(issue), wholes.body)

/** Names up to ten parts of the value that were refused and what they take, never what was sent. */
export const describeFaults = (refused: {
  readonly ast: SchemaAST.AST
  readonly value: unknown
  readonly issue: SchemaIssue.Issue
  readonly source?: Source
  /** Where a fault is, in all that was sent, if `value` is a part of it. */
  readonly placed?: (fault: Fault) => Fault
}): string => {
  const { ast, issue, placed = (fault) => fault, source, value } = refused
  const { more, named } = faultsOf(ast, value, issue, source)
  return messageOf({ more, named: named.map(placed) }, source)
}
