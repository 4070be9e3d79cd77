import { Effect } from "effect"
import { sweeperThatJumps } from "../harness/ClockAhead.ts"
import type { Dice } from "../simulation/Dice.ts"
import { portsOf } from "./Process.ts"
import { isReady, type Stand, startWorker, type Worker } from "./Stand.ts"
import type { Post } from "./Target.ts"

/** A worker that was ended with SIGKILL, or let go of what it had. */
export interface Kill {
  /** Epoch milliseconds. */
  readonly at: number
  /** When it took up work again; a dead one never does. */
  readonly until?: number
  /** Its end of each connection that it had open; undefined where nobody could tell. */
  readonly ports: ReadonlySet<number> | undefined
  /** The ends of those that the other workers had open. */
  readonly others: ReadonlySet<number>
}

/**
 * Whether a POST was in flight at the kill: of that worker, and not answered, or answered so few milliseconds before
 * that its result may not have been recorded. Its connection may be closed by then: it is nobody else's.
 */
export const wasInFlight = (
  { at, others, ports, until = Infinity }: Kill,
  { answeredAt = Infinity, port, receivedAt }: Post,
  recording: number
) =>
  answeredAt >= at - recording && receivedAt <= until && (ports === undefined || ports.has(port) || !others.has(port))

/** So many workers, each of which is replaced as soon as it ends. Runs until it is interrupted. */
export const keepWorkers = Effect.fn("keepWorkers")(function*(
  stand: Stand,
  count: number,
  { mayEnd }: { readonly mayEnd: () => boolean }
) {
  const running = new Set<Worker>()
  const doomed = new Set<Worker>()
  const kills: Array<Kill> = []
  /** What workers said that ended by themselves although they had no reason to. */
  const ends: Array<string> = []
  let starts = 0

  const place = Effect.gen(function*() {
    const excusable = mayEnd()
    const worker = yield* startWorker(stand, sweeperThatJumps("40 days"))
    starts += 1
    running.add(worker)
    const code = yield* worker.ended
    running.delete(worker)
    if (doomed.delete(worker)) return
    if (!excusable && !mayEnd()) ends.push(`code ${code}: ${worker.said().slice(-2000)}`)
    yield* Effect.sleep("300 millis")
  }).pipe(Effect.scoped, Effect.forever)

  const ready = () => [...running].filter((worker) => isReady(worker) && !doomed.has(worker))

  /** Which connections a frozen one has. */
  const seen = (victim: Worker): Kill => {
    const others = [...running].filter((worker) => worker !== victim).flatMap(({ pid }) => [...portsOf(pid) ?? []])
    return { at: Date.now(), ports: portsOf(victim.pid), others: new Set(others) }
  }

  /** Kills one that works, if there is any. It is frozen for as long as it takes to see which connections it has. */
  const kill = Effect.fnUntraced(function*(dice: Dice) {
    const victim = dice.pick(ready())
    if (victim === undefined) return
    doomed.add(victim)
    yield* victim.kill("SIGSTOP")
    kills.push(seen(victim))
    yield* victim.kill("SIGKILL")
    yield* victim.ended
  })

  return {
    kills,
    ends,
    kill,
    seen,
    starts: () => starts,
    ready,
    run: Effect.all(Array.from({ length: count }, () => place), { concurrency: "unbounded", discard: true })
  }
})
