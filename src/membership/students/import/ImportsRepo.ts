import { Array as Arr, Context, DateTime, type Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { UserId } from "../../../identity/ids/UserId.ts"
import { blobs, integers, texts, uuids } from "../../../platform/sql/Arrays.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { KeptTrace } from "../../../platform/tracing/KeptTrace.ts"
import { ImportId } from "./Import.ts"
import { ErrorCode, ErrorField, storedCode } from "./Problem.ts"

/** Number of errors that one statement inserts. 5,000 rows may have 30,000; other fibers run between two statements. */
const batch = 2000

/** The key of a chunk. */
export interface ChunkKey {
  readonly club_id: ClubId
  readonly import_id: ImportId
  readonly position: number
}

/** A chunk that this transaction has taken, with columns of its import. */
const Chunk = Schema.Struct({
  club_id: ClubId,
  import_id: ImportId,
  position: Schema.Int,
  actor_user_id: UserId,
  dry_run: Schema.Boolean,
  failures: Schema.Int,
  content: Schema.Uint8Array,
  trace: KeptTrace
})
export type Chunk = typeof Chunk.Type

/** The sealed rows of a waiting chunk. */
export interface SealedChunk {
  readonly position: number
  readonly content: Uint8Array
}

/** A stored error. */
export const StoredError = Schema.Struct({
  id: Schema.String,
  line: Schema.Int,
  field: ErrorField,
  code: ErrorCode
})
export type StoredError = typeof StoredError.Type

/** Counts of processed rows. `failed` counts rows, which may have several errors. */
export interface Counts {
  readonly created: number
  readonly existing: number
  readonly granted: number
  readonly failed: number
}

const decodeLocked = rows(Schema.Struct({ club_id: ClubId, import_id: ImportId }))
const decodeChunks = rows(Chunk)

/** The waiting chunks. Everything runs in the caller's transaction. */
export class ImportsRepo extends Context.Service<ImportsRepo, {
  addChunks(
    club_id: ClubId,
    import_id: ImportId,
    chunks: ReadonlyArray<SealedChunk>,
    failures: number
  ): Effect.Effect<void>
  addErrors(club_id: ClubId, import_id: ImportId, errors: ReadonlyArray<StoredError>): Effect.Effect<void>
  /**
   * Takes and deletes the first chunk of a due import, which is locked until the transaction ends. Of each club only the
   * oldest import counts, and of these the one that has been due for longest.
   */
  take(): Effect.Effect<Option.Option<Chunk>>
  /** Takes this chunk, unless it has failed again since it was read. */
  takeAgain(chunk: Chunk): Effect.Effect<Option.Option<Chunk>>
  /** Adds the counts of a chunk, and finishes the import if that was the last one. */
  count(club_id: ClubId, import_id: ImportId, counts: Counts): Effect.Effect<void>
  /** Takes no chunk of the import until the delay is over. */
  postpone(club_id: ClubId, import_id: ImportId, delay: Duration.Duration): Effect.Effect<void>
}>()("turma/membership/students/import/ImportsRepo") {
  static readonly layer = Layer.effect(
    ImportsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      const addChunks = Effect.fnUntraced(function*(
        club_id: ClubId,
        import_id: ImportId,
        chunks: ReadonlyArray<SealedChunk>,
        failures: number
      ) {
        if (chunks.length === 0) return
        yield* sql`
          insert into student_import_chunks (club_id, import_id, failures, position, content)
          select ${club_id}::uuid, ${import_id}::uuid, ${failures}::int, position, content
          from unnest(
            ${integers(chunks.map(({ position }) => position))}, ${blobs(chunks.map(({ content }) => content))}
          ) as chunk (position, content)`
      }, Effect.orDie)

      const addPart = (club_id: ClubId, import_id: ImportId, errors: ReadonlyArray<StoredError>) =>
        sql`
          insert into student_import_errors (club_id, import_id, id, line, field, code, detail)
          select ${club_id}::uuid, ${import_id}::uuid, id, line, field, code, detail
          from unnest(
            ${uuids(errors.map(({ id }) => id))}, ${integers(errors.map(({ line }) => line))},
            ${texts(errors.map(({ field }) => field))}, ${texts(errors.map(({ code }) => storedCode(code).code))},
            ${texts(errors.map(({ code }) => storedCode(code).detail))}
          ) as error (id, line, field, code, detail)`

      const addErrors = (club_id: ClubId, import_id: ImportId, errors: ReadonlyArray<StoredError>) =>
        Effect.forEach(
          Arr.chunksOf(errors, batch),
          (part) => addPart(club_id, import_id, part),
          { discard: true }
        ).pipe(Effect.orDie)

      // The lock of an import's row protects its chunks, so a second statement reads them. In the same statement the
      // read could return chunks that another worker processed before the lock.
      const lockDue = Effect.fnUntraced(function*() {
        return yield* sql`
          select i.club_id, i.id as import_id from student_imports i
          where i.due_at <= ${yield* now} and not exists (
            select from student_imports older
            where older.club_id = i.club_id and older.id < i.id and older.due_at is not null
          )
          order by i.due_at limit 1 for no key update skip locked`.pipe(decodeLocked)
      })

      const lockImport = ({ club_id, import_id }: ChunkKey) =>
        sql`select 1 from student_imports where club_id = ${club_id} and id = ${import_id} for no key update`

      const remove = (name: Pick<ChunkKey, "club_id" | "import_id">, which: Statement.Fragment) =>
        sql`
          delete from student_import_chunks c using student_imports i
          where c.club_id = ${name.club_id} and c.import_id = ${name.import_id} and ${which}
            and i.club_id = c.club_id and i.id = c.import_id
          returning c.club_id, c.import_id, c.position, c.failures, c.content, i.actor_user_id, i.dry_run, i.trace
        `.pipe(
          decodeChunks,
          Effect.map(([chunk]) => Option.fromNullishOr(chunk))
        )

      const take = Effect.fn("ImportsRepo.take")(function*() {
        const [locked] = yield* lockDue()
        if (locked === undefined) return Option.none()
        return yield* remove(
          locked,
          sql`
            c.position = (
              select min(position) from student_import_chunks
              where club_id = ${locked.club_id} and import_id = ${locked.import_id}
            )`
        )
      })

      const takeAgain = Effect.fn("ImportsRepo.takeAgain")(function*(chunk: Chunk) {
        yield* lockImport(chunk)
        return yield* remove(chunk, sql`c.position = ${chunk.position} and c.failures = ${chunk.failures}`)
      }, Effect.orDie)

      const count = Effect.fn("ImportsRepo.count")(function*(
        club_id: ClubId,
        import_id: ImportId,
        { created, existing, failed, granted }: Counts
      ) {
        const at = yield* now
        yield* sql`
          update student_imports i
          set created = i.created + ${created}, existing = i.existing + ${existing},
            granted = i.granted + ${granted}, failed = i.failed + ${failed},
            started_at = coalesce(i.started_at, ${at}),
            due_at = case when more.more then ${at}::timestamptz end,
            finished_at = case when more.more then null else ${at}::timestamptz end
          from (
            select exists (
              select from student_import_chunks where club_id = ${club_id} and import_id = ${import_id}
            ) as more
          ) as more
          where i.club_id = ${club_id} and i.id = ${import_id}`
      }, Effect.orDie)

      const postpone = Effect.fn("ImportsRepo.postpone")(function*(
        club_id: ClubId,
        import_id: ImportId,
        delay: Duration.Duration
      ) {
        const due = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, delay))
        yield* sql`update student_imports set due_at = ${due} where club_id = ${club_id} and id = ${import_id}`
      }, Effect.orDie)

      return ImportsRepo.of({ addChunks, addErrors, take, takeAgain, count, postpone })
    })
  )
}
