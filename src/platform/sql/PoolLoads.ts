import { Context } from "effect"
import type { ReadLane } from "./ReadLane.ts"

/** Statements of a lane of reads, or connections that one write, transaction or listener has for itself. */
export type PoolKind = ReadLane | "exclusive"

/** Number of connections in use at this moment, and the waits for one. */
export interface PoolLoad {
  readonly kind: PoolKind
  /** The most that may be under way at once. */
  readonly places: number
  readonly inUse: () => number
  /** Number of callers that found no free place and still wait. */
  readonly waiting: () => number
  /** Number of such waits that have ended, and their time together. */
  readonly waits: () => { readonly count: number; readonly seconds: number }
}

/** The connections of this process, for its metrics: a gauge has no services. */
export const PoolLoads = Context.Reference<Set<PoolLoad>>("turma/platform/sql/PoolLoads", {
  defaultValue: () => new Set()
})
