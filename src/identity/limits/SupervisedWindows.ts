import { type Clock, Effect, Option, Schema } from "effect"
import type { Supervised } from "../../platform/processes/Supervisor.ts"
import { makeFixedWindows, memoryCapacity } from "./FixedWindows.ts"

/** The subject of the questions below. */
export const windowsSubject = "windows"

/** It is late if the machine is busy, as under many new connections, and that must refuse nobody. */
const patience = "2 seconds"

const Question = Schema.Union([
  Schema.Struct({ type: Schema.Literal("take"), id: Schema.String, limit: Schema.Int, length: Schema.Number }),
  Schema.Struct({ type: Schema.Literal("giveBack"), id: Schema.String })
])

const Taken = Schema.Struct({ accepted: Schema.Boolean, used: Schema.Int, closes_in: Schema.Number })

const decodeQuestion = Schema.decodeUnknownOption(Question)
const decodeTaken = Schema.decodeUnknownSync(Taken)

/** Windows that the supervisor keeps for all of its processes; `length` is in milliseconds. */
export const askForWindows = (supervisor: Supervised) => ({
  take: (id: string, limit: number, length: number) =>
    Effect.map(
      supervisor.ask(windowsSubject, { type: "take", id, limit, length }, patience),
      (answer) => decodeTaken(answer)
    ),
  giveBack: (id: string) => Effect.asVoid(supervisor.ask(windowsSubject, { type: "giveBack", id }, patience))
})

/** Keeps the windows, and answers questions about them by this clock; undefined for anything except a question. */
export const answerForWindows = (clock: Clock.Clock) => {
  const windows = makeFixedWindows(memoryCapacity)
  return (asked: unknown): Option.Option<Schema.Json> =>
    Option.map(decodeQuestion(asked), (question) => {
      const now = Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      if (question.type === "take") return { ...windows.take(now, question.id, question.limit, question.length) }
      windows.giveBack(now, question.id)
      return null
    })
}
