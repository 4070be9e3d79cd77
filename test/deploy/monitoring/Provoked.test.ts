import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { freePort } from "../../harness/FreePort.ts"
import { startReplicated } from "../../harness/Replica.ts"
import { startSmtp } from "../../harness/Smtp.ts"
import { tell } from "../../harness/tell.ts"
import { post, startApi, startTurma } from "../../harness/Turma.ts"
import { foundClub } from "../../survive/Club.ts"
import { mountDisk } from "../../survive/SmallDisk.ts"
import { backupFigures, installed, installedAt, panelsOf, replicaFigure, watched } from "./Watched.ts"

// Each test breaks one thing of a real installation and waits for the alert.

const mebibyte = 1024 ** 2

layer(Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto), {
  concurrent: true,
  excludeTestServices: true,
  timeout: "240 seconds"
})("An alert", (it) => {
  it.effect("fires where there is nothing left to ask", () =>
    Effect.gen(function*() {
      const { fired, fires } = yield* watched([])
      yield* fired("TurmaGone", { job: "turma" })
      assert.isFalse(yield* fires("TurmaDown"))
    }))

  it.effect("fires where the disk is full", (context) =>
    Effect.gen(function*() {
      const disk = yield* mountDisk(16 * mebibyte)
      if (disk.unmounted !== undefined) return context.skip(disk.unmounted)
      const api = yield* startApi({ env: { ...yield* installed, DATA_DIR: disk.folder, ROLE: "api" } })
      const { fired, fires, found } = yield* watched([api.port])
      yield* found("turma_data_disk_free_bytes / turma_data_disk_size_bytes > 0.5")
      assert.isFalse(yield* fires("TurmaDiskFilling"))
      yield* disk.fill
      yield* fired("TurmaDiskFilling")
      yield* fired("TurmaDiskNearlyFull")
    }))

  it.effect("fires where many endpoints are held at once", () =>
    Effect.gen(function*() {
      const smtp = yield* startSmtp()
      const common = {
        ...yield* installed,
        SMTP_URL: Redacted.value(smtp.url),
        RATE_LIMIT_WRITES: "1000",
        WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
        WEBHOOK_ASSEMBLE_DELAY: "100 millis"
      }
      const api = yield* startApi({ env: { ...common, ROLE: "api" } })
      const port = yield* freePort
      const worker = yield* startTurma({ env: { ...common, ROLE: "worker", METRICS_PORT: `${port}` } })
      yield* worker.until("worker is ready")
      const { fired, found } = yield* watched([port])
      const club = yield* foundClub(api.url, smtp.received)
      yield* found(`turma_webhook_endpoints{state="held"} == 0`)

      // Nothing listens at these addresses, so each of the five events fails.
      const url = `https://127.0.0.1:${yield* freePort}`
      for (let n = 0; n < 11; n++) {
        const body = { url: `${url}/${n}`, event_types: ["student.created"] }
        const made = yield* post(`${club.url}/webhook-endpoints`, body, club.token)
        assert.strictEqual(made.status, 201, made.text)
      }
      for (let n = 0; n < 5; n++) assert.strictEqual(yield* club.add, 201)
      yield* fired("TurmaManyEndpointsHeld")
    }))

  it.effect("fires where a replica falls behind", () =>
    Effect.gen(function*() {
      const { primary, url } = yield* startReplicated
      const env = { ...yield* installedAt(primary.url), DATABASE_READ_URL: Redacted.value(url) }
      const api = yield* startApi({ env: { ...env, ROLE: "api" } })
      const { fired, fires, found } = yield* watched([api.port])
      yield* found(`turma_ready{check="replica"} == 1`)
      yield* found(`${replicaFigure} == 0`)
      const shown = panelsOf([replicaFigure])
      assert.lengthOf(shown, 1)
      for (const { expr } of shown) yield* found(expr)
      yield* tell(url, "select pg_wal_replay_pause()")
      yield* tell(
        primary.url,
        "create table filler as select repeat(md5(n::text), 30) from generate_series(1, 80000) n"
      )
      yield* fired("TurmaReplicaUnused")
      yield* fired("TurmaReplicaBehind")
      assert.isFalse(yield* fires("TurmaDegraded", { check: "replica" }))
    }))

  it.effect("fires where a backup cannot be made", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const place = `${yield* fs.makeTempDirectoryScoped()}/backups`
      yield* fs.makeDirectory(place)
      const port = yield* freePort
      const worker = yield* startTurma({
        env: {
          ...yield* installed,
          ROLE: "worker",
          METRICS_PORT: `${port}`,
          BACKUP_URL: place,
          BACKUP_EVERY: "1 minute"
        }
      })
      yield* worker.until("worker is ready")
      yield* fs.remove(place, { recursive: true })
      yield* fs.writeFileString(place, "no folder any more")
      const { fired, found } = yield* watched([port])
      yield* fired("TurmaBackupFails")
      yield* fired("TurmaBackupTooOld")
      for (const name of backupFigures) yield* found(name)
      const shown = panelsOf(backupFigures)
      assert.lengthOf(shown, 2)
      for (const { expr } of shown) yield* found(expr)
    }))
})
