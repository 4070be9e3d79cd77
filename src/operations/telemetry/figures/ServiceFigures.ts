import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Overviews } from "../../../platform/jobs/Overviews.ts"
import { type NamedBacklog, readBacklogs } from "../../../platform/jobs/readBacklogs.ts"
import { databaseSettings } from "../../../platform/sql/DatabaseSettings.ts"
import { faultsDie, one } from "../../../platform/sql/Rows.ts"
import { Health } from "../../health/Health.ts"
import { dataDisk } from "./DataDisk.ts"
import { type Family, gauge, textOf } from "./Family.ts"

/** How long a part may take. The database ends its statements a little earlier. */
const patience = Duration.seconds(2)
const statementTimeout = `${Duration.toMillis(patience) - 200}`

/** A second question within this time gets the same figures. */
const shared = Duration.seconds(1)

/** PostgreSQL looks at every file of the database for it. */
const sizeIsOf = Duration.minutes(1)

const decodeSize = one(Schema.Struct({ bytes: Schema.Number }))

/** A part of the figures: a part that does not answer is missing, and marked. */
interface Part {
  readonly name: string
  readonly read: Effect.Effect<ReadonlyArray<Family>>
}

const queueFamilies = (queues: ReadonlyArray<NamedBacklog>): ReadonlyArray<Family> => [
  gauge(
    "turma_queue_depth",
    "How many wait in a queue, due or not; 10000 is that or more",
    queues.map(({ depth, name }) => ({ labels: { queue: name }, value: depth }))
  ),
  gauge(
    "turma_queue_oldest_seconds",
    "How long the oldest in a queue has been due; 0 if nothing is due",
    queues.map(({ name, oldest_seconds }) => ({ labels: { queue: name }, value: oldest_seconds }))
  )
]

/** Families of one name from several parts are one. */
const joined = (families: ReadonlyArray<Family>) =>
  [...Map.groupBy(families, ({ name }) => name).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, samples: [first, ...others].flatMap(({ samples }) => samples) }]
  )

/** How what all processes share stands: queues, disk, database, readiness. */
export class ServiceFigures extends Context.Service<ServiceFigures, {
  /** In Prometheus' text. Takes two seconds at most, and is read once for all who ask within one. */
  readonly read: Effect.Effect<string>
}>()("turma/operations/telemetry/figures/ServiceFigures") {
  static readonly layer = Layer.effect(
    ServiceFigures,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const health = yield* Health
      const { parts, queues } = yield* Overviews
      const folder = yield* databaseSettings.DATA_DIR.read

      // On a connection of its own: on one that reads share, those behind it would wait. The server ends what takes long.
      const bounded = <A>(read: Effect.Effect<A>) =>
        faultsDie(sql
          .withTransaction(Effect.andThen(
            sql`select set_config('statement_timeout', ${statementTimeout}, true)`,
            read
          )))

      const size = yield* Effect.cachedWithTTL(
        bounded(sql`select pg_database_size(current_database())::float8 as bytes`.pipe(decodeSize)),
        sizeIsOf
      )

      const allParts: ReadonlyArray<Part> = [
        {
          name: "queues",
          read: Effect.flatMap(
            DateTime.now,
            (now) => Effect.map(bounded(readBacklogs(sql, queues, now)), queueFamilies)
          )
        },
        ...parts.flatMap(({ name, waiting }) =>
          waiting === undefined ? [] : [{ name, read: Effect.map(bounded(waiting), queueFamilies) }]
        ),
        {
          name: "database",
          read: Effect.map(size, ({ bytes }) => [
            gauge("turma_database_size_bytes", "How much the database takes on its disk", [{ value: bytes }])
          ])
        },
        { name: "disk", read: dataDisk(folder) },
        {
          name: "readiness",
          read: Effect.map(health.readiness, ({ checks }) => [
            gauge(
              "turma_ready",
              "1 if a check of readiness passes",
              Object.entries(checks).map(([check, is]) => ({ labels: { check }, value: is === "ok" ? 1 : 0 }))
            )
          ])
        }
      ]

      // Readiness has 2 seconds itself, for each of its checks at once.
      const answered = ({ name, read }: Part) =>
        read.pipe(
          Effect.timeout(Duration.times(patience, 1.5)),
          Effect.asSome,
          Effect.catchCause((cause) =>
            Effect.as(
              Effect.logWarning("A part of the metrics could not be read", { part: name }, cause),
              Option.none()
            )
          ),
          Effect.map((families) => ({ name, families }))
        )

      const read = Effect.forEach(allParts, answered, { concurrency: "unbounded" }).pipe(
        Effect.map((all) =>
          textOf([
            ...joined(all.flatMap(({ families }) => Option.getOrElse(families, () => []))),
            gauge(
              "turma_metrics_part_answered",
              "1 if this part of the metrics was read in time; otherwise its metrics are missing",
              all.map(({ families, name }) => ({ labels: { part: name }, value: Option.isSome(families) ? 1 : 0 }))
            )
          ])
        ),
        Effect.withTracerEnabled(false)
      )
      return ServiceFigures.of({ read: yield* Effect.cachedWithTTL(read, shared) })
    })
  )
}
