import { NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Queue, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { blocks, guide, marked } from "../guides/Guides.ts"
import { at } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import { startPgBouncer } from "../harness/PgBouncer.ts"
import { adminDatabaseUrl, emptyDatabaseUrl } from "../harness/Postgres.ts"
import { startReceiver } from "../harness/Receiver.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { caFile } from "../harness/Tls.ts"
import { ask, post, runTurma, startApi } from "../harness/Turma.ts"
import { journey } from "./Journey.ts"
import { salesJourney } from "./SalesJourney.ts"

// Takes long: whole services and commands run through a pooler.

const text = guide("database")

const APP_SECRET_KEY = Buffer.alloc(32, 7).toString("base64")

const as = (url: Redacted.Redacted, statements: ReadonlyArray<string>) =>
  PgConnection.make({ url }).pipe(
    Effect.flatMap((connection) => Effect.forEach(statements, (statement) => connection.query(statement))),
    Effect.scoped
  )

/** A database and its role, which owns nothing else and has no other rights, as the guide makes it. */
const ownDatabase = Effect.gen(function*() {
  const role = `turma_${randomBytes(6).toString("hex")}`
  const asAdmin = (statement: string) => as(adminDatabaseUrl(), [statement])
  yield* Effect.acquireRelease(
    asAdmin(`create role ${role} login password 'secret'`),
    () => Effect.orDie(asAdmin(`drop role ${role}`))
  )
  const url = new URL(Redacted.value(yield* emptyDatabaseUrl))
  const database = url.pathname.slice(1)
  yield* asAdmin(`alter database ${database} owner to ${role}`)
  url.username = role
  url.password = "secret"
  return { url: Redacted.make(url.href), role, database }
})

/** The guide's statements that set limits for waits. */
const boundsOf = (role: string, database: string) =>
  blocks(marked(text, "bounds"), "sql").join("").trim().split(";").filter((statement) => statement !== "").map((
    statement
  ) => statement.replace("role turma", `role ${role}`).replace("database turma", `database ${database}`))

/** The settings of the guide's `pgbouncer.ini` for any installation, with so few connections that requests wait. */
const ownSettings = (more: Readonly<Record<string, string>> = {}) => {
  const [ini = ""] = blocks(text, "ini")
  const lines = ini.split("[pgbouncer]")[1]?.split("\n").filter((line) => /^\w+ = /.test(line)) ?? []
  const settings = Object.fromEntries(lines.map((line) => line.split(" = ")))
  const { auth_file: _, listen_addr: _address, listen_port: _port, ...kept } = settings
  return { ...kept, default_pool_size: "3", ...more }
}

const pooled = Effect.fnUntraced(function*(more?: Readonly<Record<string, string>>) {
  const own = yield* ownDatabase
  const pooler = yield* startPgBouncer({ database: own.url, settings: ownSettings(more) })
  const env = {
    DATABASE_URL: pooler.url,
    DATABASE_SESSION_URL: Redacted.value(own.url),
    DATABASE_POOLER: "transaction",
    APP_SECRET_KEY
  }
  return { ...own, env }
})

/** A pooler with this drops these parameters in silence. */
const silent = {
  ignore_startup_parameters: "lock_timeout,idle_in_transaction_session_timeout,default_transaction_read_only"
}

/** The exit code and the message of a start that is refused. */
const refusal = Effect.fnUntraced(function*(env: Readonly<Record<string, string>>) {
  const { code, stderr } = yield* runTurma({ args: ["src/cli/main.ts", "migrate"], env: { ...env } })
  return [code, stderr.trim()] as const
})

layer(NodeServices.layer, { excludeTestServices: true })(
  "Through PgBouncer in transaction mode",
  (it) => {
    it.effect("people, sales, imports and webhooks come to their end, and a backup is made", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const { database, env, role, url } = yield* pooled()
        yield* as(url, boundsOf(role, database))
        const smtp = yield* startSmtp()
        const receiver = yield* startReceiver()
        const DATA_DIR = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
        const INTERNAL_SECRET = randomBytes(16).toString("hex")
        const service = yield* startApi({
          env: {
            ...env,
            DATA_DIR,
            INTERNAL_SECRET,
            SMTP_URL: Redacted.value(smtp.url),
            RATE_LIMIT_CREDENTIALS: "1000",
            RATE_LIMIT_WRITES: "1000",
            WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
            WEBHOOK_EXTRA_CA_FILE: yield* caFile(receiver.ca),
            LOG_FORMAT: "json"
          }
        })
        const { club, owner } = yield* journey({
          url: service.url,
          mails: smtp.received,
          internalSecret: INTERNAL_SECRET
        })
        const made = yield* post(
          `${club}/webhook-endpoints`,
          { url: receiver.url, event_types: ["student.created"] },
          owner
        )
        assert.strictEqual(made.status, 201, made.text)
        yield* salesJourney({ url: service.url, club, mails: smtp.received, owner })
        const delivered = yield* receiver.next
        assert.include(delivered.body.toString(), "student.created")
        const headers = { authorization: `Bearer ${owner}` }
        const csv = yield* ask(`${club}/students/export.csv`, { headers })
        assert.match(csv.text, /^id,name,email,verified,created_at\r\n.*Eva/s)
        // Concurrent readers wait for the few connections, and each of them gets one.
        const lists = yield* Effect.all(Array.from({ length: 60 }, () => ask(`${club}/students`, { headers })), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual([...new Set(lists.map(({ status }) => status))], [200])
        const ready = yield* eventually(
          ask(`${service.url}/v1/health/ready`),
          ({ json }) => at(json, "data", "status") === "ready"
        )
        assert.strictEqual(ready.status, 200)

        const backup = yield* runTurma({
          args: ["src/cli/main.ts", "backup", `${DATA_DIR}/a.turma`],
          env: { ...env, DATA_DIR }
        })
        assert.strictEqual(backup.code, 0, backup.stderr)
        yield* fs.makeDirectory(`${DATA_DIR}/backups`)
        const kept = yield* runTurma({
          args: ["src/cli/main.ts", "backup", `${DATA_DIR}/backups`, "--keep", "1"],
          env: { ...env, DATA_DIR }
        })
        assert.strictEqual(kept.code, 0, kept.stderr)
        assert.match(kept.stdout, /^It is good: restored within/m)
        const doctor = yield* runTurma({ args: ["src/cli/main.ts", "doctor"], env: { ...env, DATA_DIR } })
        const found = doctor.stdout.split("\n").filter((line) => /^\w+\t(?:Database|Pooler)\t/.test(line))
        assert.deepStrictEqual(found.map((line) => line.replace(/PostgreSQL \S+ /, "")), [
          "ok\tDatabase\tanswers\t",
          "ok\tPooler\tlends connections by the transaction, statements are sent unprepared\t"
        ])

        const { code, stderr, stdout } = yield* service.end()
        assert.deepStrictEqual([code, stderr], [0, ""])
        const loud = stdout.split("\n").filter((line) => /"level":"(ERROR|WARN)"|prepared statement/.test(line))
        assert.deepStrictEqual(
          loud.filter((line) =>
            !/REDIS_URL|development and tests only|A readiness check failed(?!.*prepared statement)/.test(line)
          ),
          []
        )
        yield* Queue.shutdown(smtp.received)
      }))

    it.effect("a start says what is missing, and how to make it so", () =>
      Effect.gen(function*() {
        const { database, env, role, url } = yield* pooled()
        const { DATABASE_POOLER, DATABASE_SESSION_URL: _, ...rest } = env
        const here = `${env.DATABASE_URL.replace(":secret", "")}`

        const advice =
          "set DATABASE_POOLER=transaction with DATABASE_SESSION_URL, where this is a pooler in transaction mode"
        assert.deepStrictEqual(yield* refusal(rest), [
          1,
          `turma: DATABASE_URL: cannot use ${here}: unsupported startup parameter: lock_timeout: ${advice}`
        ])
        assert.deepStrictEqual(yield* refusal({ ...rest, DATABASE_POOLER }), [
          2,
          "turma: DATABASE_SESSION_URL: expected the database's own address, past the pooler, beside " +
          "DATABASE_POOLER=transaction, for example DATABASE_SESSION_URL=postgres://turma:secret@db.example:5432/turma"
        ])
        const bounds = boundsOf(role, database)
        const [code, unbounded] = yield* refusal(env)
        assert.strictEqual(code, 1)
        assert.include(
          unbounded.replaceAll(`"${role}"`, role).replaceAll(`"${database}"`, database),
          `DATABASE_URL: ${here} does not have our lock_timeout and idle_in_transaction_session_timeout: run "${
            bounds.map((statement) => statement.trim()).join("; ")
          }", then RECONNECT in the pooler's console`
        )
        yield* as(url, bounds)
        const again = yield* startPgBouncer({ database: url, settings: ownSettings() })
        const bounded = { ...env, DATABASE_URL: again.url }
        const [, itself] = yield* refusal({ ...bounded, DATABASE_SESSION_URL: again.url })
        assert.match(itself, /DATABASE_SESSION_URL: cannot use \S+: unsupported startup parameter/)
        const [, prepared] = yield* refusal({ ...bounded, DATABASE_PREPARED_STATEMENTS: "true" })
        assert.match(
          prepared,
          /DATABASE_PREPARED_STATEMENTS: the pooler at \S+ does not keep them: false, or max_prepared/
        )
        const other = yield* ownDatabase
        const [, another] = yield* refusal({ ...bounded, DATABASE_SESSION_URL: Redacted.value(other.url) })
        assert.match(another, /DATABASE_SESSION_URL: \S+ is another database than that of DATABASE_URL$/)

        assert.deepStrictEqual((yield* refusal(bounded))[0], 0)
      }))

    it.effect("a pooler that keeps what we say from the server is noticed, also where it says nothing", () =>
      Effect.gen(function*() {
        const { env, role, url, database } = yield* pooled(silent)
        const { DATABASE_POOLER: _, DATABASE_SESSION_URL: __, ...rest } = env
        const [code, said] = yield* refusal(rest)
        assert.strictEqual(code, 1)
        assert.match(said, /does not have our lock_timeout and .*: set DATABASE_POOLER=transaction/)
        yield* as(url, boundsOf(role, database))
        // Notifications do not pass through it either.
        const again = yield* startPgBouncer({ database: url, settings: ownSettings(silent) })
        const [, deaf] = yield* refusal({ ...env, DATABASE_URL: again.url, DATABASE_SESSION_URL: again.url })
        assert.match(deaf, /DATABASE_SESSION_URL: \S+ gives no session, so a pooler is in between/)
      }))
  }
)
