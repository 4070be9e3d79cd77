import { Effect, FileSystem, Redacted, Schema } from "effect"
import { readFileSync } from "node:fs"
import { project } from "../../guides/Guides.ts"
import { eventually } from "../../harness/Eventually.ts"
import { freshDatabaseUrl } from "../../harness/Postgres.ts"
import { ensurePrometheus, startPrometheus } from "../../harness/Prometheus.ts"

const monitoring = `${project}deploy/monitoring`

const INTERNAL_SECRET = "a-long-random-text"

/** Metrics of workers that have a place for backups. */
export const backupFigures = [
  "turma_backup_last_success_timestamp_seconds",
  "turma_backup_every_seconds",
  "turma_backup_failures"
]

/** A metric of processes that have a replica. */
export const replicaFigure = "turma_replica_behind_bytes"

const Panel = Schema.Struct({
  title: Schema.String,
  targets: Schema.optionalKey(Schema.Array(Schema.Struct({ expr: Schema.String })))
})
const decodeDashboard = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ panels: Schema.Array(Panel) })))

/** The dashboard's queries, over all instances. */
export const panels = () =>
  decodeDashboard(readFileSync(`${monitoring}/dashboard.json`, "utf8")).panels.flatMap(({ targets = [], title }) =>
    targets.map(({ expr }) => ({
      title,
      expr: expr.replaceAll("$__rate_interval", "30s").replaceAll("$instance", ".*")
    }))
  )

/** The dashboard's queries about these metrics. */
export const panelsOf = (figures: ReadonlyArray<string>) =>
  panels().filter(({ expr }) => figures.some((figure) => expr.includes(figure)))

/** Variables of an installation with this database, a folder of its own, and readable metrics. */
export const installedAt = Effect.fnUntraced(function*(database: Redacted.Redacted) {
  const fs = yield* FileSystem.FileSystem
  return {
    DATA_DIR: yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" }),
    DATABASE_URL: Redacted.value(database),
    APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    INTERNAL_SECRET
  }
})

/** The same with a new database. */
export const installed = Effect.flatMap(freshDatabaseUrl, installedAt)

/** The rules without the time that a fault must last, and with a short offset in place of 30 minutes. */
const hasty = (rules: string) =>
  rules.replaceAll(/^( +for:) \S+$/gm, "$1 0s").replaceAll(/\boffset 30m\b/g, "offset 20s")

const configOf = (secret: string, targets: ReadonlyArray<string>) => `
global: { scrape_interval: 2s, scrape_timeout: 2s, evaluation_interval: 1s }
rule_files: [alerts.yml]
scrape_configs:
  - job_name: turma
    metrics_path: /internal/metrics
    authorization: { credentials_file: ${secret} }
    static_configs: [{ targets: ${JSON.stringify(targets)} }]
`

/** A Prometheus that reads the processes at these local ports, with the rules of the project. */
export const watched = Effect.fnUntraced(function*(ports: ReadonlyArray<number>) {
  yield* ensurePrometheus
  const fs = yield* FileSystem.FileSystem
  const work = yield* fs.makeTempDirectoryScoped()
  const targets = ports.map((port) => `127.0.0.1:${port}`)
  yield* fs.writeFileString(`${work}/alerts.yml`, hasty(readFileSync(`${monitoring}/alerts.yml`, "utf8")))
  yield* fs.writeFileString(`${work}/secret`, INTERNAL_SECRET)
  yield* fs.writeFileString(`${work}/prometheus.yml`, configOf(`${work}/secret`, targets))
  const prometheus = yield* startPrometheus(`${work}/prometheus.yml`, `${work}/series`)
  /** True if this alert is firing now with these labels. */
  const fires = (alert: string, labels: Readonly<Record<string, string>> = {}) => {
    const wanted = Object.entries({ alertname: alert, ...labels })
    return Effect.map(
      prometheus.firing,
      (firing) => firing.some((found) => wanted.every(([label, value]) => found[label] === value))
    )
  }
  /** Waits until the alert fires. */
  const fired = (alert: string, labels: Readonly<Record<string, string>> = {}) =>
    eventually(Effect.delay(Effect.orDie(fires(alert, labels)), "500 millis"), (isFiring) => isFiring)
  /** Waits until this expression has a result. */
  const found = (expression: string) =>
    eventually(Effect.delay(Effect.orDie(prometheus.query(expression)), "500 millis"), ({ length }) => length > 0)
  return { prometheus, targets, fires, fired, found }
})
