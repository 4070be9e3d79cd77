import { type Cause, Clock, Duration, Effect, Formatter, Layer, Logger, LogLevel, References, Schedule } from "effect"
import { pretty } from "effect/Cause"

/** How long a line stands for those that are the same. */
const window = Duration.minutes(1)

/** How often counts are looked at. */
const every = Duration.seconds(5)

/** More kinds of lines than this within a minute are not one fault that repeats: the others are written as they come. */
const mostKinds = 1000

/** A line that was written, and how often it has come since. */
interface Kind {
  readonly level: LogLevel.Severity
  readonly message: ReadonlyArray<unknown>
  readonly cause: Cause.Cause<unknown>
  readonly annotations: Readonly<Record<string, unknown>>
  readonly since: number
  repeated: number
}

const isSeverity = (level: LogLevel.LogLevel): level is LogLevel.Severity => level !== "All" && level !== "None"

/** The identity of lines: all their content, except the time and the fiber. */
const keyOf = ({ annotations, cause, level, message }: Kind) =>
  [level, Formatter.format(message), Formatter.format(annotations), pretty(cause)].join("\n")

const kindOf = (
  { cause, date, fiber, message }: Logger.Options<unknown>,
  level: LogLevel.Severity
): Kind => ({
  level,
  message: Array.isArray(message) ? message : [message],
  cause,
  annotations: fiber.getRef(References.CurrentLogAnnotations),
  since: date.getTime(),
  repeated: 0
})

/** Says a line once more, with how often it came. */
const tell = ({ annotations, cause, level, message, repeated }: Kind) =>
  Effect.annotateLogs(Effect.logWithLevel(level)(...message, cause), { ...annotations, repeated })

/**
 * Writes a warning or an error at once, and for a minute counts its repeats. Then the line comes again, with the count
 * as `repeated`. Lines that differ in anything do not hide each other. Provide it with the loggers that write.
 */
export const RepeatedLinesLayer = Layer.effect(
  Logger.CurrentLoggers,
  Effect.gen(function*() {
    const loggers = yield* Logger.CurrentLoggers
    const kinds = new Map<string, Kind>()

    const isRepeated = (options: Logger.Options<unknown>) => {
      if (!isSeverity(options.logLevel) || LogLevel.isLessThan(options.logLevel, "Warn")) return false
      const kind = kindOf(options, options.logLevel)
      const key = keyOf(kind)
      const known = kinds.get(key)
      if (known !== undefined) known.repeated += 1
      else if (kinds.size < mostKinds) kinds.set(key, kind)
      return known !== undefined
    }

    const sweep = Effect.fnUntraced(function*(until: number) {
      for (const [key, kind] of kinds) {
        if (kind.since > until) continue
        kinds.delete(key)
        if (kind.repeated === 0) continue
        kinds.set(key, { ...kind, since: yield* Clock.currentTimeMillis, repeated: 0 })
        yield* tell(kind)
      }
    }, Effect.provideService(Logger.CurrentLoggers, loggers))

    const sweepOld = Effect.flatMap(Clock.currentTimeMillis, (now) => sweep(now - Duration.toMillis(window)))
    yield* Effect.addFinalizer(() => sweep(Infinity))
    yield* Effect.forkScoped(Effect.repeat(sweepOld, Schedule.spaced(every)))

    return new Set([
      Logger.make((options) => {
        if (isRepeated(options)) return
        for (const logger of loggers) logger.log(options)
      })
    ])
  })
)
