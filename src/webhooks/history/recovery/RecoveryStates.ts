import type { RecoveryStatus } from "./Recovery.ts"

/** The states that a person may ask for. */
export type Asked = "running" | "paused" | "canceled"

/**
 * The result of that: the row stays, the request is refused, the recovery starts once it is counted, or it gets this
 * status.
 */
export type Transition = "none" | "refused" | "starts" | Asked

const transitions: Readonly<Record<RecoveryStatus, Readonly<Record<Asked, Transition>>>> = {
  counting: { running: "starts", paused: "refused", canceled: "canceled" },
  previewed: { running: "running", paused: "refused", canceled: "canceled" },
  running: { running: "none", paused: "paused", canceled: "canceled" },
  paused: { running: "running", paused: "none", canceled: "canceled" },
  completed: { running: "refused", paused: "refused", canceled: "refused" },
  canceled: { running: "refused", paused: "refused", canceled: "none" }
}

/** The transitions that a person may make. */
export const transitionTo = (from: RecoveryStatus, to: Asked): Transition => transitions[from][to]

/** True if it was never started: a later recovery of the endpoint takes its place. */
export const isUnstarted = (status: RecoveryStatus): boolean => status === "counting" || status === "previewed"
