import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, appLayer, enrolledStudent, foundClub } from "../harness/App.ts"
import { call, isRefusal } from "../harness/RawHttp.ts"
import { guide, marked } from "./Guides.ts"

interface Mistake {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly status: number
  readonly code: string
  readonly message: string
}

const row = /^\| (.+?) \| `([A-Z]+) (\S+)`(?: `(.+)`)? \| (\d{3}) `(\w+)` (`{2,3}) ?(.+?) ?\7 \|$/

const mistakes: ReadonlyArray<Mistake> = marked(guide("errors"), "mistakes").trim().split("\n").slice(2).map((line) => {
  const [, name = "", method = "", path = "", body, status, code = "", , message = ""] = row.exec(line) ?? []
  if (name === "") throw new Error(`No mistake: ${line}`)
  return { name, method, path, body, status: Number(status), code, message }
})

const overLimit = "Too many requests are sent"

const headers: Record<string, Record<string, string>> = {
  "The content type is another": { "Content-Type": "text/plain" },
  "The content type of a list of students is another": { "Content-Type": "text/plain" },
  "An Idempotency-Key comes with another body": { "Idempotency-Key": "errors" }
}

/** The answer to the mistake of a club's administrator. */
const answerTo = Effect.fnUntraced(function*({ body, method, name, path }: Mistake) {
  const club = yield* foundClub()
  const student = yield* enrolledStudent(club)
  const tokens: Record<string, string | undefined> = {
    "No token is sent": undefined,
    "The token has expired": "A".repeat(43),
    "A student's token is on a dashboard route": student.token
  }
  const token = name in tokens ? tokens[name] : club.token
  const sent = {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers[name] }
  }
  if (name in headers) yield* call("POST", "/v1/clubs", { ...sent, body: `{"name":"Ana"}` })
  if (name === overLimit) yield* call(method, path, sent)
  return yield* call(method, path.replace("{club}", club.path), sent)
})

const isAnswered = Effect.fnUntraced(function*(mistake: Mistake) {
  const answer = yield* answerTo(mistake)
  isRefusal(answer, mistake.status, mistake.code, mistake.message)
  return answer
})

describe("the guide to errors", () => {
  it("has the fifteen usual mistakes, and more", () => {
    assert.isAtLeast(mistakes.length, 15)
    assert.isTrue(mistakes.some(({ name }) => name === overLimit))
    for (const name of Object.keys(headers)) assert.isTrue(mistakes.some((mistake) => mistake.name === name), name)
  })
})

layer(AppLayer)("what the guide says of a mistake is answered", (it) => {
  it.effect.each(mistakes.filter(({ name }) => name !== overLimit))("$name", isAnswered)
})

layer(appLayer({ RATE_LIMIT_WRITES: "1" }))("what the guide says of too many", (it) => {
  it.effect.each(mistakes.filter(({ name }) => name === overLimit))(
    "$name",
    (mistake) =>
      Effect.map(isAnswered(mistake), (answer) => assert.match(answer.headers["retry-after"] ?? "", /^[1-9]\d*$/))
  )
})
