import { Effect } from "effect"
import { sweeperThatJumps } from "../harness/ClockAhead.ts"
import type { Dice } from "../simulation/Dice.ts"
import { portsOf } from "./Process.ts"
import { isReady, type Stand, startWorker, type Worker } from "./Stand.ts"
import type { Post } from "./Target.ts"

/** The end of a worker by SIGKILL, or the loss of its leases. */
export interface Kill {
  /** Epoch milliseconds. */
  readonly at: number
  /** When it took up work again; absent for a dead worker. */
  readonly until?: number
  /** The local ports of its open connections; undefined if they cannot be read. */
  readonly ports: ReadonlySet<number> | undefined
  /** The local ports of the other workers' open connections. */
  readonly others: ReadonlySet<number>
}

/**
 * True if a POST was in flight at the kill. That worker had not got an answer, or got it so recently that its result
 * may not be recorded. A closed connection counts, too, if no other worker has its port.
 */
export const wasInFlight = (
  { at, others, ports, until = Infinity }: Kill,
  { answeredAt = Infinity, port, receivedAt }: Post,
  recording: number
) =>
  answeredAt >= at - recording && receivedAt <= until && (ports === undefined || ports.has(port) || !others.has(port))

/** Keeps so many workers running: each is replaced as soon as it ends. Runs until it is interrupted. */
export const keepWorkers = Effect.fn("keepWorkers")(function*(
  stand: Stand,
  count: number,
  { mayEnd }: { readonly mayEnd: () => boolean }
) {
  const running = new Set<Worker>()
  const doomed = new Set<Worker>()
  const kills: Array<Kill> = []
  /** Output of workers that ended by themselves without a reason. */
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

  /** The connections of a frozen worker. */
  const seen = (victim: Worker): Kill => {
    const others = [...running].filter((worker) => worker !== victim).flatMap(({ pid }) => [...portsOf(pid) ?? []])
    return { at: Date.now(), ports: portsOf(victim.pid), others: new Set(others) }
  }

  /** Kills a worker that works, if there is any. It is frozen while its connections are read. */
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
