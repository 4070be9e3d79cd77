import { ConfigProvider, Effect, FileSystem, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { ServicesLayer } from "../../../src/App.ts"
import { connectionsLayer } from "../../../src/platform/sql/Connections.ts"
import { migrate } from "../../../src/platform/sql/Migrations.ts"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { LaneChanges } from "../../../src/webhooks/engine/lane/LaneChanges.ts"
import { startArguments, startEnvironment } from "../../harness/ScriptArguments.ts"
import { testCa } from "../../harness/Tls.ts"
import { newDatabase } from "../newDatabase.ts"
import { startChild } from "./Child.ts"

const Ports = Schema.Struct({
  prompt: Schema.Array(Schema.Int),
  tarpit: Schema.Array(Schema.Int),
  slow: Schema.Array(Schema.Int)
})

const Reached = Schema.Struct({ milliseconds: Schema.Finite, connections: Schema.Int })
const Arrivals = Schema.Array(Schema.Tuple([Schema.String, Schema.Finite]))

/** Receivers of each kind: one for each endpoint that a club may have. */
const receivers = 20

const urlsOf = (ports: ReadonlyArray<number>) => ports.map((port) => `https://127.0.0.1:${port}/webhooks`)

/** All receivers in one process: 20 answer at once, 20 never answer, and one takes 50 ms. */
const startReceivers = Effect.fn("startReceivers")(function*(ca: ReturnType<typeof testCa>) {
  const { cert, key } = ca.certificate()
  const child = yield* startChild({
    args: ["test/bench/webhooks/receiver.ts"],
    env: { CERTIFICATE: cert, KEY: key, PORTS: `${receivers}` }
  })
  const ports = yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(Ports))(yield* child.until("prompt")))
  return {
    prompt: urlsOf(ports.prompt),
    tarpits: urlsOf(ports.tarpit),
    slow: urlsOf(ports.slow),
    /** Starts the count at zero. */
    expect: (count: number) => child.ask({ do: "expect", count }, Schema.Null),
    /** Ends once all expected requests have come. */
    reach: child.ask({ do: "reach" }, Reached),
    /** Notes each request from now on. */
    note: child.ask({ do: "note" }, Schema.Null),
    /** The webhook-id and the time of each request since `note`, in milliseconds since 1970. */
    arrivals: child.ask({ do: "arrivals" }, Arrivals),
    arrived: child.ask({ do: "arrived" }, Schema.Int)
  }
})

/** Adds to a database the other needs of senders: receivers with a certificate, and keys. */
export const equip = Effect.fn("equip")(function*<A extends { readonly folder: string }>(place: A) {
  const fs = yield* FileSystem.FileSystem
  const random = yield* SecureRandom.SecureRandom
  const ca = testCa()
  const caFile = `${place.folder}/ca.pem`
  yield* fs.writeFileString(caFile, ca.caPem)
  const key = Buffer.from(yield* random.randomBytes(32)).toString("base64")
  const secret = Buffer.from(yield* random.randomBytes(32))
  return { ...place, caFile, key, secret, receivers: yield* startReceivers(ca) }
})

/** A migrated PostgreSQL with these settings beside its defaults, and receivers with a certificate. */
export const makeStand = Effect.fn("makeStand")(function*(settings: Readonly<Record<string, string>> = {}) {
  const fs = yield* FileSystem.FileSystem
  const { database, directory, folder } = yield* newDatabase(settings)
  const postmaster = Number((yield* fs.readFileString(`${directory}/cluster/postmaster.pid`)).split("\n")[0])
  return yield* equip({ folder, database, postmaster })
})
export type Stand = Effect.Success<ReturnType<typeof makeStand>>

/** The driver's own access to the migrated database, with Turma's services. */
export const driverLayer = ({ database, key }: Pick<Stand, "database" | "key">) =>
  Layer.mergeAll(LaneChanges.layer, Partitions.layer).pipe(
    Layer.provideMerge(ServicesLayer),
    Layer.provideMerge(Layer.effectDiscard(migrate())
      .pipe(Layer.provideMerge(connectionsLayer({ url: database, connections: 8 })))),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ APP_SECRET_KEY: key })))
  )

interface WorkerOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The folder for the results of Node's profiler. */
  readonly profile?: string | undefined
  /** Another address of the same database. */
  readonly database?: Redacted.Redacted
}

/** Starts Turma's worker with assembly and dispatch, with the options that `npm start` passes to Node. */
export const startWorker = Effect.fn("startWorker")(function*(
  { caFile, database, folder, key }: Omit<Stand, "postmaster">,
  { database: other = database, env = {}, profile }: WorkerOptions = {}
) {
  const profiler = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]
  const child = yield* startChild({
    args: [...profiler, ...startArguments],
    env: {
      ...startEnvironment,
      APP_SECRET_KEY: key,
      DATABASE_URL: Redacted.value(other),
      DATA_DIR: folder,
      LOG_FORMAT: "json",
      ROLE: "worker",
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      WEBHOOK_EXTRA_CA_FILE: caFile,
      // All receivers share one address.
      WEBHOOK_TARGET_CONCURRENCY: "10000",
      ...env
    }
  })
  yield* child.until("worker is ready")
  return child
})
