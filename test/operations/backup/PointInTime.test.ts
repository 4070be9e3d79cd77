import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, FileSystem, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { run } from "../../../src/platform/sql/PostgresCluster.ts"
import { startTarget, type Target } from "../../chaos/Target.ts"
import { blocks, guide } from "../../guides/Guides.ts"
import { at } from "../../harness/App.ts"
import { findPostgresPrograms, serverUser } from "../../harness/DebianPostgres.ts"
import { eventually } from "../../harness/Eventually.ts"
import { freePort } from "../../harness/FreePort.ts"
import { startSmtp } from "../../harness/Smtp.ts"
import { caFile, testCa } from "../../harness/Tls.ts"
import { ask, post, startApi } from "../../harness/Turma.ts"
import { archive as archiveFile } from "../../learning/media/Files.ts"
import { type Club, foundClub } from "../../survive/Club.ts"
import { toldOf, toldTwice } from "../../survive/Service.ts"
import { linesOf } from "./Installation.ts"

// Takes long: it runs every command of the guide on a server that archives its log.

const timeout = 600_000

/** Makes the worker delete every second instead of every minute. */
const preload = `--import=${new URL("hastyWorker.ts", import.meta.url)}`

const [, section = ""] = guide("backups").split("\n## Any moment of a PostgreSQL of your own\n")

/** The settings of the guide: for the archive, and for the recovery. */
const [archiving = "", recovering = ""] = blocks(section, "ini")

/** The commands of the guide: the daily one, the occasional one, and the one that restores a base backup. */
const [backingUp = "", cleaningUp = "", puttingBack = ""] = blocks(section, "sh")

/** A server with an archive. Base backups and the return to a moment follow the guide. */
const startServer = Effect.fnUntraced(function*(programs: string) {
  const fs = yield* FileSystem.FileSystem
  const runAs = yield* serverUser
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
  const port = yield* freePort
  const [data, archive, bases] = [`${folder}/data`, `${folder}/archive`, `${folder}/backups`]
  yield* fs.chmod(folder, 0o755)
  for (const name of [folder, archive, bases]) {
    yield* fs.makeDirectory(name, { recursive: true, mode: 0o700 })
    if (runAs.uid !== undefined) yield* fs.chown(name, runAs.uid, runAs.gid)
  }
  const here = (text: string) =>
    text.replaceAll(
      /\/var\/lib\/postgresql\/data|\/(?:archive|backups)\b/g,
      (place) => place.startsWith("/var") ? data : `${folder}${place}`
    )
  const program = (name: string, ...args: ReadonlyArray<string>) => run(`${programs}/${name}`, args, runAs)
  const environment = `export PATH=${programs}:$PATH PGHOST=127.0.0.1 PGPORT=${port} PGUSER=turma PGDATABASE=postgres`
  const shell = (script: string) => run("/bin/bash", ["-euo", "pipefail", "-c", `${environment}\n${script}`], runAs)
  const ctl = (...args: ReadonlyArray<string>) => program("pg_ctl", "-D", data, "-w", "-s", ...args)
  const start = ctl("start", "-l", `${folder}/data/server.log`)
  const configuration = `${data}/postgresql.conf`
  const addSettings = (text: string) => fs.writeFileString(configuration, text, { flag: "a" })

  yield* program("initdb", "-D", data, "-E", "UTF8", "-A", "trust", "-U", "turma", "--no-sync")
  yield* addSettings(`
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
${here(archiving)}`)
  yield* Effect.acquireRelease(start, () => Effect.ignore(ctl("stop", "-m", "immediate")))
  const url = Redacted.make(`postgres://turma@127.0.0.1:${port}/postgres`)
  const baseNames = Effect.map(fs.readDirectory(bases), (names) => names.toSorted())
  const isArchived = (segment: string) => fs.exists(`${archive}/${segment}`)
  return {
    url,
    isArchived,
    archived: fs.readDirectory(archive),
    baseNames,
    baseBackup: Effect.gen(function*() {
      yield* shell(here(backingUp))
      const [last = ""] = (yield* baseNames).slice(-1)
      yield* program("pg_verifybackup", "-n", `${bases}/${last}`)
    }),
    /** Deletes everything too old. Only the last base backup stays. */
    cleanUp: Effect.suspend(() => {
      assert.include(cleaningUp, "head -n -14")
      return shell(here(cleaningUp.replace("head -n -14", "head -n -1")))
    }),
    stop: Effect.gen(function*() {
      const [segment = ""] = yield* linesAt(url, "select pg_walfile_name(pg_switch_wal()) as line")
      yield* eventually(Effect.delay(isArchived(segment), "100 millis"), (isThere) => isThere)
      yield* ctl("stop", "-m", "fast")
    }),
    /** Stops without a checkpoint, and without a chance to archive anything. */
    crash: ctl("stop", "-m", "immediate"),
    /** Takes the database back to a moment with the last base backup. */
    goBackTo: Effect.fnUntraced(function*(moment: DateTime.Utc) {
      const [base = ""] = (yield* baseNames).slice(-1)
      yield* shell(here(puttingBack).replace(/base-2026-\S+/, base))
      // As in the guide: PostgreSQL accepts no name of a zone there, and `Z` is one.
      const text = DateTime.formatIso(moment).replace("T", " ").replace("Z", "+00")
      const settings = here(recovering).replace(/'2026-[^']*'/, `'${text}'`)
      assert.include(settings, text)
      const before = yield* fs.readFileString(configuration)
      yield* addSettings(settings)
      yield* start
      yield* eventually(
        Effect.delay(linesAt(url, "select pg_is_in_recovery()::text as line"), "100 millis"),
        ([line]) => line === "false"
      )
      yield* fs.writeFileString(configuration, before)
      yield* fs.remove(`${data}-before`, { recursive: true })
    })
  }
})

