import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { firstOr } from "../../platform/sql/Rows.ts"
import type { LessonId } from "../content/Lesson.ts"
import { Attachments } from "../media/Attachments.ts"
import { blockResponse, mediaIdsOf } from "./BlockResponse.ts"
import { StudentBlock } from "./ClassroomRepo.ts"
import { LessonPreview } from "./LessonPreview.ts"

const decodeLesson = firstOr(
  Schema.Struct({ ...LessonPreview.fields, blocks: Schema.Array(Schema.toCodecJson(StudentBlock)) }),
  () => new NotFound()
)

/** Lessons as students would read them, for the staff. `NotFound`: the club has no such lesson, or it is deleted. */
export class LessonPreviews extends Context.Service<LessonPreviews, {
  /** Drafts and scheduled lessons too. Writes nothing. */
  read(club_id: ClubId, id: LessonId): Effect.Effect<LessonPreview, NotFound>
}>()("turma/learning/classroom/LessonPreviews") {
  static readonly layer = Layer.effect(
    LessonPreviews,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const attachments = yield* Attachments

      const read = Effect.fn("LessonPreviews.read")(function*(club_id: ClubId, id: LessonId) {
        const { blocks, ...lesson } = yield* sql`
          select l.id, l.title, jsonb_build_object('id', m.id, 'title', m.title) as module,
            jsonb_build_object('id', c.id, 'title', c.title) as course, coalesce((
              select jsonb_agg(
                jsonb_build_object(
                  'id', b.id, 'kind', b.kind, 'title', b.title, 'body', b.body, 'media_id', b.media_id,
                  'questions', b.questions, 'pass_percent', b.pass_percent, 'image_ids', coalesce((
                    select jsonb_agg(i.media_id order by i.media_id) from block_images i
                    where b.body is not null and i.club_id = b.club_id and i.block_id = b.id
                  ), '[]'),
                  'last_attempt', null, 'last_submission', null
                ) order by b.position, b.id
              )
              from blocks b where b.club_id = l.club_id and b.lesson_id = l.id and b.deleted_at is null
            ), '[]') as blocks
          from lessons l
          join modules m on m.club_id = l.club_id and m.id = l.module_id
          join courses c on c.club_id = l.club_id and c.id = l.course_id
          where l.club_id = ${club_id} and l.id = ${id} and l.deleted_at is null
        `.pipe(decodeLesson)
        const media = yield* attachments.shown(club_id, blocks.flatMap(mediaIdsOf))
        return { ...lesson, blocks: blocks.map((block) => blockResponse(block, media)) }
      })

      return LessonPreviews.of({ read })
    })
  )
}
