import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Duration, Effect, Layer, Option, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { UserId } from "../../../identity/ids/UserId.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import {
  afterCursor,
  type InvalidCursor,
  type PageAnswer,
  pageOf,
  type PageRequest
} from "../../../platform/http/Page.ts"
import { announcementOf } from "../../../platform/jobs/Announcement.ts"
import { sweepOf } from "../../../platform/jobs/Sweep.ts"
import { ownTurn } from "../../../platform/processes/OwnTurn.ts"
import { texts } from "../../../platform/sql/Arrays.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { Sealing } from "../../../platform/sql/Sealing.ts"
import { keptTrace } from "../../../platform/tracing/KeptTrace.ts"
import { GrantableDeliveries } from "../../catalog/GrantableDeliveries.ts"
import { Clubs } from "../../clubs/Clubs.ts"
import { type CheckedRow, checkRow, chunksOf, type RawRow } from "./CheckedRow.ts"
import { deliveryLookup } from "./DeliveryLookup.ts"
import { ImportId, StudentImport, StudentImportError } from "./Import.ts"
import { ImportsRepo, StoredError } from "./ImportsRepo.ts"
import { messageOf, type Problem } from "./Problem.ts"
import { sealRows } from "./SealedRows.ts"
import { waitingImports } from "./WaitingImports.ts"

/** Rows in a chunk. Its transaction takes a fraction of a second. */
const chunkSize = 250

/** Rows to check before yielding to other fibers. Comparing names without accents takes long. */
const slice = 20

/** How long an import and its errors are kept. */
const lifetime = Duration.days(90)

const decodeImports = rows(StudentImport)
const decodeErrors = rows(StoredError)

/** The options of an import, and the ignored columns of its file. */
interface ImportOptions {
  readonly dry_run: boolean
  readonly unknown_columns: ReadonlyArray<string>
}

