import { Console, DateTime, Effect, Layer, Schema } from "effect"
import { telemetryLayer } from "../../operations/telemetry/Telemetry.ts"
import { telemetrySettings } from "../../operations/telemetry/TelemetrySettings.ts"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { DatabaseLayer } from "../../platform/sql/Database.ts"
import { databaseSettings } from "../../platform/sql/DatabaseSettings.ts"
import { version } from "../../platform/version.ts"
import { checkAll } from "../settings/Settings.ts"

/** The clock was not confirmed: one line that says why. */
export class ClockNotConfirmed extends Schema.TaggedError<ClockNotConfirmed>()("ClockNotConfirmed", {
  message: Schema.String
}) {}

const iso = DateTime.formatIso

const confirm = Effect.gen(function*() {
  const guard = yield* ClockGuard
  const verdict = yield* guard.confirm
  switch (verdict._tag) {
    case "Differs":
      return yield* new ClockNotConfirmed({
        message: `this machine's clock says ${iso(verdict.own)}, the database's ${iso(verdict.database)}: ` +
          "set the wrong one right; nothing is deleted and nothing expires until they agree, whatever is confirmed"
      })
    case "Jumped":
      return yield* Console
        .log(`The clock says ${iso(verdict.own)}, and ${iso(verdict.swept)} was the newest moment of a sweep. ` +
          "From now on it counts as right: the next sweep deletes or expires everything past its age.")
    case "Right":
      return yield* Console.log(`The clock says ${iso(verdict.at)} and nothing speaks against it: nothing was changed.`)
  }
})

/** Takes the clock for right where it has jumped and the database, which shares it, cannot say; prints both times. */
export const confirmClock = checkAll({ ...databaseSettings, ...telemetrySettings }).pipe(Effect.andThen(Effect.provide(
  confirm,
  ClockGuard.layer.pipe(Layer.provide(DatabaseLayer), Layer.provide(telemetryLayer(version)))
)))
