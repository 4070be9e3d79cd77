import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { statfsSync } from "node:fs"
import { inject } from "vitest"
import { addressFindings } from "../../src/operations/doctor/AddressCheck.ts"
import { Finding } from "../../src/operations/doctor/Finding.ts"
import { Redis } from "../../src/platform/redis/Redis.ts"
import { Addresses, AddressNotAllowed, DnsFailure } from "../../src/webhooks/send/Addresses.ts"
import { clockAhead } from "../harness/ClockAhead.ts"
import { freePort } from "../harness/FreePort.ts"
import { emptyDatabaseUrl, freshDatabaseUrl, postgresLayerAt } from "../harness/Postgres.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { commandLine, startStub } from "./commands/CommandLine.ts"

const key = Buffer.alloc(32, 7).toString("base64")

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Finding)))

const secret = "hunter2"

/** The doctor's findings in this environment, by their subject, and its exit code. */
const examine = Effect.fnUntraced(function*(env: Record<string, string>) {
  const turma = yield* commandLine()
  const always = { DATA_DIR: turma.home, STORAGE_FREE_FLOOR: "0 B", PORT: `${yield* freePort}` }
  const { code, stderr, stdout } = yield* turma.run(["doctor", "--json"], { env: { ...always, ...env } })
  assert.strictEqual(stderr, "")
  assert.notInclude(stdout, secret)
  const findings = yield* decode(stdout)
  for (const { advice, state } of findings) assert.strictEqual(advice === null, state === "ok")
  const of = (subject: string) => findings.filter((finding) => finding.subject === subject)
  return { code, findings, of, states: (subject: string) => of(subject).map(({ state }) => state) }
})

const running = Effect.gen(function*() {
  return { DATABASE_URL: Redacted.value(yield* freshDatabaseUrl), APP_SECRET_KEY: key, REDIS_URL: inject("redisUrl") }
})

