import type { Change, Row } from "./Journal.ts"

/** A grading as its row has it. */
interface Known {
  readonly status: string
  /** The time from which a worker may take it up, in epoch milliseconds; null once it has ended. */
  readonly due: number | null
}

const knownOf = (row: Row): Known => ({
  status: `${row["status"]}`,
  due: row["due_at"] === null ? null : Date.parse(`${row["due_at"]}`)
})

/** The problem with a row of a grading; undefined if it is right. */
const problemOf = (was: Row | undefined, is: Row): string | undefined => {
  const { due, status } = knownOf(is)
  const isOver = status !== "running"
  if (was !== undefined && was["status"] !== "running") return `is ${was["status"]} and becomes ${status}`
  if (was === undefined && isOver) return `begins as ${status}`
  if (isOver !== (due === null) || isOver !== (is["finished_at"] !== null)) return `is ${status} and due at ${due}`
  if ((status === "done") !== (is["grade"] !== null)) return `is ${status} with the grade ${is["grade"]}`
  return (status === "failed") !== (is["failure"] !== null) ? `is ${status} because of ${is["failure"]}` : undefined
}

/** Checks that each grading ends once, with a grade or a reason, even if processes die during it. */
export class Grades {
  readonly #known = new Map<string, Known>()
  readonly #saw: (what: string) => void

  constructor(saw: (what: string) => void) {
    this.#saw = saw
  }

  /** The problems with these changes. */
  judge(changes: ReadonlyArray<Change>): ReadonlyArray<string> {
    return changes.flatMap(({ is, was, what }) => {
      if (what !== "webhook_gradings") return []
      if (is === undefined) {
        this.#known.delete(`${was?.["id"]}`)
        return []
      }
      const known = knownOf(is)
      this.#known.set(`${is["id"]}`, known)
      if (known.status !== "running") this.#saw(`grading ${is["failure"] ?? known.status}`)
      if (Number(is["tries"]) > 1 && known.status === "done") this.#saw("grading begun anew")
      const problem = problemOf(was, is)
      return problem === undefined ? [] : [`Grading ${is["id"]} ${problem}`]
    })
  }

  /** The times from which workers may take up open gradings, in epoch milliseconds. */
  due(): ReadonlyArray<number> {
    return [...this.#known.values()].flatMap(({ due }) => due ?? [])
  }
}