/** The lines that a statement answers on a connection of its own. */
const linesAt = (url: Redacted.Redacted, statement: string) =>
  Effect.provide(linesOf(statement), PgClient.layer({ url, maxConnections: 1 }))

/** A moment with a second of silence on each side. */
const quietMoment = Effect.gen(function*() {
  yield* Effect.sleep("1 second")
  const moment = yield* DateTime.now
  yield* Effect.sleep("1 second")
  return moment
})

/** The posts about a student. */
const about = ({ posts }: Target, student: string) =>
  posts.filter(({ body }) => at(JSON.parse(body), "data", "student", "id") === student)

const accepted = (target: Target, student: string) => about(target, student).filter(({ status }) => status === 200)

/** Adds a student and waits until the receiver has enough posts about them, with or without its answer. */
const addTold = Effect.fnUntraced(function*(
  club: Club,
  target: Target,
  isEnough: (target: Target, id: string) => boolean
) {
  assert.strictEqual(yield* club.add, 201)
  const id = club.confirmed.at(-1) ?? ""
  yield* eventually(Effect.delay(Effect.sync(() => isEnough(target, id)), "50 millis"), (isSo) => isSo)
  return id
})
const isTold = (target: Target, id: string) => accepted(target, id).length > 0
const isTried = (target: Target, id: string) => about(target, id).length > 0

/** Stops the receiver's answers. Each attempt waits for one, so deliveries stay pending. */
const stall = ({ accept }: Target) => accept(() => timeout)
const recover = ({ accept }: Target) => accept(() => 0)

const content = archiveFile("a.txt", "hello")

/** Uploads a file. Answers its address in the API. */
const upload = Effect.fnUntraced(function*({ token, url }: Club, file_name: string) {
  const file = { file_name, mime: "application/zip", size_bytes: content.length }
  const { json, status, text } = yield* post(`${url}/media`, file, token)
  assert.strictEqual(status, 201, text)
  const place = Object(at(json, "data", "upload"))
  const body = new Uint8Array(content)
  assert.strictEqual((yield* ask(place.url, { method: "PUT", headers: place.headers, body })).status, 204)
  const media = `${url}/media/${String(at(json, "data", "media", "id"))}`
  assert.strictEqual((yield* post(`${media}/complete`, "", token)).status, 200)
  return media
})

/** The status of a file's row, and of its bytes if the row exists. */
const download = Effect.fnUntraced(function*({ token }: Club, media: string) {
  const headers = { authorization: `Bearer ${token}` }
  const row = yield* ask(media, { headers })
  if (row.status !== 200) return [row.status]
  const found = yield* ask(`${media}/download`, { headers })
  return [row.status, (yield* ask(String(at(found.json, "data", "url")))).status]
})

