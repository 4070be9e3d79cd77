import { Effect, Runtime, Schema } from "effect"
import { CliError, CliOutput } from "effect/cli"
import { exitCodes } from "./ExitCodes.ts"

/** A command was called in a way that cannot work: a line each, and exit code 2, since 1 is a verdict on a request. */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", { message: Schema.String }) {
  override readonly [Runtime.errorExitCode] = exitCodes.usage.code
}

type Invocation = Pick<CliError.ShowHelp, "commandPath" | "errors">

const isWrong = ({ errors }: Invocation) => errors.length > 0

const linesOf = ({ commandPath, errors }: Invocation) =>
  errors.map(({ message }) => message).concat(`See npx ${commandPath.join(" ")} --help`)

/**
 * Turns a parse error of a command into its usage error, with a pointer to its help; every other error stays as it is.
 */
export const asUsageError = <E>(error: E): E | UsageError =>
  CliError.isCliError(error) && error._tag === "ShowHelp" && isWrong(error)
    ? new UsageError({ message: linesOf(error).join(". ").replaceAll(/\s*\n\s*/g, " ") })
    : error

/** Says nothing of what becomes a usage error, which has its line at the end; shows the rest as usual. */
export const presenter = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation" && isWrong(event) ? Effect.void : CliOutput.defaultPresenter.present(event)
})
