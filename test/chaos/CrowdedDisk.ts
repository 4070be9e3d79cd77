import { Clock, Effect, FileSystem, Redacted } from "effect"
import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { at } from "../harness/App.ts"
import { startUpload } from "../harness/SlowUpload.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { ask, post, startApi } from "../harness/Turma.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { foundAt, mebibyte } from "../platform/storage/Club.ts"
import type { Rule } from "./Rules.ts"

/** The size of the uploads' disk, and the room that must stay free on it, in bytes. */
const disk = 48 * mebibyte
const floor = 8 * mebibyte

/** Number of connections that send a byte a second each at the same time. */
const slowOnes = 200

/** Milliseconds within which the service answers despite all uploads. */
const mostMillis = 5000

/** Mounts a small file system at this folder. Answers the reason if that is impossible. */
const mount = (folder: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      if (userInfo().uid !== 0) return "only root mounts a file system"
      try {
        execFileSync("mount", ["-t", "tmpfs", "-o", `size=${disk}`, "tmpfs", folder], { stdio: "pipe" })
        return undefined
      } catch {
        return "this machine mounts no tmpfs"
      }
    }),
    (why) => Effect.sync(() => why === undefined && execFileSync("umount", ["-l", folder]))
  )

interface Ticket {
  readonly path: string
  readonly media: string
}

/** The effect of uploads on a disk and on other requests. Each list names the cases that broke a rule. */
export interface Crowded {
  /** The reason for having no small disk. The parts that need one are skipped then. */
  readonly unmounted: string | undefined
  readonly stored: number
  readonly refused: number
  /** Uploads that the service confirmed as complete and that do not exist. */
  readonly lost: ReadonlyArray<string>
  /** Answers to other requests that were late or not successful. */
  readonly disturbed: ReadonlyArray<string>
  /** Unexpected answers to uploads. */
  readonly strange: ReadonlyArray<string>
  /** Number of parts that exist when no upload is under way. */
  readonly left: number
  /** Number of slow uploads that the service has ended. */
  readonly ended: number
}

/**
 * An API with its uploads on a file system of 48 MiB, which files fill up. `long` takes three minutes more. It waits
 * for room after a deletion. Then 200 connections send a byte a second each until the service ends them. Everything
 * else must go on.
 */