/** Imports of students by the administration. `NotFound`: the club has no such import. */
export class StudentImports extends Context.Service<StudentImports, {
  /**
   * Checks every row and leaves the valid ones to the worker. Invalid rows do not fail this; `errors` lists their
   * errors.
   */
  start(
    club_id: ClubId,
    actor_user_id: UserId,
    rows: ReadonlyArray<RawRow>,
    options: ImportOptions
  ): Effect.Effect<StudentImport>
  /** Newest first. */
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<StudentImport>, InvalidCursor>
  get(club_id: ClubId, id: ImportId): Effect.Effect<StudentImport, NotFound>
  /** By line. */
  errors(
    club_id: ClubId,
    id: ImportId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<StudentImportError>, InvalidCursor | NotFound>
}>()("turma/membership/students/import/StudentImports") {
  static readonly layer = Layer.effect(
    StudentImports,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* ImportsRepo
      const sealing = yield* Sealing
      const catalog = yield* GrantableDeliveries
      const clubs = yield* Clubs
      const announce = yield* announcementOf(waitingImports)

      const columns = sql`
        id, dry_run, total, created + existing + failed as processed, created, existing, granted, failed,
        unknown_columns, actor_user_id, created_at, finished_at,
        case when finished_at is not null then 'completed' when started_at is null then 'pending' else 'running' end
          as status`

      /** The valid rows, and the errors of the others. */
      const check = Effect.fnUntraced(function*(club_id: ClubId, raw: ReadonlyArray<RawRow>) {
        const { time_zone } = yield* clubs.get(club_id)
        const checks = { deliveries: deliveryLookup(yield* catalog.named(club_id)), timeZone: time_zone }
        const rows: Array<CheckedRow> = []
        const problems: Array<Problem> = []
        for (const [index, row] of raw.entries()) {
          const checked = checkRow(row, checks)
          if (Result.isSuccess(checked)) rows.push(checked.success)
          else problems.push(...checked.failure)
          if (index % slice === slice - 1) yield* ownTurn
        }
        return { rows, problems }
      })

      const sealed = (club_id: ClubId, import_id: ImportId, rows: ReadonlyArray<CheckedRow>) => {
        let position = 0
        return Effect.forEach(chunksOf(rows, chunkSize), (chunk) => {
          const name = { club_id, import_id, position }
          position += chunk.length
          return sealRows(sealing, name, chunk)
        })
      }

      const insert = Effect.fnUntraced(
        function*(
          club_id: ClubId,
          actor_user_id: UserId,
          { dry_run, unknown_columns }: ImportOptions,
          { problems, rows }: Effect.Success<ReturnType<typeof check>>
        ) {
          const id = ImportId.make(yield* random.uuidV7())
          const failed = new Set(problems.map(({ line }) => line)).size
          const at = DateTime.toDateUtc(yield* DateTime.now)
          const [due_at, finished_at] = rows.length === 0 ? [null, at] : [at, null]
          const total = rows.length + failed
          const trace = yield* keptTrace
          const row = { club_id, id, actor_user_id, dry_run, total, failed, created_at: at, due_at, finished_at, trace }
          const [inserted] = yield* audited((audit) =>
            sql`
              ${audit.with}
              insert into student_imports
              ${sql.insert({ ...row, unknown_columns: texts(unknown_columns) })} returning ${columns}`
          ).pipe(decodeImports)
          const errors = yield* Effect.forEach(
            problems,
            (problem) => Effect.map(random.uuidV7(), (id) => ({ id, ...problem }))
          )
          yield* repo.addErrors(club_id, id, errors)
          yield* repo.addChunks(club_id, id, yield* sealed(club_id, id, rows), 0)
          if (due_at !== null) yield* sql.afterCommit(announce)
          return inserted ?? (yield* Effect.die(new Error("An import was not inserted")))
        },
        sql.withTransaction,
        Effect.orDie
      )

      const start = Effect.fn("StudentImports.start")(function*(
        club_id: ClubId,
        actor_user_id: UserId,
        rows: ReadonlyArray<RawRow>,
        options: ImportOptions
      ) {
        return yield* insert(club_id, actor_user_id, options, yield* check(club_id, rows))
      })

      const list = Effect.fn("StudentImports.list")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        const before = Option.getOrNull(yield* afterCursor(cursor))
        const rows = yield* sql`
          select ${columns} from student_imports
          where club_id = ${club_id} and (${before}::uuid is null or id < ${before}::uuid)
          order by id desc limit ${limit + 1}`.pipe(decodeImports)
        return pageOf(rows, limit)
      })

      const get = Effect.fn("StudentImports.get")(function*(club_id: ClubId, id: ImportId) {
        const [found] = yield* sql`
          select ${columns} from student_imports where club_id = ${club_id} and id = ${id}
        `.pipe(decodeImports)
        return found ?? (yield* new NotFound())
      })

      const errors = Effect.fn("StudentImports.errors")(function*(
        club_id: ClubId,
        id: ImportId,
        { cursor, limit }: PageRequest
      ) {
        const after = Option.getOrNull(yield* afterCursor(cursor))
        yield* get(club_id, id)
        const ofImport = sql`club_id = ${club_id} and import_id = ${id}`
        const rows = yield* sql`
          select id, line, field, coalesce(detail, code) as code from student_import_errors
          where ${ofImport} and (${after}::uuid is null or (line, id) > (
            select line, id from student_import_errors where ${ofImport} and id = ${after}::uuid
          ))
          order by line, id limit ${limit + 1}`.pipe(decodeErrors)
        return pageOf(rows.map((row) => new StudentImportError({ ...row, message: messageOf(row) })), limit)
      })

      return StudentImports.of({ start, list, get, errors })
    })
  ).pipe(Layer.provide([ImportsRepo.layer, Clubs.layer, NodeCrypto.layerSecureRandom]))
}

/** Deletes the finished imports that are past their lifetime, with their errors. */
export const sweepImports = sweepOf("StudentImports.sweep", "imports of students", (sql, at) => {
  const before = DateTime.toDateUtc(DateTime.subtractDuration(at, lifetime))
  return sql`
    delete from student_imports where (club_id, id) in (
      select club_id, id from student_imports
      where created_at <= ${before} and finished_at is not null for update skip locked
    )`
})
