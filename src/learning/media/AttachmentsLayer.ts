import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { Attachments, MediaUnknown, type ShownRecord } from "./Attachments.ts"
import type { MediaId, MediaPurpose } from "./Media.ts"
import { MediaAddresses } from "./MediaAddresses.ts"
import { MediaRepo, type StoredMedia } from "./MediaRepo.ts"

interface AttachmentCheck {
  readonly student_id: StudentId | null
  readonly purpose: MediaPurpose
  readonly ids: ReadonlyArray<MediaId>
  readonly images: boolean
}

/** `Attachments`, on the records of the library and of students. */
export const AttachmentsLayer = Layer.effect(
  Attachments,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const repo = yield* MediaRepo
    const addresses = yield* MediaAddresses

    // The rows are locked until the caller's transaction ends, so that nothing is deleted while it is attached.
    const check = Effect.fn("Attachments.check")(
      function*(club_id: ClubId, { ids, images, purpose, student_id }: AttachmentCheck) {
        if (ids.length === 0) return
        const owned = student_id === null
          ? sql`purpose = 'library'`
          : sql`purpose = ${purpose} and student_id = ${student_id}`
        const found = yield* sql`
          select 1 from media
          where club_id = ${club_id} and id = any(${uuids(ids)}) and ${owned}
            and status = 'ready' and removed_at is null and (kind = 'image' or not ${images}::bool)
          order by id for key share`
        if (found.length < new Set(ids).size) return yield* new MediaUnknown()
      },
      faultsDie
    )

    const read = Effect.fnUntraced(function*(club_id: ClubId, ids: ReadonlyArray<MediaId>) {
      if (ids.length === 0) return []
      return yield* repo.decodeAll(yield* sql`
          select ${repo.columns} from media m
          where m.club_id = ${club_id} and m.id = any(${uuids(ids)}) and m.removed_at is null`)
    }, Effect.orDie)

    const show = Effect.fnUntraced(function*(stored: StoredMedia) {
      const { duration_seconds, height, kind, mime, provider, size_bytes, thumbnail_url, title, width } = stored.media
      const { expires_at, signed, url } = yield* addresses.of(stored, true)
      const place = { provider, url: Redacted.value(url), expires_at, signed }
      return { kind, ...place, thumbnail_url, duration_seconds, mime, size_bytes, width, height, title }
    })

    const shownRecords = Effect.fn("Attachments.shownRecords")(function*(club_id: ClubId, ids: ReadonlyArray<MediaId>) {
      const result = new Map<MediaId, ShownRecord>()
      for (const stored of yield* read(club_id, ids)) {
        const { media } = stored
        // A file that has not been uploaded cannot be opened.
        if (media.status === "ready") result.set(media.id, { media, shown: yield* show(stored) })
      }
      return result
    })

    const shown = Effect.fn("Attachments.shown")(function*(club_id: ClubId, ids: ReadonlyArray<MediaId>) {
      const found = yield* shownRecords(club_id, ids)
      return new Map([...found].map(([id, record]) => [id, record.shown] as const))
    })

    const records = Effect.fn("Attachments.records")(function*(club_id: ClubId, ids: ReadonlyArray<MediaId>) {
      return new Map((yield* read(club_id, ids)).map(({ media }) => [media.id, media]))
    })

    return Attachments.of({ check, shown, records, shownRecords })
  })
).pipe(Layer.provide([MediaAddresses.layer, MediaRepo.layer]))
