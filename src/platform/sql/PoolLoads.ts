import { Context } from "effect"
import type { ReadLane } from "./ReadLane.ts"

/** Statements of a lane of reads, or connections that one write, transaction or listener has for itself. */
export type PoolKind = ReadLane | "exclusive"

/** How far connections are taken up at this moment, and what has waited for them. */
export interface PoolLoad {
  readonly kind: PoolKind
  /** How many may be under way at once. */
  readonly places: number
  readonly inUse: () => number
  /** What found all places taken and has none yet. */
  readonly waiting: () => number
  /** How many such waits have ended, and how long they took together. */
  readonly waits: () => { readonly count: number; readonly seconds: number }
}

/** The connections of this process, for who watches it: what measures has no services. */
export const PoolLoads = Context.Reference<Set<PoolLoad>>("turma/platform/sql/PoolLoads", {
  defaultValue: () => new Set()
})
