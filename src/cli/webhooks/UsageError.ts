import { Effect, Runtime, Schema } from "effect"
import { CliError, CliOutput } from "effect/cli"

/** A command was called in a way that cannot work: a line each, and exit code 2, since 1 is a verdict on a request. */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", { message: Schema.String }) {
  override readonly [Runtime.errorExitCode] = 2
}

const isOurs = ({ commandPath, errors }: Pick<CliError.ShowHelp, "commandPath" | "errors">) =>
  commandPath[1] === "webhooks" && errors.length > 0

/** Flags that `turma webhooks …` cannot read are its usage errors; every other error stays what it is. */
export const asUsageError = <E>(error: E): E | UsageError =>
  CliError.isCliError(error) && error._tag === "ShowHelp" && isOurs(error)
    ? new UsageError({ message: error.errors.map(({ message }) => message).join("\n") })
    : error

/** Says nothing of what becomes a usage error, which has its line at the end; shows the rest as usual. */
export const presenter = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation" && isOurs(event) ? Effect.void : CliOutput.defaultPresenter.present(event)
})