layer(Layer.merge(NodeServices.layer, SecureRandom.layerWebCrypto), { excludeTestServices: true })(
  "A PostgreSQL with an archive",
  (it) => {
    it.effect(
      "goes back to a moment as the guide says, also after a crash, and the service goes on from there",
      (context) =>
        Effect.gen(function*() {
          const programs = yield* findPostgresPrograms
          if (programs === undefined) return context.skip()
          const fs = yield* FileSystem.FileSystem
          const server = yield* startServer(programs)
          const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-test-" })
          const smtp = yield* startSmtp()
          const ca = testCa()
          const target = yield* startTarget(ca, 1)
          yield* recover(target)
          const port = yield* freePort
          const startService = startApi({
            port,
            env: {
              DATABASE_URL: Redacted.value(server.url),
              DATA_DIR: folder,
              APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
              SMTP_URL: Redacted.value(smtp.url),
              NODE_OPTIONS: preload,
              WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
              WEBHOOK_ASSEMBLE_DELAY: "50 millis",
              WEBHOOK_EXTRA_CA_FILE: yield* caFile(ca),
              WEBHOOK_ATTEMPT_TIMEOUT: "2 seconds",
              WEBHOOK_LEASE: "4 seconds",
              WEBHOOK_HOLD_BASE: "500 millis",
              WEBHOOK_HOLD_MAX: "500 millis",
              WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 60 }, () => "1 second").join()
            }
          })
          const keptFiles = Effect.map(
            fs.readDirectory(`${folder}/files/kept`, { recursive: true }),
            (names) => names.filter((name) => name.includes("/")).length
          )
          const untilToldAgain = (id: string, times: number) =>
            eventually(Effect.delay(Effect.sync(() => accepted(target, id).length), "50 millis"), (n) => n === times)

          const before = yield* Effect.scoped(Effect.gen(function*() {
            const service = yield* startService
            const club = yield* foundClub(service.url, smtp.received)
            yield* club.listenAt(target, "/hook")
            const sent = yield* addTold(club, target, isTold)
            yield* server.baseBackup
            const files = { stays: yield* upload(club, "stays.zip"), goes: yield* upload(club, "goes.zip") }
            yield* stall(target)
            const pending = yield* addTold(club, target, isTried)
            const moment = yield* quietMoment

            yield* recover(target)
            yield* untilToldAgain(pending, 1)
            const after = yield* addTold(club, target, isTold)
            const late = yield* upload(club, "late.zip")
            const headers = { authorization: `Bearer ${club.token}` }
            assert.strictEqual((yield* ask(files.goes, { method: "DELETE", headers })).status, 204)
            yield* eventually(Effect.delay(keptFiles, "100 millis"), (count) => count === 2)
            assert.strictEqual((yield* service.end()).code, 0)
            return { club, sent, pending, after, files: { ...files, late }, moment }
          }))
          const { after, club, files, pending, sent } = before
          yield* server.stop
          yield* server.goBackTo(before.moment)

          const again = yield* Effect.scoped(Effect.gen(function*() {
            const service = yield* startService
            assert.deepStrictEqual(yield* Effect.all([sent, pending, after].map(club.has)), [true, true, false])
            // Deliveries sent after the moment are sent again under the same id, signed with the sealed secret.
            yield* untilToldAgain(pending, 2)
            assert.deepStrictEqual(yield* Effect.all(Object.values(files).map((file) => download(club, file))), [
              [200, 200],
              [200, 404],
              [404]
            ])
            assert.strictEqual(yield* keptFiles, 2)

            yield* server.baseBackup
            const [first = ""] = (yield* server.archived).filter((name) => name.length === 24).toSorted()
            yield* server.cleanUp
            assert.isFalse(yield* server.isArchived(first))
            assert.lengthOf(yield* server.baseNames, 1)
            yield* stall(target)
            const pendingAgain = yield* addTold(club, target, isTried)
            const moment = yield* quietMoment
            assert.strictEqual(yield* club.add, 201)
            const afterAgain = club.confirmed.at(-1) ?? ""
            assert.strictEqual((yield* service.end()).code, 0)
            return { pending: pendingAgain, after: afterAgain, moment }
          }))
          const [last = ""] = yield* linesAt(server.url, "select pg_walfile_name(pg_current_wal_lsn()) as line")
          yield* server.crash
          assert.isFalse(yield* server.isArchived(last))
          yield* server.goBackTo(again.moment)

          const service = yield* startService
          assert.deepStrictEqual(
            yield* Effect.all([sent, pending, again.pending, again.after].map(club.has)),
            [true, true, true, false]
          )
          yield* recover(target)
          yield* untilToldAgain(again.pending, 1)
          yield* addTold(club, target, isTold)
          assert.deepStrictEqual([sent, pending].map((id) => accepted(target, id).length), [1, 2])
          for (const id of [sent, pending, again.pending]) {
            assert.lengthOf(new Set(about(target, id).map(({ event }) => event)), 1)
          }
          assert.deepStrictEqual([toldTwice(target), target.distrusted], [[], []])
          assert.isTrue(toldOf(target).has(after))
          assert.strictEqual((yield* service.end()).code, 0)
        }),
      timeout
    )
  }
)
