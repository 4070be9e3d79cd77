import { Effect, Schema, type Scope } from "effect"
import { execFile, spawn } from "node:child_process"
import { freePort } from "./FreePort.ts"
import { command, installQuietly, mayInstall } from "./Packages.ts"
import { ask } from "./Turma.ts"
import { ifWeDie } from "./Watchdog.ts"

const missing = () => new Error("These tests need prometheus and promtool on the PATH: install Prometheus")

/** Makes sure that there are `prometheus` and `promtool`. On Debian, root installs them, without starting a service. */
export const ensurePrometheus = Effect.all([command("prometheus", "--version"), command("promtool", "--version")]).pipe(
  Effect.asVoid,
  Effect.catch(() => mayInstall() ? Effect.mapError(installQuietly("prometheus"), missing) : Effect.fail(missing()))
)

/** Runs `promtool` with these arguments: true if it passes, and its output. */
export const promtool = (folder: string, ...args: ReadonlyArray<string>) =>
  Effect.callback<{ readonly passes: boolean; readonly said: string }>((resume) => {
    execFile("promtool", args, { cwd: folder }, (error, stdout, stderr) => {
      resume(Effect.succeed({ passes: error === null, said: stdout + stderr }))
    })
  })

const Labels = Schema.Record(Schema.String, Schema.String)
const decodeQuery = Schema.decodeUnknownEffect(Schema.Struct({
  data: Schema.Struct({
    result: Schema.Array(Schema.Struct({ metric: Labels, value: Schema.Tuple([Schema.Number, Schema.String]) }))
  })
}))
const decodeAlerts = Schema.decodeUnknownEffect(Schema.Struct({
  data: Schema.Struct({ alerts: Schema.Array(Schema.Struct({ labels: Labels, state: Schema.String })) })
}))
const decodeRules = Schema.decodeUnknownEffect(Schema.Struct({
  data: Schema.Struct({
    groups: Schema.Array(Schema.Struct({
      rules: Schema.Array(Schema.Struct({ name: Schema.String, health: Schema.String, query: Schema.String }))
    }))
  })
}))

/** Starts a Prometheus with this configuration, stopped with the scope. */
export const startPrometheus = Effect.fnUntraced(function*(config: string, folder: string): Effect.fn.Return<
  {
    readonly query: (expression: string) => Effect.Effect<
      ReadonlyArray<{ readonly metric: Readonly<Record<string, string>>; readonly value: number }>,
      Schema.SchemaError
    >
    /** The labels of the alerts that fire. */
    readonly firing: Effect.Effect<ReadonlyArray<Readonly<Record<string, string>>>, Schema.SchemaError>
    readonly rules: Effect.Effect<
      ReadonlyArray<{ readonly name: string; readonly health: string; readonly query: string }>,
      Schema.SchemaError
    >
  },
  Error,
  Scope.Scope
> {
  const port = yield* freePort
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn("prometheus", [
        `--config.file=${config}`,
        `--storage.tsdb.path=${folder}`,
        `--web.listen-address=127.0.0.1:${port}`
      ], { stdio: "ignore" })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  yield* ifWeDie(`kill -KILL "$1"`, `${child.pid ?? 0}`)
  const url = `http://127.0.0.1:${port}/api/v1`
  const query = (expression: string) =>
    ask(`${url}/query?${new URLSearchParams({ query: expression })}`).pipe(
      Effect.flatMap(({ json }) => decodeQuery(json)),
      Effect.map(({ data }) => data.result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) })))
    )
  return {
    query,
    firing: Effect.flatMap(ask(`${url}/alerts`), ({ json }) => decodeAlerts(json))
      .pipe(Effect.map(({ data }) =>
        data.alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels)
      )),
    rules: Effect.flatMap(ask(`${url}/rules`), ({ json }) => decodeRules(json))
      .pipe(Effect.map(({ data }) => data.groups.flatMap(({ rules }) => rules)))
  }
})
