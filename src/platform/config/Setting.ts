import { Config, ConfigProvider, Effect, Option, Runtime, Schema } from "effect"
import { fileVariable, secretFromFile } from "./SecretFile.ts"

/** A variable that is missing or malformed: one line that names it, says what it takes and shows an example. */
export class SettingError extends Schema.TaggedError<SettingError>()("SettingError", {
  variable: Schema.String,
  expected: Schema.String,
  example: Schema.String,
  /** The fault, if it is not the value. */
  fault: Schema.optionalKey(Schema.String)
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    return this.fault ?? `${this.variable}: expected ${this.expected}, for example ${this.variable}=${this.example}`
  }
}

/** One environment variable: what the guide to configuration says of it and how it is read. */
export interface Setting<out A> {
  readonly variable: string
  /** True if there is a default: `fallback` has it, as the environment would. Otherwise `fallback` says what unset means. */
  readonly isDefault: boolean
  readonly fallback: string
  readonly meaning: string
  /** True if it holds a secret. Then `<variable>_FILE` may name a file with the value. */
  readonly isSecret: boolean
  /** Reads the variable, or its default. Never carries the value that was refused. */
  readonly read: Effect.Effect<A, SettingError>
}

interface Description {
  readonly variable: string
  readonly meaning: string
  /** Completes "expected …" in the error. */
  readonly expected: string
  readonly example: string
}

/** A setting of a secret is read from a file, too. */
interface Secrecy {
  readonly isSecret?: boolean
}

const refused = ({ example, expected, variable }: Description) => () =>
  new SettingError({ variable, expected, example })

const faulty = ({ example, expected, variable }: Description, fault: string) =>
  new SettingError({ variable, expected, example, fault })

/** The value of a variable, or of the file that is named instead. */
const readSource = <A>(description: Description & Secrecy, source: Config.Config<A>) => {
  const { isSecret = false, variable } = description
  const given = Effect.mapError(Config.option(source), refused(description))
  if (!isSecret) return given
  return Effect.flatMap(
    Effect.mapError(secretFromFile(variable), ({ fault }) => faulty(description, fault)),
    Option.match({
      onNone: () => given,
      onSome: ({ path, value }) =>
        source.parse(ConfigProvider.fromUnknown({ [variable]: value })).pipe(Effect.mapBoth({
          onFailure: () =>
            faulty(
              description,
              `${variable}: expected ${description.expected} in ${path}, the file of ${fileVariable(variable)}`
            ),
          onSuccess: Option.some
        }))
    })
  )
}

/** A variable with a default. The default is written as in the environment and parsed by the same rule. */
export const setting = <A>(
  description: Description & { readonly fallback: string },
  config: (variable: string) => Config.Config<A>
): Setting<A> => {
  const { fallback, meaning, variable } = description
  const source = config(variable)
  const fromFallback = source.parse(ConfigProvider.fromUnknown({ [variable]: fallback }))
  const read = Config.option(source).pipe(
    Effect.flatMap(Option.match({ onNone: () => fromFallback, onSome: Effect.succeed })),
    Effect.mapError(refused(description))
  )
  return { variable, isDefault: true, fallback, meaning, isSecret: false, read }
}

/** A variable that may stay unset; `unset` says in the documentation what happens then. */
export const optionalSetting = <A>(
  description: Description & Secrecy & { readonly unset: string },
  config: (variable: string) => Config.Config<A>
): Setting<Option.Option<A>> => ({
  variable: description.variable,
  isDefault: false,
  fallback: description.unset,
  meaning: description.meaning,
  isSecret: description.isSecret ?? false,
  read: readSource(description, config(description.variable))
})
