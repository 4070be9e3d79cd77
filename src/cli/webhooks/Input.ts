import { Config, Effect, FileSystem, Option, Redacted, Stdio, Stream } from "effect"
import { parseSecret } from "../../webhooks/signature/Secret.ts"
import { UsageError } from "../errors/UsageError.ts"

const variable = "WEBHOOK_SECRET"

/** The signing secret of the flag, or else of `WEBHOOK_SECRET`; none where neither is given. */
export const secretFrom = Effect.fnUntraced(function*(flag: Option.Option<Redacted.Redacted>) {
  const fromEnvironment = Config.option(Config.Redacted(variable))
  const given = Option.isSome(flag) ? flag : yield* Effect.orDie(fromEnvironment)
  if (Option.isNone(given)) return Option.none()
  const secret = parseSecret(Redacted.value(given.value))
  if (Option.isSome(secret)) return secret
  const source = Option.isSome(flag) ? "--secret" : variable
  return yield* new UsageError({ message: `${source} is not whsec_ followed by base64 of 24 to 64 bytes` })
})

/** The same where it must be given. */
export const requiredSecret = Effect.fnUntraced(function*(flag: Option.Option<Redacted.Redacted>) {
  const secret = yield* secretFrom(flag)
  if (Option.isSome(secret)) return secret.value
  return yield* new UsageError({
    message: `Give the secret as --secret, or as ${variable} to keep it out of process lists`
  })
})

/** What may be posted to; `name` is what it is called where it may not. */
export const httpTarget = (name: string, text: string): Effect.Effect<string, UsageError> => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? Effect.succeed(url.href)
    : Effect.fail(new UsageError({ message: `${name}: expected an http or https address without user and password` }))
}

/** The bytes of a file, or of standard input for `-`, as they are. */
export const bytesFrom = Effect.fnUntraced(function*(path: string) {
  const unreadable = () => new UsageError({ message: `Cannot read ${path === "-" ? "standard input" : path}` })
  if (path !== "-") {
    const fs = yield* FileSystem.FileSystem
    return yield* Effect.mapError(fs.readFile(path), unreadable)
  }
  const { stdin } = yield* Stdio.Stdio
  const chunks = yield* Effect.mapError(Stream.runCollect(stdin), unreadable)
  return new Uint8Array(Buffer.concat(chunks))
})
