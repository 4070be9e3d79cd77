import { NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Queue, Redacted } from "effect"
import { at } from "../../harness/App.ts"
import { eventually } from "../../harness/Eventually.ts"
import { freePort } from "../../harness/FreePort.ts"
import { startReceiver } from "../../harness/Receiver.ts"
import { startSmtp } from "../../harness/Smtp.ts"
import { ask, post, startApi, startTurma } from "../../harness/Turma.ts"
import { backupFigures, installed, panels, panelsOf, replicaFigure, watched } from "./Watched.ts"

// Takes long: alerts fire after waits in real time.

// A real Prometheus with the rules of the repository, which reads real processes. Only the waits of the alerts are
// shorter. Provoked.test.ts provokes the other alerts.

/** An administrator of a club makes an endpoint and tests it. */
const tryWebhook = Effect.fnUntraced(function*(
  url: string,
  smtp: Effect.Success<ReturnType<typeof startSmtp>>,
  receiver: string
) {
  const identity = { email: "ana@example.com", password: "violao e voz" }
  yield* post(`${url}/v1/auth/admin/sign-up`, { name: "Ana", ...identity })
  const mail = yield* Queue.take(smtp.received)
  const token = /(?:token|code)=([\w-]+)/.exec(JSON.stringify(mail))?.[1] ?? ""
  yield* post(`${url}/v1/auth/admin/confirm`, { token })
  const session = String(at((yield* post(`${url}/v1/auth/admin/sign-in`, identity)).json, "data", "access_token"))
  const founded = yield* post(`${url}/v1/clubs`, { name: "Violão Fácil" }, session)
  const endpoints = `${url}/v1/clubs/${at(founded.json, "data", "organization_id")}/webhook-endpoints`
  const made = yield* post(endpoints, { url: receiver, event_types: ["student.created"] }, session)
  const tested = yield* post(`${endpoints}/${at(made.json, "data", "id")}/test`, {}, session)
  assert.isBelow(tested.status, 300, tested.text)
})

layer(NodeServices.layer, { excludeTestServices: true })(
  "A Prometheus that reads Turma",
  (it) => {
    it.effect("has series for every panel and every rule, and fires where a queue, readiness or a process fails", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const work = yield* fs.makeTempDirectoryScoped()
        const smtp = yield* startSmtp()
        const receiver = yield* startReceiver()
        yield* fs.writeFileString(`${work}/ca.pem`, receiver.ca.caPem)

        // One healthy installation with an API and a worker, and one without a worker.
        const good = {
          ...yield* installed,
          SMTP_URL: Redacted.value(smtp.url),
          WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
          WEBHOOK_EXTRA_CA_FILE: `${work}/ca.pem`
        }
        const api = yield* startApi({ env: { ...good, ROLE: "api" } })
        const workerPort = yield* freePort
        const worker = yield* startTurma({ env: { ...good, ROLE: "worker", METRICS_PORT: `${workerPort}` } })
        yield* worker.until("worker is ready")
        const bad = yield* installed
        const lonely = yield* startApi({ env: { ...bad, ROLE: "api" } })
        yield* PgConnection.make({ url: Redacted.make(bad.DATABASE_URL) }).pipe(
          Effect.flatMap((connection) =>
            connection.query("insert into mails (id, content, attempts, next_attempt_at, created_at) " +
              "select gen_random_uuid(), '\\x00', 0, at, at from (select now() - interval '10 minutes' as at)")
          ),
          Effect.scoped
        )

        const ports = [api.port, workerPort, lonely.port]
        const { fired, fires, found: seen, prometheus, targets } = yield* watched(ports)
        yield* tryWebhook(api.url, smtp, receiver.url)
        yield* receiver.next

        const others = new Set(panelsOf([...backupFigures, replicaFigure]).map(({ title }) => title))
        const asked = panels().filter(({ title }) => !others.has(title))
        assert.isAbove(asked.length, 25)
        const without = Effect.map(
          Effect.forEach(
            asked,
            ({ expr, title }) => Effect.map(prometheus.query(expr), (found) => ({ found, title, expr })),
            {
              concurrency: 4
            }
          ),
          (all) => all.filter(({ found }) => found.length === 0).map(({ expr, title }) => `${title}: ${expr}`)
        )
        yield* eventually(Effect.delay(Effect.orDie(without), "1 second"), (empty) => empty.length === 0)

        const roles = Effect.orDie(prometheus.query("count by (role) (turma_process_info)"))
        const found = yield* eventually(Effect.delay(roles, "1 second"), ({ length }) => length === 2)
        assert.sameMembers(found.map(({ metric }) => metric["role"]), ["api", "worker"])
        const rules = yield* prometheus.rules
        assert.deepStrictEqual(rules.filter(({ health }) => health !== "ok").map(({ name }) => name), [])
        const named = new Set(rules.flatMap(({ query }) => query.match(/\bturma_\w+/g) ?? []))
        // A command with one process does not measure its processes. Nothing here uses Stripe, a replica or backups.
        const absent = new Set([
          "turma_process_answered",
          "turma_billing_oldest_pending_seconds",
          ...backupFigures,
          replicaFigure
        ])
        for (const name of named) {
          if (!absent.has(name)) yield* seen(name)
        }

        yield* fired("TurmaQueueStuck", { queue: "mails" })
        yield* fired("TurmaDegraded", { check: "queue" })
        yield* lonely.end("SIGKILL")
        yield* fired("TurmaDown", { instance: targets[2] ?? "" })
        for (const silent of [fires("TurmaDown", { instance: targets[0] ?? "" }), fires("TurmaGone")]) {
          // One late answer to Prometheus is enough to make the alert fire for a moment.
          yield* eventually(Effect.delay(Effect.orDie(silent), "500 millis"), (isFiring) => !isFiring)
        }
        const refused = yield* ask(`http://127.0.0.1:${workerPort}/internal/metrics`)
        assert.strictEqual(refused.status, 401)
        assert.strictEqual((yield* ask(`http://127.0.0.1:${workerPort}/v1/health`)).status, 404)
      }))
  }
)
