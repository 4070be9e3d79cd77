import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { ValidationFailed } from "../../platform/http/errors.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { imageIds } from "../../platform/text/Markdown.ts"
import { Attachments } from "../media/Attachments.ts"
import { MediaId } from "../media/Media.ts"
import type { BlockId } from "./Block.ts"
import type { CourseId } from "./Course.ts"
import { mostImages } from "./TextImage.ts"

const idsIn = (text: string | null | undefined) => imageIds(text ?? "").map((id) => MediaId.make(id))

/**
 * The images of the library that texts name: `![…](media:<id>)`. The transaction that writes a text checks its images
 * before and keeps them after the text. So no image is deleted meanwhile.
 */
export const makeTextImages = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const attachments = yield* Attachments

  /**
   * `MediaUnknown`: the text names something else than an image of the library that is ready. `ValidationFailed`: it names
   * more images than it may, and more than the text before.
   */
  const check = Effect.fnUntraced(function*(
    club_id: ClubId,
    field: string,
    text: string | null | undefined,
    before?: string | null
  ) {
    const ids = idsIn(text)
    if (ids.length > mostImages && ids.length > idsIn(before).length) {
      const message = `${field} must name at most ${mostImages} different images`
      return yield* new ValidationFailed({ error: { message } })
    }
    yield* attachments.check(club_id, { student_id: null, purpose: "library", ids, images: true })
  })

  const keepOfBlock = Effect.fnUntraced(function*(club_id: ClubId, block_id: BlockId, text: string) {
    const ids = idsIn(text)
    yield* sql`
      with gone as (
        delete from block_images
        where club_id = ${club_id} and block_id = ${block_id} and media_id <> all(${uuids(ids)})
      )
      insert into block_images (club_id, block_id, media_id)
      select ${club_id}::uuid, ${block_id}::uuid, named from unnest(${uuids(ids)}) named
      on conflict do nothing`
  })

  const keepOfCourse = Effect.fnUntraced(function*(club_id: ClubId, course_id: CourseId, text: string) {
    const ids = idsIn(text)
    yield* sql`
      with gone as (
        delete from course_images
        where club_id = ${club_id} and course_id = ${course_id} and media_id <> all(${uuids(ids)})
      )
      insert into course_images (club_id, course_id, media_id)
      select ${club_id}::uuid, ${course_id}::uuid, named from unnest(${uuids(ids)}) named
      on conflict do nothing`
  })

  return { check, keepOfBlock, keepOfCourse }
})
