import { Duration, Effect } from "effect"
import { textOf } from "./figures/Family.ts"
import { processInfo } from "./figures/processInfo.ts"
import { mergeMetrics, withoutGauges } from "./MergedMetrics.ts"
import { residentMemory } from "./ResidentMemory.ts"

/** The subject of the question for the metrics of all processes. */
export const metricsSubject = "metrics"

/** How long the processes have to answer; the last figures of one that does not stand for it. */
const patience = Duration.millis(500)

interface Answering {
  readonly pid: number
  /** The number of the last round that it answered. */
  round: number
  text: string
}

const answeredText = (processes: ReadonlyArray<Answering>, round: number) =>
  [
    "# HELP turma_process_answered 1 if the process told its metrics in time; otherwise its last ones are counted",
    "# TYPE turma_process_answered gauge",
    ...processes.map(({ pid, round: last }) => `turma_process_answered{process="${pid}"} ${last === round ? 1 : 0}`),
    ""
  ].join("\n")

/**
 * Gathers the metrics of the processes of one command. The counts of an ended process stay, so no sum goes down. After
 * a kill they stay as of its last report.
 */
export class FleetMetrics {
  readonly #processes = new Map<number, Answering>()
  /** Callbacks for the time after a process has answered or ended. */
  readonly #looks = new Set<() => void>()
  #ended = ""
  #round = 0

  /** Takes in a process by its number here, with its process id. */
  add(id: number, pid: number): void {
    this.#processes.set(id, { pid, round: 0, text: "" })
  }

  /** Takes a process' metrics, for the round that it answers or sent by itself. */
  tell(id: number, round: number | null, text: string): void {
    const known = this.#processes.get(id)
    if (known === undefined) return
    known.text = text
    known.round = round ?? known.round
    for (const look of this.#looks) look()
  }

  /** The process has ended. */
  remove(id: number): void {
    const { text = "" } = this.#processes.get(id) ?? {}
    this.#processes.delete(id)
    this.#ended = mergeMetrics([this.#ended, withoutGauges(text)])
    for (const look of this.#looks) look()
  }

  /** Has all asked by `ask`, waits for them for half a second at most, and answers what they measure together. */
  gather(ask: (id: number, round: number) => void): Effect.Effect<string> {
    return Effect.suspend(() => {
      const round = this.#round += 1
      const asked = [...this.#processes.keys()]
      for (const id of asked) ask(id, round)
      return this.#answered(asked, round).pipe(
        Effect.timeoutOption(patience),
        Effect.map(() => {
          const processes = [...this.#processes.values()]
          const texts = processes.map(({ text }) => text)
          const own = residentMemory() + textOf([processInfo(`${process.pid}`, "supervisor")])
          return mergeMetrics([...texts, this.#ended, own, answeredText(processes, round)])
        })
      )
    })
  }

  /** Ends when all of these have answered that round, or have ended. */
  #answered(asked: ReadonlyArray<number>, round: number) {
    const isComplete = () => asked.every((id) => (this.#processes.get(id)?.round ?? round) >= round)
    return Effect.callback<void>((resume) => {
      const look = () => {
        if (isComplete()) resume(Effect.void)
      }
      this.#looks.add(look)
      look()
      return Effect.sync(() => void this.#looks.delete(look))
    })
  }
}
