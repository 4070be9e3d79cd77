import { Effect, Schema } from "effect"
import { isDeepStrictEqual } from "node:util"
import { ask } from "./ask.ts"
import type { Contender } from "./Contender.ts"
import { type Actor, me, putLevels, readGamification, type Request, routes } from "./requests.ts"

/** The contenders do different work, so a comparison of their speed would mean nothing. */
export class AnswersDiffer extends Schema.TaggedError<AnswersDiffer>()("AnswersDiffer", { message: Schema.String }) {}

/** A request to both, and the answer that both must give. */
export interface Question {
  readonly request: Request
  readonly status: number
}

const ladder = (actor: Actor, levels: ReadonlyArray<object>) => putLevels(actor, JSON.stringify({ levels }))

const refusedLadders = (actor: Actor): ReadonlyArray<ReadonlyArray<object>> => {
  const [first = {}, second = {}, ...others] = actor.levels
  return [
    [first],
    [second, ...others],
    [first, { ...second, min_points: 0 }, ...others],
    [first, { ...first, min_points: 1 }],
    [{ id: actor.organization_id, name: "Somebody else's", min_points: 0 }, second]
  ]
}

const invalidBodies = (actor: Actor) => [
  JSON.stringify({}),
  JSON.stringify({ levels: actor.levels, more: true }),
  JSON.stringify({ levels: [...actor.levels.slice(1), { name: "", min_points: 0 }] }),
  JSON.stringify({ levels: [...actor.levels.slice(1), { name: "\u0000", min_points: 0 }] }),
  JSON.stringify({ levels: [...actor.levels.slice(1), { name: "Half a point", min_points: 0.5 }] }),
  JSON.stringify({ levels: [...actor.levels.slice(1), { id: "1", name: "Not an id", min_points: 0 }] })
]

const questionsOf = (actor: Actor, stranger: Actor): ReadonlyArray<Question> => {
  const unknown = { access_token: "A".repeat(43) }
  const foreign = { ...actor, organization_id: stranger.organization_id }
  const malformed = { ...actor, organization_id: "malformed" }
  return [
    ...routes.map((route) => ({ request: route.request(actor), status: 200 })),
    { request: { ...me(actor), headers: {} }, status: 401 },
    { request: me(unknown), status: 401 },
    { request: readGamification({ ...actor, ...unknown }), status: 401 },
    { request: readGamification(foreign), status: 403 },
    { request: readGamification(malformed), status: 403 },
    { request: ladder(foreign, actor.levels), status: 403 },
    ...refusedLadders(actor).map((levels) => ({ request: ladder(actor, levels), status: 422 })),
    ...invalidBodies(actor).map((body) => ({ request: putLevels(actor, body), status: 422 })),
    { request: putLevels(actor, "{"), status: 400 }
  ]
}

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))
const decodeError = Schema
  .decodeUnknownEffect(Schema
    .fromJsonString(Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) })))

/** The code of a refusal, without its words: each contender has its own words, and the contract lets them change. */
const compared = Effect.fnUntraced(function*({ status }: Question, body: string) {
  return status < 300 ? yield* decodeJson(body) : (yield* decodeError(body)).error.code
})

/** Both must answer each question alike. The order of keys and the words of refusals may differ. */
export const checkQuestions = Effect.fn("checkQuestions")(function*(
  [turma, twin]: readonly [Contender, Contender],
  questions: ReadonlyArray<Question>
) {
  for (const question of questions) {
    const { request, status } = question
    const [one, other] = yield* Effect.all([ask(turma, request), ask(twin, request)])
    const same = one.status === status && other.status === status &&
      isDeepStrictEqual(yield* compared(question, one.body), yield* compared(question, other.body))
    if (same) continue
    const lines = [one, other].map(({ body, status }) => `  ${status} ${body}`)
    return yield* new AnswersDiffer({
      message: [`${request.method} ${request.path} ${request.body ?? ""}`, `  expected: ${status}`, ...lines].join("\n")
    })
  }
})

/** Both must answer the measured requests alike, and refuse the same requests. */
export const checkSameAnswers = (
  contenders: readonly [Contender, Contender],
  [actor, stranger]: readonly [Actor, Actor]
) => checkQuestions(contenders, questionsOf(actor, stranger))