layer(Layer.empty, { excludeTestServices: true })("turma doctor", (it) => {
  it.effect("finds an installation well, without a service that runs", () =>
    Effect.gen(function*() {
      const smtp = yield* startSmtp()
      const { code, of, states } = yield* examine({ ...(yield* running), SMTP_URL: Redacted.value(smtp.url) })
      assert.strictEqual(code, 0)
      for (const subject of ["Settings", "Node", "Disk", "Database", "Migrations", "Clock", "Redis", "Mail", "Files"]) {
        assert.deepStrictEqual(states(subject), ["ok"], subject)
      }
      assert.match(of("Database")[0]?.says ?? "", /^PostgreSQL \d+/)
      assert.match(of("Redis")[0]?.says ?? "", /^version \d+/)
      assert.deepStrictEqual(states("PUBLIC_URL"), ["ok", "warning"])
    }))

  it.effect("makes nothing by looking", () =>
    Effect.gen(function*() {
      const { code, of } = yield* examine({ DATA_DIR: "/tmp/turma-doctor-nowhere" })
      assert.strictEqual(code, 0)
      assert.match(of("Database")[0]?.says ?? "", /not made yet/)
      const turma = yield* commandLine()
      const said = yield* turma.bash("ls /tmp/turma-doctor-nowhere")
      assert.strictEqual(said.code, 2)
    }))

  it.effect("says of each thing that is wrong what to do, and fails with 1", () =>
    Effect.gen(function*() {
      const { code, of, states } = yield* examine({
        PORT: "many",
        DATABASE_URL: `postgres://turma:${secret}@127.0.0.1:1/turma`,
        REDIS_URL: `redis://turma:${secret}@127.0.0.1:1`,
        SMTP_URL: `smtp://turma:${secret}@127.0.0.1:1`,
        STORAGE_URL: `s3://AKIA:${secret}@127.0.0.1:1/bucket?tls=false`,
        STORAGE_FREE_FLOOR: "7 PiB"
      })
      assert.strictEqual(code, 1)
      for (const subject of ["PORT", "APP_SECRET_KEY", "Database", "Redis", "Mail", "Files", "Disk"]) {
        assert.deepStrictEqual(states(subject), ["problem"], subject)
      }
      assert.match(of("Database")[0]?.says ?? "", /127\.0\.0\.1:1\/turma.*ECONNREFUSED/)
    }))

  it.effect("says what a newer version has added to the database, and where this one cannot run beside it", () =>
    Effect.gen(function*() {
      const env = yield* running
      const change = (work: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
        Effect.provide(SqlClient.SqlClient.use(work), postgresLayerAt(Redacted.make(env.DATABASE_URL), 1), {
          local: true
        })
      yield* change((sql) =>
        sql`insert into schema_additions (id, name, checksum, applied_at) values (9000, 'newer', 'a', '2027-01-01')`
      )
      const beside = yield* examine(env)
      assert.deepStrictEqual([beside.code, beside.states("Migrations")], [0, ["warning"]])
      assert.match(
        beside.of("Migrations")[0]?.says ?? "",
        /^a newer version has added 9000 \(newer\), beside which this one may run$/
      )
      yield* change((sql) =>
        sql`
        insert into schema_migrations (id, name, checksum, applied_at) values (9001, 'newer', 'a', '2027-01-01')`
      )
      const after = yield* examine(env)
      assert.deepStrictEqual([after.code, after.states("Migrations")], [1, ["problem"]])
      assert.match(after.of("Migrations")[0]?.says ?? "", /^the database is from a newer version of Turma/)
    }))

  it.effect("says which migrations are pending", () =>
    Effect.gen(function*() {
      const DATABASE_URL = Redacted.value(yield* emptyDatabaseUrl)
      const { of } = yield* examine({ DATABASE_URL, APP_SECRET_KEY: key })
      assert.match(of("Migrations")[0]?.says ?? "", /^\d+ are pending, from 0001_/)
      assert.strictEqual(of("Migrations")[0]?.state, "warning")
    }))

  it.effect("warns where webhooks reach private addresses, and where tokens can be read on the way", () =>
    Effect.gen(function*() {
      const { code, of, states } = yield* examine({
        ...(yield* running),
        WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
        PUBLIC_URL: "http://turma.example.invalid"
      })
      assert.strictEqual(code, 0)
      assert.match(of("Address rules")[0]?.says ?? "", /reach 127\.0\.0\.1, by WEBHOOK_ALLOWED_NETWORKS/)
      assert.deepStrictEqual(states("PUBLIC_URL"), ["warning", "warning"])
    }))

  it.effect("warns where the service's own secret is short", () =>
    Effect.gen(function*() {
      const state = (INTERNAL_SECRET: string) =>
        Effect.map(examine({ INTERNAL_SECRET }), ({ code, states }) => [code, ...states("INTERNAL_SECRET")])
      assert.deepStrictEqual(yield* state("x".repeat(23)), [0, "warning"])
      assert.deepStrictEqual(yield* state("x".repeat(24)), [0, "ok"])
    }))

  it.effect("names a variable that looks like one of ours and is none, and the one that was meant", () =>
    Effect.gen(function*() {
      const { code, findings, of } = yield* examine({ PROT: secret, DATABASE_PORT_5432_TCP: "tcp://10.0.0.1:5432" })
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(of("PROT").map(({ says, state }) => [state, says]), [
        ["warning", "PROT is no variable of Turma: is PORT meant?"]
      ])
      assert.notInclude(findings.map(({ subject }) => subject), "DATABASE_PORT_5432_TCP")
    }))

  it.effect("finds each thing of the machine that is short", () =>
    Effect.gen(function*() {
      const turma = yield* commandLine({ STORAGE_FREE_FLOOR: "0 B" })
      const few = yield* turma.bash(`ulimit -n 1024; DATA_DIR=${turma.home} turma doctor --json`)
      const files = (yield* decode(few.stdout)).filter(({ subject }) => subject === "Open files")
      assert.deepStrictEqual(files.map(({ state }) => state), ["warning"])
      assert.match(files[0]?.advice ?? "", /ulimit -n 4096/)
      const { bavail, bsize } = statfsSync(turma.home)
      const little = yield* examine({ STORAGE_FREE_FLOOR: `${Math.floor(bavail * bsize * 0.75)} B` })
      assert.deepStrictEqual([little.code, little.states("Disk")], [0, ["warning"]])
      // No user can make a file there, not even root.
      const locked = yield* examine({ DATA_DIR: "/proc" })
      assert.deepStrictEqual([locked.code, locked.states("Files")], [1, ["problem"]])
    }))

  it.effect("finds clocks that differ, a database of another version, and mail that goes nowhere", () =>
    Effect.gen(function*() {
      const env = yield* running
      const ahead = yield* examine({ ...env, ...clockAhead("70 seconds") })
      assert.deepStrictEqual([ahead.code, ahead.states("Clock")], [1, ["problem"]])
      assert.match(ahead.of("Clock")[0]?.says ?? "", /^differs from the database's by (?:1m|[56]\ds)/)
      assert.deepStrictEqual((yield* examine({ ...env, ...clockAhead("3 seconds") })).states("Clock"), ["ok"])
      yield* SqlClient.SqlClient.use((sql) => sql`update schema_migrations set checksum = 'another' where id = 1`)
        .pipe(Effect.provide(postgresLayerAt(Redacted.make(env.DATABASE_URL), 1)))
      const other = yield* examine(env)
      assert.deepStrictEqual([other.code, other.states("Migrations"), other.states("Mail")], [
        1,
        ["problem"],
        ["warning"]
      ])
      assert.match(other.of("Migrations")[0]?.says ?? "", /^0001_\S+ has changed/)
    }))

  it.effect("finds a Redis that throws away what it counts", () =>
    Effect.gen(function*() {
      const policy = (name: string) =>
        Redis.use((redis) => redis.send("CONFIG", "SET", "maxmemory-policy", name))
          .pipe(Effect.provide(Redis.layer(Redacted.make(inject("redisUrl")))))
      const found = yield* Effect.acquireUseRelease(
        policy("allkeys-lru"),
        () => examine({ REDIS_URL: inject("redisUrl") }),
        () => Effect.orDie(policy("noeviction"))
      )
      assert.deepStrictEqual([found.states("Redis"), found.states("Redis eviction")], [["ok"], ["warning"]])
      assert.match(found.of("Redis eviction")[0]?.says ?? "", /^allkeys-lru/)
    }))

  it.effect("says whose the answers at PUBLIC_URL are", () =>
    Effect.gen(function*() {
      const ours = yield* startStub(() => ({ body: { data: { status: "ok", version: "7.7.7" } } }))
      const well = yield* examine({ PUBLIC_URL: ours.url })
      assert.deepStrictEqual(well.of("PUBLIC_URL").map(({ says }) => says), [`${ours.url} is Turma 7.7.7`])
      const page = yield* startStub(() => ({ body: "<html>" }))
      assert.deepStrictEqual((yield* examine({ PUBLIC_URL: page.url })).states("PUBLIC_URL"), ["warning"])
    }))

  const verdicts: ReadonlyArray<readonly [verdict: "refused" | "unknown", states: ReadonlyArray<string>]> = [
    ["refused", ["problem", "ok"]],
    ["unknown", ["warning", "ok"]]
  ]

  it.effect.each(verdicts)("judges name servers whose answers are %s", ([verdict, states]) =>
    Effect.gen(function*() {
      const rules = yield* Addresses
      const vet = () => Effect.fail(verdict === "refused" ? new AddressNotAllowed() : new DnsFailure())
      const found = yield* Effect.provideService(addressFindings, Addresses, { ...rules, vet })
      assert.deepStrictEqual(found.map(({ state }) => state), states)
      const open = yield* Effect.provideService(addressFindings, Addresses, { ...rules, vet: () => Effect.succeed([]) })
      assert.deepStrictEqual(open.map(({ state }) => state), ["ok", "warning"])
    }).pipe(Effect.provide(Addresses.layer)))

  it.effect("finds a mail server that does not let us in, and a bucket that takes nothing", () =>
    Effect.gen(function*() {
      const smtp = yield* startSmtp({
        server: {
          disabledCommands: ["STARTTLS"],
          allowInsecureAuth: true,
          onAuth: (_auth, _session, callback) => callback(new Error("No such user"))
        }
      })
      const wrong = new URL(Redacted.value(smtp.url))
      wrong.username = "turma"
      wrong.password = secret
      const bucket = yield* startStub(() => ({ status: 403, body: "<Error><Code>AccessDenied</Code></Error>" }))
      const found = yield* examine({
        SMTP_URL: wrong.href,
        STORAGE_URL: `s3://AKIA:${secret}@127.0.0.1:${bucket.port}/bucket?tls=false`
      })
      assert.deepStrictEqual([found.code, found.states("Mail"), found.states("Files")], [1, ["problem"], ["problem"]])
      assert.match(found.of("Mail")[0]?.says ?? "", /refuses the login/)
      assert.match(found.of("Files")[0]?.says ?? "", /AccessDenied|403/)
    }))
})
