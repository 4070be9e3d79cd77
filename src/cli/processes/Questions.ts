import { Duration, Effect, type Schema } from "effect"
import { SupervisorSilent } from "../../platform/processes/Supervisor.ts"

/** `number` names the question in its answer. */
export type Question = readonly [number: number, subject: string, question: Schema.Json]

/** The answer to the question of this number. */
export type Answer = readonly [number: number, answer: Schema.Json]

/**
 * Sends all items of one turn of the event loop together at its end, in their order. A message costs both processes far
 * more than its content.
 */
export const together = <A>(send: (all: ReadonlyArray<A>) => void): (one: A) => void => {
  let waiting: Array<A> = []
  const sendAll = () => {
    const all = waiting
    waiting = []
    send(all)
  }
  return (one) => {
    if (waiting.push(one) === 1) setImmediate(sendAll)
  }
}

/** The questions of one process, and who waits for their answers. */
export const makeQuestions = (send: (questions: ReadonlyArray<Question>) => void) => {
  const ask = together(send)
  const asking = new Map<number, (answer: unknown) => void>()
  let last = 0
  return {
    ask: (subject: string, question: Schema.Json, patience: Duration.Input): Effect.Effect<unknown, SupervisorSilent> =>
      Effect.callback((resume) => {
        const number = last += 1
        const forget = () => {
          clearTimeout(silence)
          asking.delete(number)
        }
        // Node's timer: a fiber that sleeps beside one that waits costs more than the answer.
        const silence = setTimeout(() => {
          forget()
          resume(Effect.fail(new SupervisorSilent()))
        }, Duration.toMillis(patience))
        asking.set(number, (answer) => {
          forget()
          resume(Effect.succeed(answer))
        })
        ask([number, subject, question])
        return Effect.sync(forget)
      }),
    /** An answer that no caller waits for any longer is late. */
    answered(answers: ReadonlyArray<readonly [number: number, answer: unknown]>): void {
      for (const [number, answer] of answers) asking.get(number)?.(answer)
    }
  }
}
