import { Effect } from "effect"
import { isObject } from "../../platform/http/document/Schemas.ts"
import { MalformedRequest, PayloadTooLarge } from "../../platform/http/errors.ts"
import { ownTurn } from "../../platform/processes/OwnTurn.ts"
import type { OwnAnswer } from "./InProcess.ts"

// Messages that come together: each is a request's worth of work.

/** The most messages that may come together. The rest of the loop is for other callers. */
const longestBatch = 20

/** True if two messages have one id. Nobody could tell their answers apart. */
const hasTwins = (batch: ReadonlyArray<unknown>) => {
  const ids = batch.flatMap((one) => isObject(one) && "id" in one ? [String(one["id"])] : [])
  return new Set(ids).size < ids.length
}

/** Lists are the longest answers, and a second one says what the first has said. */
const repeatedList = (batch: ReadonlyArray<unknown>): string | undefined => {
  const lists = batch.flatMap((one) =>
    isObject(one) && typeof one["method"] === "string" && one["method"].endsWith("/list") ? [one["method"]] : []
  )
  return lists.find((method, index) => lists.indexOf(method) < index)
}

/** Fails where these messages may not come together. */
export const checkBatch = Effect.fnUntraced(function*(batch: ReadonlyArray<unknown>) {
  if (batch.length > longestBatch) {
    return yield* new PayloadTooLarge({ error: { message: `A batch has at most ${longestBatch} messages` } })
  }
  if (hasTwins(batch)) {
    return yield* new MalformedRequest({ error: { message: "Each message of a batch must have an id of its own" } })
  }
  const list = repeatedList(batch)
  if (list !== undefined) {
    return yield* new MalformedRequest({
      error: { message: `A batch has at most one list of a kind: send one ${list}` }
    })
  }
})

/** Answers them one after another, with turns of the event loop for others between. */
export const inTurn = Effect.fnUntraced(function*<E, R>(
  batch: ReadonlyArray<unknown>,
  answerOne: (one: unknown) => Effect.Effect<OwnAnswer, E, R>
) {
  const answers: Array<OwnAnswer> = []
  for (const one of batch) {
    yield* ownTurn
    const answer = yield* answerOne(one)
    // A notification has no answer.
    if (answer.body.trim() !== "") answers.push(answer)
  }
  const [first] = answers
  const all: OwnAnswer = first === undefined
    ? { status: 202, headers: {}, body: "" }
    : { status: 200, headers: first.headers, body: `[${answers.map(({ body }) => body).join()}]` }
  return all
})
