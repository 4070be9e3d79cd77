import { Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { audited } from "../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { scanning } from "../../platform/sql/ReadLane.ts"
import { faultsDie, rows } from "../../platform/sql/Rows.ts"
import { StorageKey } from "../../platform/storage/Storage.ts"
import {
  type ClubPurpose,
  Media,
  type MediaId,
  type MediaKind,
  type MediaProvider,
  type MediaPurpose
} from "./Media.ts"

/** Number of records that one page of a search looks at. No index tells which ones match. */
const searchLimit = 2000

/** A record and the key of its file; null with a hosted provider. */
const StoredMedia = Schema.Struct({ media: Media, storage_key: Schema.NullOr(StorageKey) })
export type StoredMedia = typeof StoredMedia.Type

/** The owner of records: the club, for one purpose, or one student. */
export type MediaOwner = { readonly purpose: ClubPurpose } | { readonly student_id: StudentId }

/** A new row. Absent fields are null. */
interface NewMedia {
  readonly club_id: ClubId
  readonly id: MediaId
  readonly kind: MediaKind
  readonly purpose: MediaPurpose
  readonly title: string
  readonly provider: MediaProvider
  readonly status: "uploading" | "ready"
  readonly created_at: Date
  readonly file_name?: string
  readonly mime?: string
  readonly size_bytes?: number
  readonly storage_key?: StorageKey
  readonly external_id?: string
  readonly duration_seconds?: number | null
  readonly preview_url?: string | null
  readonly thumbnail_url?: string | null
  readonly folder_id?: string | null
  readonly student_id?: StudentId
  readonly user_id?: UserId
}

const decodeFound = rows(Schema.Struct({ ...Media.fields, matches: Schema.Boolean, is_last: Schema.Boolean }))
const decodeStored = Schema.decodeUnknownEffect(Schema.Array(StoredMedia))

/** How an upload ended. */
export type UploadOutcome =
  | { readonly status: "ready"; readonly width: number | null; readonly height: number | null }
  | { readonly status: "failed"; readonly error: string }

/** The rows of `media`. Faults of the database are defects, except for the constraints that a method names. */
export class MediaRepo extends Context.Service<MediaRepo, ReturnType<typeof make>>()("turma/learning/media/MediaRepo") {
  static readonly layer = Layer.effect(MediaRepo, Effect.map(SqlClient.SqlClient, (sql) => make(sql)))
}

const make = (sql: SqlClient.SqlClient) => {
  const columns = sql`
    m.id, m.kind, m.title, m.provider, m.status, m.visibility, m.archived_at is not null as archived, m.created_at,
    m.file_name, m.mime, m.size_bytes::float8 as size_bytes, m.external_id, m.error, m.duration_seconds, m.width, m.height,
    m.preview_url, m.thumbnail_url, m.folder_id, m.storage_key`

  /** The records of these rows, which have `columns`. */
  const decodeAll = (found: ReadonlyArray<Record<string, unknown>>) =>
    Effect.orDie(decodeStored(found.map(({ storage_key, ...media }) => ({ media, storage_key }))))

  /** The record of the first of these rows. `NotFound`: there is no row. */
  const decodeFirst = Effect.fnUntraced(function*(found: ReadonlyArray<Record<string, unknown>>) {
    const [media] = yield* decodeAll(found)
    return media ?? (yield* new NotFound())
  })

  // Written out, because the planner finds the partial index of a purpose only by a literal.
  const forPurpose: Readonly<Record<ClubPurpose, Fragment>> = {
    library: sql`m.purpose = 'library'`,
    mentorship: sql`m.purpose = 'mentorship'`
  }

  // Written out, because the planner does not read the index in its order for a limit that it does not know.
  const most = sql.literal(String(searchLimit))

  // Each text and each word is folded once: that takes much longer than to compare them.
  const hasAll = (words: ReadonlyArray<string>): Fragment =>
    sql`(
      select ${sql.and(words.map((word) => sql`position((select fold(${word})) in folded.text) > 0`))}
      from (select fold(m.title || ' ' || coalesce(m.file_name, '')) as text offset 0) folded
    )`

  const ownedBy = (owner: MediaOwner): Fragment =>
    "purpose" in owner ? forPurpose[owner.purpose] : sql`m.student_id = ${owner.student_id}`

  /** Finds a record that is not removed. */
  const find = Effect.fn("MediaRepo.find")(function*(club_id: ClubId, id: MediaId, owner: MediaOwner) {
    return yield* decodeFirst(yield* sql`
        select ${columns} from media m
        where m.club_id = ${club_id} and m.id = ${id} and ${ownedBy(owner)} and m.removed_at is null`)
  }, faultsDie)

  /** The records that are not removed and meet the condition on `m`, newest first. */
  const page = Effect.fn("MediaRepo.page")(
    function*(club_id: ClubId, condition: Fragment, { cursor, limit }: PageRequest) {
      const after = yield* afterCursor(cursor)
      const found = yield* sql`
        select ${columns} from media m
        where m.club_id = ${club_id} and m.removed_at is null and ${condition}
          and ${Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`m.id < ${id}` })}
        order by m.id desc limit ${limit + 1}`
      return pageOf((yield* decodeAll(found)).map(({ media }) => media), limit)
    },
    faultsDie
  )

  /**
   * The records of `page` with each of these words in title or file name, whatever their case and accents. It looks at
   * `searchLimit` records: it may be short, even empty, and have a next page.
   */
  const search = Effect.fn("MediaRepo.search")(
    function*(club_id: ClubId, condition: Fragment, words: ReadonlyArray<string>, { cursor, limit }: PageRequest) {
      const after = yield* afterCursor(cursor)
      const found = yield* sql`
        select ${columns}, m.matches, m.place = ${most} as is_last
        from (
          select m.*, row_number() over (order by m.id desc) as place, ${hasAll(words)} as matches
          from (
            select m.* from media m
            where m.club_id = ${club_id} and m.removed_at is null and ${condition}
              and ${Option.match(after, { onNone: () => sql`true`, onSome: (id) => sql`m.id < ${id}` })}
            order by m.id desc limit ${most}
          ) m
        ) m
        where m.matches or m.place = ${most}
        order by m.id desc limit ${limit + 1}`.pipe(decodeFound, scanning)
      const media = found.filter(({ matches }) => matches).map(Struct.omit(["matches", "is_last"]))
      return pageOf(media, limit, found.find(({ is_last }) => is_last)?.id)
    },
    faultsDie
  )

  /** `SqlError`: the folder is unknown. */
  const insert = Effect.fn("MediaRepo.insert")(function*(media: NewMedia) {
    const found = yield* audited((audit) =>
      sql`
        ${audit.with}
        insert into media as m ${sql.insert({ visibility: "private", ...media })} returning ${columns}`
    )
    return yield* Effect.orDie(decodeFirst(found))
  })

  /** Ends an upload that has not ended yet; otherwise the answer is empty. */
  const endUpload = Effect.fn("MediaRepo.endUpload")(function*(club_id: ClubId, id: MediaId, outcome: UploadOutcome) {
    const found = yield* audited((audit) =>
      sql`
        ${audit.with}
        update media m set ${sql.update({ ...outcome })}
        where m.club_id = ${club_id} and m.id = ${id} and m.status = 'uploading' and m.removed_at is null
        returning ${columns}`
    )
    return yield* decodeAll(found)
  }, faultsDie)

  return { columns, decodeAll, decodeFirst, ownedBy, find, page, search, insert, endUpload }
}
