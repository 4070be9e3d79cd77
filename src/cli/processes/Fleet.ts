import { Duration } from "effect"
import { backOff } from "../../platform/jobs/BackOff.ts"

/** One process. `leaving` has its signal to end because another one has taken its place. */
interface Member {
  readonly id: number
  /** Number of restarts that had been asked for when it was started. */
  readonly generation: number
  readonly state: "starting" | "ready" | "leaving"
  /** Since when it is ready, in milliseconds; 0 before. */
  readonly since: number
}

/** The processes of one command. Times are in milliseconds of any clock that only goes on. */
export interface Fleet {
  /** Number of serving processes. */
  readonly size: number
  /** `starting` until the first process is ready: what keeps that one from serving would keep all. */
  readonly phase: "starting" | "serving" | "ending"
  readonly generation: number
  readonly members: ReadonlyArray<Member>
  readonly nextId: number
  /** Processes that ended by themselves, in a row, before they had served for a while. */
  readonly failures: number
  /** No process starts before this moment. */
  readonly notBefore: number
  /** The command's exit code: the worst of its processes' codes since its signal to end. */
  readonly code: number
}

/** An event of a fleet. A process that got a signal to end, from anyone, has code 0; `why` is for people. */
export type FleetEvent =
  | { readonly type: "begun" }
  | { readonly type: "ready"; readonly id: number }
  | { readonly type: "ended"; readonly id: number; readonly code: number; readonly why: string }
  | { readonly type: "restart" }
  | { readonly type: "end" }
  | { readonly type: "woken" }

/**
 * A command for the supervisor. `leave` makes room for a replacement, `end` is a shutdown, `wake` asks for `woken` at
 * that time.
 */
export type FleetCommand =
  | { readonly type: "start"; readonly id: number }
  | { readonly type: "leave"; readonly id: number }
  | { readonly type: "end"; readonly id: number }
  | { readonly type: "wake"; readonly at: number }
  | { readonly type: "exit"; readonly code: number }

/** A fleet and the commands for it. */
export interface Step {
  readonly fleet: Fleet
  readonly commands: ReadonlyArray<FleetCommand>
}

/** How long after so many failures in a row a process is started again. */
const waitAfter = backOff({ first: "200 millis", longest: "30 seconds" })

/** A process that has served for so long, in milliseconds, has not failed to start. */
const steady = 10_000

/** No process yet. */
export const newFleet = (size: number): Fleet => ({
  size,
  phase: "starting",
  generation: 0,
  members: [],
  nextId: 1,
  failures: 0,
  notBefore: 0,
  code: 0
})

/** True if all processes serve, and no process waits for its replacement. */
export const isComplete = ({ generation, members, phase, size }: Fleet): boolean =>
  phase === "serving" && members.length === size &&
  members.every((member) => member.state === "ready" && member.generation === generation)

const without = (fleet: Fleet, id: number): Fleet => ({
  ...fleet,
  members: fleet.members.filter((member) => member.id !== id)
})

const changed = (fleet: Fleet, id: number, change: Partial<Member>): Fleet => ({
  ...fleet,
  members: fleet.members.map((member) => member.id === id ? { ...member, ...change } : member)
})

const started = (fleet: Fleet, count: number): Step => {
  const ids = Array.from({ length: count }, (_, index) => fleet.nextId + index)
  const added = ids.map((id): Member => ({ id, generation: fleet.generation, state: "starting", since: 0 }))
  return {
    fleet: { ...fleet, members: [...fleet.members, ...added], nextId: fleet.nextId + count },
    commands: ids.map((id) => ({ type: "start", id }))
  }
}

/** Starts so many once that is allowed. */
const startWhenDue = (fleet: Fleet, count: number, now: number): Step =>
  now < fleet.notBefore
    ? { fleet, commands: [{ type: "wake", at: fleet.notBefore }] }
    : started(fleet, count)

/** The commands that follow from the state alone, whatever has led to it. */
const settle = (fleet: Fleet, now: number): Step => {
  if (fleet.phase === "ending") {
    return { fleet, commands: fleet.members.length === 0 ? [{ type: "exit", code: fleet.code }] : [] }
  }
  const staying = fleet.members.filter(({ state }) => state !== "leaving")
  const missing = (fleet.phase === "starting" ? 1 : fleet.size) - staying.length
  if (missing > 0) return startWhenDue(fleet, missing, now)
  const old = staying.find(({ generation }) => generation < fleet.generation)
  const isCalm = fleet.members.every(({ state }) => state === "ready")
  if (fleet.phase === "starting" || old === undefined || !isCalm) return { fleet, commands: [] }
  // One at a time: the replacement first, and once it is ready one that it replaces.
  if (staying.length <= fleet.size) return startWhenDue(fleet, 1, now)
  return { fleet: changed(fleet, old.id, { state: "leaving" }), commands: [{ type: "leave", id: old.id }] }
}

const afterReady = (fleet: Fleet, id: number, now: number): Fleet => {
  const isStarting = fleet.members.some((member) => member.id === id && member.state === "starting")
  if (!isStarting || fleet.phase === "ending") return fleet
  return { ...changed(fleet, id, { state: "ready", since: now }), phase: "serving" }
}

const afterEnd = (fleet: Fleet, id: number, code: number, now: number): Fleet => {
  const member = fleet.members.find((each) => each.id === id)
  if (member === undefined) return fleet
  const rest = without(fleet, id)
  if (fleet.phase === "ending") return { ...rest, code: Math.max(rest.code, code) }
  if (fleet.phase === "starting") return { ...rest, phase: "ending", code }
  if (member.state === "leaving" || (member.state === "ready" && code === 0)) return rest
  const hasServed = member.state === "ready" && now - member.since >= steady
  const failures = hasServed ? 1 : fleet.failures + 1
  return { ...rest, failures, notBefore: now + Duration.toMillis(waitAfter(failures)) }
}

/** The next state of a fleet after an event. */
export const step = (fleet: Fleet, event: FleetEvent, now: number): Step => {
  switch (event.type) {
    case "begun":
    case "woken":
      return settle(fleet, now)
    case "ready":
      return settle(afterReady(fleet, event.id, now), now)
    case "ended":
      return settle(afterEnd(fleet, event.id, event.code, now), now)
    case "restart":
      return settle({ ...fleet, generation: fleet.generation + 1 }, now)
    case "end": {
      if (fleet.phase === "ending") return { fleet, commands: [] }
      const { commands, fleet: ending } = settle({ ...fleet, phase: "ending", code: 0 }, now)
      return {
        fleet: ending,
        commands: [...fleet.members.map(({ id }) => ({ type: "end", id }) as const), ...commands]
      }
    }
  }
}
