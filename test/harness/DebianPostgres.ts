import { Effect, FileSystem, Schema } from "effect"
import { existsSync, readdirSync } from "node:fs"
import type { RunAs } from "../../src/platform/sql/PostgresCluster.ts"
import { install, mayInstall } from "./Packages.ts"

const root = "/usr/lib/postgresql"

const lookUp = () =>
  (existsSync(root) ? readdirSync(root) : []).map((version) => `${root}/${version}/bin`)
    .find((folder) => ["initdb", "pg_ctl", "pg_basebackup"].every((program) => existsSync(`${folder}/${program}`)))

/** The advice for a machine without PostgreSQL. */
const howToGet = "install it (Debian: apt-get install postgresql)"

/**
 * The folder with the programs of a whole PostgreSQL, which root on Debian installs. Without one it prints a line, or
 * fails with `CI=true`.
 */
export const findPostgresPrograms = Effect.gen(function*() {
  if (lookUp() === undefined && mayInstall()) yield* Effect.ignore(install("postgresql"))
  const found = lookUp()
  if (found !== undefined) return found
  if (process.env["CI"] === "true") return yield* Effect.die(new Error(`No PostgreSQL with pg_basebackup: ${howToGet}`))
  process.stderr.write(`No PostgreSQL with pg_basebackup, so its tests are skipped: ${howToGet}\n`)
  return undefined
})

const decodeUser = Schema.decodeUnknownEffect(Schema.Tuple([Schema.NumberFromString, Schema.NumberFromString]))

/** If we are root, PostgreSQL runs as another user. */
export const serverUser = Effect.gen(function*() {
  if (process.getuid?.() !== 0) return {} satisfies RunAs
  const fs = yield* FileSystem.FileSystem
  const line = (yield* fs.readFileString("/etc/passwd")).split("\n").find((text) => text.startsWith("postgres:"))
  const [uid, gid] = yield* decodeUser(line?.split(":").slice(2, 4))
  return { uid, gid } satisfies RunAs
})