export const crowdedDisk = Effect.fn("crowdedDisk")(function*({ long }: { readonly long: boolean }) {
  const fs = yield* FileSystem.FileSystem
  const database = yield* embeddedPostgres({ directory: `${yield* postgresFolder()}/postgres` })
  const smtp = yield* startSmtp()
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "turma-disk-" })
  const unmounted = yield* mount(folder)
  const api = yield* startApi({
    env: {
      DATA_DIR: folder,
      DATABASE_URL: Redacted.value(database),
      APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      SMTP_URL: Redacted.value(smtp.url),
      RATE_LIMIT_WRITES: "1000000",
      STORAGE_FREE_FLOOR: unmounted === undefined ? `${floor} B` : "0 B"
    }
  })
  const club = yield* foundAt(api.url, smtp.received)
  const parts = () => {
    const all = join(folder, "files", "parts")
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.parentPath.startsWith(all)).length
  }

  const ticket = Effect.fnUntraced(function*(size_bytes: number) {
    const { json } = yield* post(
      `${club.url}/media`,
      { file_name: "a.txt", mime: "text/plain", size_bytes },
      club.token
    )
    const { pathname } = new URL(String(at(json, "data", "upload", "url")))
    const made: Ticket = { path: pathname, media: `${club.url}/media/${String(at(json, "data", "media", "id"))}` }
    return made
  })
  const authorized = { headers: { authorization: `Bearer ${club.token}` } }

  const disturbed: Array<string> = []
  const beside = Effect.gen(function*() {
    const from = yield* Clock.currentTimeMillis
    const answers = [
      yield* ask(`${api.url}/v1/health`),
      yield* ask(club.url, authorized),
      yield* ask(club.url, {
        method: "PATCH",
        body: JSON.stringify({ name: "Violão" }),
        headers: { ...authorized.headers, "content-type": "application/json" }
      })
    ]
    const statuses = answers.map(({ status }) => status)
    const millis = (yield* Clock.currentTimeMillis) - from
    if (statuses.some((status) => status !== 200) || millis > mostMillis) {
      disturbed.push(`${statuses.join(", ")} after ${millis} ms`)
    }
  })

  const strange: Array<string> = []
  const stored: Array<Ticket> = []
  const whole = Effect.fnUntraced(function*(size_bytes: number) {
    const one = yield* ticket(size_bytes)
    const upload = yield* startUpload(api.port, one.path, { size_bytes })
    yield* upload.write(Buffer.alloc(size_bytes, "a"))
    const { json, status } = yield* upload.answer
    if (status === 204) stored.push(one)
    else if (status !== 507 || at(json, "error", "code") !== "storage_full") strange.push(`PUT: ${status}`)
    return status
  }, Effect.scoped)

  let refused = 0
  if (unmounted === undefined) {
    while (refused < 3 && strange.length === 0) {
      if ((yield* whole(6 * mebibyte)) === 507) refused += 1
      yield* beside
    }
    // More uploads at once than there is room for.
    const statuses = yield* Effect.forEach([1, 2, 3, 4], () => whole(mebibyte), { concurrency: "unbounded" })
    refused += statuses.filter((status) => status === 507).length
    yield* beside
  }
  const lost: Array<string> = []
  for (const { media } of stored) {
    const completed = yield* post(`${media}/complete`, "", club.token)
    if (at(completed.json, "data", "status") !== "ready") lost.push(`${media}: ${completed.text}`)
  }
  const [first] = stored
  if (long && first !== undefined) {
    // Its bytes go within a minute. The free room is smaller than the new file, which fits only after that.
    yield* ask(first.media, { method: "DELETE", ...authorized })
    const again = yield* Effect.delay(whole(2 * mebibyte), "500 millis").pipe(
      Effect.repeat({ until: (status) => status === 204 }),
      Effect.timeoutOption("2 minutes")
    )
    if (again._tag === "None") strange.push("PUT after a deletion: still refused")
  }

  let ended = 0
  if (long) {
    yield* Effect.scoped(Effect.gen(function*() {
      const uploads = yield* Effect.forEach(
        Array.from({ length: slowOnes }),
        () => Effect.flatMap(ticket(10_000), ({ path }) => startUpload(api.port, path, { size_bytes: 10_000 }))
      )
      const isOver = () => uploads.every(({ isAnswered }) => isAnswered())
      yield* Effect.gen(function*() {
        yield* Effect.forEach(uploads, ({ isAnswered, write }) => isAnswered() ? Effect.void : write("a"))
        yield* beside
        yield* Effect.sleep("1 second")
      }).pipe(Effect.repeat({ until: isOver }), Effect.timeoutOption("3 minutes"))
      const answers = yield* Effect.forEach(uploads.filter(({ isAnswered }) => isAnswered()), ({ answer }) => answer)
      ended = answers.filter(({ status }) => status === 408).length
      strange.push(...new Set(answers.flatMap(({ status }) => status === 408 ? [] : [`A slow PUT: ${status}`])))
    }))
  }
  yield* Effect.sync(parts).pipe(
    Effect.delay("200 millis"),
    Effect.repeat({ until: (left) => left === 0 }),
    Effect.timeoutOption("10 seconds")
  )
  const crowded: Crowded = {
    unmounted,
    stored: stored.length,
    refused,
    lost,
    disturbed,
    strange,
    left: parts(),
    ended
  }
  return crowded
}, Effect.scoped)

/** Number of uploads that are slow at the same time. */
export const slowUploads = slowOnes

/** The rules of a long run. Without a small disk, those about a full disk are not tried. */
export const diskRules = (
  { disturbed, ended, left, lost, refused, stored, strange, unmounted }: Crowded
): ReadonlyArray<Rule> => {
  const unfilled = stored > 0 && refused > 0 ? [] : [`${stored} files were stored and ${refused} refused`]
  const ofDisk = (exceptions: ReadonlyArray<string>) => unmounted === undefined ? exceptions : undefined
  return [
    ["What was stored on the disk is there as a whole", ofDisk(lost)],
    ["A full disk answers 507, and takes uploads again when there is room", ofDisk([...unfilled, ...strange])],
    ["Everything else is answered all the while", disturbed],
    ["Each slow upload was ended", ended === slowOnes ? [] : [`${slowOnes - ended} were not`]],
    ["No part of an upload is left", left === 0 ? [] : [`${left} are`]]
  ]
}
