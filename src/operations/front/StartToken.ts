import { Effect, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"
import type { Supervised } from "../../platform/processes/Supervisor.ts"
import { isSameSecret } from "../../platform/text/SameSecret.ts"

/** The subject of the questions below. */
export const startTokenSubject = "start token"

const patience = "2 seconds"

const Question = Schema.Union([
  Schema.Struct({ type: Schema.Literal("read") }),
  Schema.Struct({ type: Schema.Literal("use"), presented: Schema.String })
])

const decodeQuestion = Schema.decodeUnknownOption(Question)
const decodeToken = Schema.decodeUnknownOption(Schema.String)

/** The token that a start prints. It works once. */
export interface StartToken {
  /** `None` if the supervisor does not answer. */
  readonly token: Effect.Effect<Option.Option<string>>
  /** True if this is the token, and nobody has used it before. */
  use(presented: string): Effect.Effect<boolean>
}

const makeToken = () => {
  const token = randomBytes(32).toString("base64url")
  let isUsed = false
  return {
    token,
    use: (presented: string) => {
      const isIt = !isUsed && isSameSecret(presented, token)
      if (isIt) isUsed = true
      return isIt
    }
  }
}

/** That of this process, or of all processes of its command: then the supervisor keeps it. */
export const makeStartToken = (supervisor: Supervised | undefined): StartToken => {
  if (supervisor === undefined) {
    const { token, use } = makeToken()
    return { token: Effect.succeedSome(token), use: (presented) => Effect.sync(() => use(presented)) }
  }
  return {
    token: supervisor.ask(startTokenSubject, { type: "read" }, patience).pipe(
      Effect.map(decodeToken),
      Effect.orElseSucceed(() => Option.none())
    ),
    use: (presented) =>
      supervisor.ask(startTokenSubject, { type: "use", presented }, patience).pipe(
        Effect.map((answer) => answer === true),
        Effect.orElseSucceed(() => false)
      )
  }
}

/**
 * Keeps the token of all processes of a command, and answers questions about it. `None` for anything except a question.
 */
export const answerForStartToken = () => {
  const { token, use } = makeToken()
  return (asked: unknown): Option.Option<Schema.Json> =>
    Option.map(decodeQuestion(asked), (question) => question.type === "read" ? token : use(question.presented))
}
