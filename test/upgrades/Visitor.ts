import { Effect, FileSystem, Schedule } from "effect"
import { ask } from "../harness/Turma.ts"

// Requests to a club through the API of any version: only HTTP, and the mails written as files.

/** The text at `path` in a body. */
export const textAt = (json: unknown, ...path: ReadonlyArray<string | number>): string => {
  const value = path.reduce<unknown>((value, key) => Object(value)[key], json)
  if (typeof value !== "string") throw new Error(`No text at ${path.join(".")}: ${JSON.stringify(json)}`)
  return value
}

/** The list at `path` in a body. */
export const listAt = (json: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const value = path.reduce<unknown>((value, key) => Object(value)[key], json)
  if (!Array.isArray(value)) throw new Error(`No list at ${path.join(".")}: ${JSON.stringify(json)}`)
  return value
}

/** Sends requests to one installation. A refused request is a failure with its reason. */
export const visitorOf = (url: string) => (path: string, token?: string) => {
  const call = Effect.fnUntraced(function*(
    method: string,
    to: string,
    body?: unknown,
    headers: Record<string, string> = {}
  ) {
    const answer = yield* ask(`${url}${path}${to}`, {
      method,
      headers: {
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (answer.status >= 300) {
      return yield* Effect.die(new Error(`${method} ${path}${to}: ${answer.status} ${answer.text}`))
    }
    return answer.json
  })
  return {
    call,
    /** Creates a resource and answers its id. */
    create: (to: string, body?: unknown) => Effect.map(call("POST", to, body), (json) => textAt(json, "data", "id"))
  }
}
export type Visitor = ReturnType<ReturnType<typeof visitorOf>>

const soon = Schedule.spaced("100 millis").pipe(Schedule.upTo({ times: 400 }))

/** Waits until `look` is true, and fails with these words after 40 seconds. */
export const until = <E, R>(what: string, look: Effect.Effect<boolean, E, R>) =>
  Effect.flatMap(look, (isSo) => isSo ? Effect.void : Effect.fail(what)).pipe(
    Effect.retry(soon),
    Effect.mapError((cause) => new Error(`It did not come to this: ${String(cause)}`)),
    Effect.orDie
  )

/** The mails to an address, written as files. */
export const mailsTo = Effect.fnUntraced(function*(folder: string, email: string) {
  const fs = yield* FileSystem.FileSystem
  const files = yield* Effect.orElseSucceed(fs.readDirectory(`${folder}/mail`), () => [])
  const own = files.filter((name) => name.endsWith(`-${email}.eml`)).toSorted()
  return yield* Effect.forEach(own, (name) => fs.readFileString(`${folder}/mail/${name}`))
})

/** Waits for the newest mail to this address and answers its one-time secret. */
export const secretFor = Effect.fnUntraced(function*(folder: string, email: string) {
  const secrets = Effect.map(
    mailsTo(folder, email),
    (mails) => mails.flatMap((mail) => /^X-Link: .*(?:token|code)=([\w-]+)/m.exec(mail)?.[1] ?? [])
  )
  yield* until(`a mail to ${email}`, Effect.map(secrets, (found) => found.length > 0))
  return (yield* secrets).at(-1) ?? ""
})
