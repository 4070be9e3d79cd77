import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { freePort } from "../../harness/FreePort.ts"
import { startReplicated } from "../../harness/Replica.ts"
import { startSmtp } from "../../harness/Smtp.ts"
import { tell } from "../../harness/tell.ts"
import { post, startApi, startTurma } from "../../harness/Turma.ts"
import { foundClub } from "../../survive/Club.ts"
import { mountDisk } from "../../survive/SmallDisk.ts"
import { backupFigures, installedAt, panelsOf, replicaFigure, watched } from "./Watched.ts"

// Takes long: the worker looks for a due backup after a minute.
// The test breaks several things of a real installation and waits for the alerts.

const mebibyte = 1024 ** 2

layer(Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto), { concurrent: true, excludeTestServices: true })(
  "An alert",
  (it) => {
    it.effect("fires where there is nothing left to ask", () =>
      Effect.gen(function*() {
        const { fired, fires } = yield* watched([])
        yield* fired("TurmaGone", { job: "turma" })
        assert.isFalse(yield* fires("TurmaDown"))
      }))

    it.effect("fires where a disk is full, endpoints are held, a replica falls behind, and a backup fails", (context) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const smtp = yield* startSmtp()
        const { primary, url } = yield* startReplicated
        const disk = yield* mountDisk(16 * mebibyte)
        const common = {
          ...yield* installedAt(primary.url),
          SMTP_URL: Redacted.value(smtp.url),
          RATE_LIMIT_WRITES: "1000",
          WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
          WEBHOOK_ASSEMBLE_DELAY: "100 millis"
        }
        const api = yield* startApi({
          env: {
            ...common,
            ...(disk.unmounted === undefined ? { DATA_DIR: disk.folder } : {}),
            ROLE: "api",
            DATABASE_READ_URL: Redacted.value(url)
          }
        })
        const place = `${yield* fs.makeTempDirectoryScoped()}/backups`
        yield* fs.makeDirectory(place)
        const port = yield* freePort
        const worker = yield* startTurma({
          env: { ...common, ROLE: "worker", METRICS_PORT: `${port}`, BACKUP_URL: place, BACKUP_EVERY: "1 minute" }
        })
        yield* worker.until("worker is ready")
        const { fired, fires, found, targets: [instance = ""] } = yield* watched([api.port, port])
        const club = yield* foundClub(api.url, smtp.received)

        yield* found(`turma_webhook_endpoints{state="held"} == 0`)
        yield* found(`turma_ready{check="replica"} == 1`)
        yield* found(`${replicaFigure} == 0`)
        const shown = panelsOf([replicaFigure])
        assert.lengthOf(shown, 1)
        for (const { expr } of shown) yield* found(expr)
        if (disk.unmounted === undefined) {
          const free = `turma_data_disk_free_bytes{instance="${instance}"}`
          yield* found(`${free} / turma_data_disk_size_bytes > 0.5`)
          assert.isFalse(yield* fires("TurmaDiskFilling", { instance }))
        }

        // Nothing listens at these addresses, so each of the five events fails.
        const nobody = `https://127.0.0.1:${yield* freePort}`
        for (let n = 0; n < 11; n++) {
          const body = { url: `${nobody}/${n}`, event_types: ["student.created"] }
          const made = yield* post(`${club.url}/webhook-endpoints`, body, club.token)
          assert.strictEqual(made.status, 201, made.text)
        }
        // It fires only until the endpoints were held twenty seconds ago as well. The others go on.
        const held = yield* Effect.forkChild(fired("TurmaManyEndpointsHeld"))
        for (let n = 0; n < 5; n++) assert.strictEqual(yield* club.add, 201)
        yield* fs.remove(place, { recursive: true })
        yield* fs.writeFileString(place, "no folder any more")
        if (disk.unmounted === undefined) yield* disk.fill
        yield* tell(url, "select pg_wal_replay_pause()")
        yield* tell(
          primary.url,
          "create table filler as select repeat(md5(n::text), 30) from generate_series(1, 80000) n"
        )

        yield* Fiber.join(held)
        yield* fired("TurmaReplicaUnused")
        yield* fired("TurmaReplicaBehind")
        if (disk.unmounted === undefined) {
          yield* fired("TurmaDiskFilling", { instance })
          yield* fired("TurmaDiskNearlyFull", { instance })
        }
        yield* fired("TurmaBackupFails")
        yield* fired("TurmaBackupTooOld")
        assert.isFalse(yield* fires("TurmaDegraded", { check: "replica" }))
        for (const name of backupFigures) yield* found(name)
        const ofBackups = panelsOf(backupFigures)
        assert.lengthOf(ofBackups, 2)
        for (const { expr } of ofBackups) yield* found(expr)
        if (disk.unmounted !== undefined) return context.skip(disk.unmounted)
      }))
  }
)
