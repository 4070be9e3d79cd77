import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { inject } from "vitest"
import { Finding } from "../../src/operations/doctor/Finding.ts"
import { emptyDatabaseUrl, freshDatabaseUrl } from "../harness/Postgres.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { commandLine } from "./commands/CommandLine.ts"

const key = Buffer.alloc(32, 7).toString("base64")

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Finding)))

const secret = "hunter2"

/** What the doctor finds in this environment, by what it is about, and its exit code. */
const examine = Effect.fnUntraced(function*(env: Record<string, string>) {
  const turma = yield* commandLine()
  const always = { DATA_DIR: turma.home, STORAGE_FREE_FLOOR: "0 B" }
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

layer(Layer.empty, { excludeTestServices: true, timeout: "60 seconds" })("turma doctor", (it) => {
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
})
