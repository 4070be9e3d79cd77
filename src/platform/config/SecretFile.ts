import { Config, Data, Effect, Option } from "effect"
import { readFileSync, statSync } from "node:fs"
import { codeOf, notText } from "../text/Unreadable.ts"
import { utf8Option } from "../text/Utf8.ts"

/** The file of a secret cannot be used: one line that names variable and path, and nothing of what is in it. */
export class SecretFileError extends Data.TaggedError("SecretFileError")<{ readonly fault: string }> {}

/** More than any secret has, in bytes. */
const largest = 65_536

/** The variable that names the file of a secret. */
export const fileVariable = (variable: string): string => `${variable}_FILE`

const given = (variable: string) => Effect.option(Config.NonEmptyString(variable))

const failed = (fault: string) => new SecretFileError({ fault })

// Only a file: a pipe, for example, might never end, and would be empty at the next read.
const readWhole = (path: string, refuse: (why: string) => SecretFileError) =>
  Effect.try({
    try: () => {
      const { size, ...stat } = statOf(path)
      if (!stat.isFile) return { why: "it is no regular file" }
      if (size > largest) return { why: `it has more than ${largest} bytes` }
      const text = utf8Option(readFileSync(path))
      return Option.isSome(text) ? { text: text.value } : { why: notText }
    },
    catch: (error) => refuse(codeOf(error) ?? "it cannot be read")
  }).pipe(Effect.flatMap(({ text, why }) => text === undefined ? Effect.fail(refuse(why)) : Effect.succeed(text)))

const statOf = (path: string) => {
  const stat = statSync(path)
  return { isFile: stat.isFile(), size: stat.size }
}

/** Editors and `echo` put a line break at the end, which belongs to no secret. */
const withoutBreak = (text: string) => text.replace(/\r?\n$/, "")

/**
 * The content of the file that `<variable>_FILE` names, and its path; `None` if the variable is not set. The file is
 * read anew each time. Both variables at once are refused, since they could differ.
 */
export const secretFromFile = Effect.fnUntraced(function*(variable: string) {
  const named = fileVariable(variable)
  const path = yield* given(named)
  if (Option.isNone(path)) return Option.none()
  if (Option.isSome(yield* given(variable))) {
    return yield* failed(`${variable} and ${named} are both set: set one of them`)
  }
  const refuse = (why: string) => failed(`${named}: cannot use the file ${path.value} (${why})`)
  const value = withoutBreak(yield* readWhole(path.value, refuse))
  if (value === "") return yield* refuse("it is empty")
  return Option.some({ path: path.value, value })
})
