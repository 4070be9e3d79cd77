import { Effect, type Queue } from "effect"
import type { Target } from "../chaos/Target.ts"
import { at } from "../harness/App.ts"
import type { Received } from "../harness/Smtp.ts"
import { ask, post } from "../harness/Turma.ts"
import { foundAt } from "../platform/storage/Club.ts"

/** A club that was founded over HTTP, and requests that add its students. */
export const foundClub = Effect.fnUntraced(function*(api: string, mails: Queue.Dequeue<Received>) {
  const { token, url } = yield* foundAt(api, mails)
  const base = new URL(url).pathname
  const authorized = { authorization: `Bearer ${token}` }
  const confirmed: Array<string> = []
  let tried = 0

  /** The status of adding one; 0 without an answer within 15 seconds. */
  const add = Effect.gen(function*() {
    const email = `student-${tried++}@example.com`
    const answer = yield* post(`${api}${base}/students`, { name: "Ana", email }, token).pipe(
      Effect.timeoutOption("15 seconds"),
      // A broken connection counts as no answer.
      Effect.catchCause(() => Effect.succeedNone)
    )
    if (answer._tag === "None") return 0
    if (answer.value.status === 201) confirmed.push(String(at(answer.value.json, "data", "id")))
    return answer.value.status
  })

  const has = (id: string) =>
    Effect.map(ask(`${api}${base}/students/${id}`, { headers: authorized }), ({ status }) => status === 200)

  return {
    base,
    token,
    url: `${api}${base}`,
    /** The ids of students whose creation was confirmed. */
    confirmed,
    add,
    /** True if this student exists. */
    has,
    /** Confirmed students that do not exist. */
    lost: Effect.suspend(() => Effect.filter(confirmed, (id) => Effect.map(has(id), (is) => !is), { concurrency: 8 })),
    /** Reads one page of students and answers the status; 0 without an answer. */
    read: ask(`${api}${base}/students?limit=1`, { headers: authorized }).pipe(
      Effect.map(({ status }) => status),
      Effect.timeoutOption("15 seconds"),
      Effect.map((status) => status._tag === "Some" ? status.value : 0),
      Effect.catchCause(() => Effect.succeed(0))
    ),
    /** Creates an endpoint for this path of the target. */
    listenAt: Effect.fnUntraced(function*(target: Target, path: string) {
      const body = { url: target.urlOf(path), event_types: ["student.created"] }
      const { json, status, text } = yield* post(`${api}${base}/webhook-endpoints`, body, token)
      if (status !== 201) return yield* Effect.die(new Error(`No endpoint: ${text}`))
      yield* target.expect(path, String(at(json, "data", "secret")))
      return String(at(json, "data", "id"))
    })
  }
})
export type Club = Effect.Success<ReturnType<typeof foundClub>>
