import { Config, Effect, FileSystem, Option, Redacted, Stdio, Stream } from "effect"
import { parseSecret } from "../../webhooks/send/Secret.ts"
import type { Received } from "../../webhooks/send/Signature.ts"
import { parsePublicKey } from "../../webhooks/send/SigningKey.ts"
import { unreadable } from "../errors/Unreadable.ts"
import { UsageError } from "../errors/UsageError.ts"

const variable = "WEBHOOK_SECRET"

/** How to parse a text, and a description of valid ones. */
interface Reading<A> {
  readonly parse: (text: string) => Option.Option<A>
  readonly expected: string
}

const aSecret = "whsec_ followed by base64 of 24 to 64 bytes"

const secrets: Reading<Redacted.Redacted<Uint8Array>> = { parse: parseSecret, expected: aSecret }

/** The keys or secrets that verify a signature. */
type Verifier = Pick<Received, "publicKeys" | "secrets">

const verifiers: Reading<Verifier> = {
  parse: (text) =>
    Option.orElse(
      Option.map(parseSecret(text), (secret): Verifier => ({ secrets: [Redacted.value(secret)] })),
      () => Option.map(parsePublicKey(text), (key): Verifier => ({ secrets: [], publicKeys: [key] }))
    ),
  expected: `${aSecret}, or whpk_ followed by base64 of 32`
}

/** The value of the flag, or else of `WEBHOOK_SECRET`; `None` without either. */
const read = Effect.fnUntraced(function*<A>({ expected, parse }: Reading<A>, flag: Option.Option<Redacted.Redacted>) {
  const fromEnvironment = Config.option(Config.Redacted(variable))
  const given = Option.isSome(flag) ? flag : yield* Effect.orDie(fromEnvironment)
  if (Option.isNone(given)) return Option.none<A>()
  const found = parse(Redacted.value(given.value))
  if (Option.isSome(found)) return found
  const source = Option.isSome(flag) ? "--secret" : variable
  return yield* new UsageError({ message: `${source} is not ${expected}` })
})

const required = Effect.fnUntraced(function*<A>(reading: Reading<A>, flag: Option.Option<Redacted.Redacted>) {
  const found = yield* read(reading, flag)
  if (Option.isSome(found)) return found.value
  return yield* new UsageError({
    message: `Give the secret as --secret, or as ${variable} to keep it out of process lists`
  })
})

/** The address of a target to post to; `name` is its name in an error. */
export const httpTarget = (name: string, text: string): Effect.Effect<string, UsageError> => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? Effect.succeed(url.href)
    : Effect.fail(new UsageError({ message: `${name}: expected an http or https address without user and password` }))
}

/** The signing secret of the flag, or else of `WEBHOOK_SECRET`. */
export const requiredSecret = (flag: Option.Option<Redacted.Redacted>) => required(secrets, flag)

/** A signing secret or an endpoint's public key, in the same place; `None` without either. */
export const verifierFrom = (flag: Option.Option<Redacted.Redacted>) => read(verifiers, flag)

/** The same, and it is required. */
export const requiredVerifier = (flag: Option.Option<Redacted.Redacted>) => required(verifiers, flag)

/** The bytes of a file, or of standard input for `-`, as they are. */
export const bytesFrom = Effect.fnUntraced(function*(path: string) {
  if (path !== "-") {
    const fs = yield* FileSystem.FileSystem
    return yield* Effect.mapError(fs.readFile(path), unreadable(path))
  }
  const { stdin } = yield* Stdio.Stdio
  const chunks = yield* Effect.mapError(Stream.runCollect(stdin), unreadable("standard input"))
  return new Uint8Array(Buffer.concat(chunks))
})
