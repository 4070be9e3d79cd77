import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { FaceMediaId } from "../../membership/clubs/Face.ts"
import type { FaceImageSource } from "../../membership/clubs/FaceImages.ts"
import { first } from "../../platform/sql/Rows.ts"
import { StorageKey } from "../../platform/storage/Storage.ts"

const decodeImage = first(Schema.Struct({ storage_key: StorageKey, mime: Schema.String, size_bytes: Schema.Number }))

/** The images of the library, for the faces of clubs. */
export const faceLibrary = Effect.map(SqlClient.SqlClient, (sql): FaceImageSource => {
  const image = (club_id: ClubId, id: FaceMediaId) =>
    sql`
      select storage_key, mime, size_bytes::float8 as size_bytes from media
      where club_id = ${club_id} and id = ${id} and purpose = 'library' and kind = 'image' and status = 'ready'
        and storage_key is not null and removed_at is null`
  return {
    find: Effect.fn("FaceLibrary.find")((club_id: ClubId, id: FaceMediaId) => image(club_id, id).pipe(decodeImage)),
    hold: Effect.fn("FaceLibrary.hold")((club_id: ClubId, id: FaceMediaId) =>
      sql`${image(club_id, id)} for key share`.pipe(decodeImage)
    )
  }
})
