import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound, ValidationFailed } from "../../platform/http/errors.ts"
import { inOrder, isOrderOf, OrderInvalid } from "../../platform/http/Order.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { faultsDie, firstOr, inTransaction, rows } from "../../platform/sql/Rows.ts"
import { Attachments, MediaUnknown } from "../media/Attachments.ts"
import type { MediaId } from "../media/Media.ts"
import {
  Block,
  BlockId,
  type BlockKind,
  blockLimit,
  BlockLimitReached,
  type BlockPatch,
  type CreateBlock,
  lessonBytes,
  strayField
} from "./Block.ts"
import type { LessonId } from "./Lesson.ts"
import { LessonChanges } from "./LessonChanges.ts"
import { type Question, type QuestionUnknown, withIds } from "./Question.ts"
import { makeTextImages } from "./TextImages.ts"

const decodeBlocks = rows(Block)
const decodeBlock = firstOr(Block, () => new NotFound())
const decodeWithinLimit = firstOr(Block, () => new BlockLimitReached())
const decodeIds = rows(Schema.Struct({ id: BlockId }))

const now = Effect.map(DateTime.now, DateTime.toDateUtc)

/** The bytes of the text or the questions, as they are answered. */
const sizeOf = (body: string | null, questions: string | null) => Buffer.byteLength(body ?? questions ?? "")

const questionsJson = (questions: ReadonlyArray<Question> | null | undefined) =>
  questions ? JSON.stringify(questions) : null

/** The blocks of lessons, in an order. `NotFound`: this club has no such lesson or block, or it is deleted. */
export class Blocks extends Context.Service<Blocks, {
  /** In their order. */
  list(club_id: ClubId, lesson_id: LessonId): Effect.Effect<ReadonlyArray<Block>, NotFound>
  get(club_id: ClubId, id: BlockId): Effect.Effect<Block, NotFound>
  /** Comes after all other blocks of the lesson. `ValidationFailed`: its text names too many images. */
  create(
    club_id: ClubId,
    lesson_id: LessonId,
    block: typeof CreateBlock.Type
  ): Effect.Effect<Block, BlockLimitReached | MediaUnknown | NotFound | QuestionUnknown | ValidationFailed>
  /** `ValidationFailed`: blocks of this kind do not have a field of the patch, or its text names too many images. */
  patch(
    club_id: ClubId,
    id: BlockId,
    patch: typeof BlockPatch.Type
  ): Effect.Effect<Block, BlockLimitReached | MediaUnknown | NotFound | QuestionUnknown | ValidationFailed>
  /** The work of students in it is kept. */
  remove(club_id: ClubId, id: BlockId): Effect.Effect<void, NotFound>
  /** Takes every block of the lesson, in their new order. */
  order(
    club_id: ClubId,
    lesson_id: LessonId,
    ids: ReadonlyArray<BlockId>
  ): Effect.Effect<ReadonlyArray<Block>, NotFound | OrderInvalid>
}>()("turma/learning/content/Blocks") {
  static readonly layer = Layer.effect(
    Blocks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const changes = yield* LessonChanges
      const attachments = yield* Attachments
      const images = yield* makeTextImages
      const newId = Effect.orDie(random.uuidV7())

      const columns = sql`id, lesson_id, kind, title, position, body, media_id, questions, pass_percent, created_at`
      const live = (club_id: ClubId) => sql`club_id = ${club_id} and deleted_at is null`
      const ofLesson = (club_id: ClubId, lesson_id: LessonId) => sql`${live(club_id)} and lesson_id = ${lesson_id}`

      /** Locks the lesson for adding, ordering and deleting, so that two blocks never get one position. */
      const lockLesson = Effect.fnUntraced(function*(club_id: ClubId, id: LessonId) {
        const found = yield* sql`select 1 from lessons where ${live(club_id)} and id = ${id} for no key update`
        if (found.length === 0) return yield* new NotFound()
      })

      /** The bytes of text and questions in the blocks of a lesson, without those of this block. */
      const bytesOf = (club_id: ClubId, lesson_id: LessonId, but: BlockId | null) =>
        sql`(
          select coalesce(sum(octet_length(coalesce(body, questions::text, ''))), 0) from blocks
          where ${ofLesson(club_id, lesson_id)} and id is distinct from ${but}::uuid
        )`

      /** A file may be any media of the library; a video has to be one. */
      const checkMedia = Effect.fnUntraced(function*(club_id: ClubId, kind: BlockKind, id: MediaId) {
        yield* attachments.check(club_id, { student_id: null, purpose: "library", ids: [id], images: false })
        if (kind !== "video") return
        const records = yield* attachments.records(club_id, [id])
        if (records.get(id)?.kind !== "video") return yield* new MediaUnknown()
      })

      const list = Effect.fn("Blocks.list")(function*(club_id: ClubId, lesson_id: LessonId) {
        const found = yield* sql`select 1 from lessons where ${live(club_id)} and id = ${lesson_id}`
        if (found.length === 0) return yield* new NotFound()
        return yield* sql`
          select ${columns} from blocks where ${ofLesson(club_id, lesson_id)} order by position, id
        `.pipe(decodeBlocks)
      }, faultsDie)

      const get = Effect.fn("Blocks.get")(function*(club_id: ClubId, id: BlockId) {
        return yield* sql`select ${columns} from blocks where ${live(club_id)} and id = ${id}`.pipe(decodeBlock)
      })

      /** The columns of a new block; those of other kinds are null. */
      const contentOf = Effect.fnUntraced(function*(club_id: ClubId, block: typeof CreateBlock.Type) {
        const none = { body: null, media_id: null, questions: null, pass_percent: null }
        if ("body" in block) {
          yield* images.check(club_id, "body", block.body)
          return { ...none, body: block.body }
        }
        if ("questions" in block) {
          const questions = yield* withIds(block.questions, [], newId)
          return { ...none, questions: questionsJson(questions), pass_percent: block.pass_percent }
        }
        yield* checkMedia(club_id, block.kind, block.media_id)
        return { ...none, media_id: block.media_id }
      })

      const create = Effect.fn("Blocks.create")(
        function*(club_id: ClubId, lesson_id: LessonId, block: typeof CreateBlock.Type) {
          yield* lockLesson(club_id, lesson_id)
          const { body, media_id, pass_percent, questions } = yield* contentOf(club_id, block)
          const id = yield* newId
          yield* creates(id)
          const at = yield* now
          const created = yield* audited((audit) =>
            sql`
              ${audit.with}
              insert into blocks (
                club_id, id, lesson_id, kind, title, body, media_id, questions, pass_percent, created_at, position
              )
              select ${club_id}::uuid, ${id}::uuid, ${lesson_id}::uuid, ${block.kind}, ${block.title ?? null}, ${body},
                ${media_id}::uuid, ${questions}::jsonb, ${pass_percent}::integer, ${at}::timestamptz,
                coalesce(max(position), 0) + 1
              from blocks where ${ofLesson(club_id, lesson_id)} having count(*) < ${blockLimit}
                and ${bytesOf(club_id, lesson_id, null)} <= ${lessonBytes - sizeOf(body, questions)}::int
              returning ${columns}`
          ).pipe(decodeWithinLimit)
          if (body !== null) yield* images.keepOfBlock(club_id, created.id, body)
          yield* changes.announce(club_id, [lesson_id])
          return created
        },
        inTransaction(sql)
      )

      const patch = Effect.fn("Blocks.patch")(
        function*(club_id: ClubId, id: BlockId, { questions, ...patch }: typeof BlockPatch.Type) {
          // Lessons are locked before blocks.
          if (patch.body !== undefined || questions !== undefined) {
            yield* lockLesson(club_id, (yield* get(club_id, id)).lesson_id)
          }
          const block = yield* sql`
            select ${columns} from blocks where ${live(club_id)} and id = ${id} for no key update`.pipe(decodeBlock)
          const stray = strayField(block.kind, questions === undefined ? patch : { ...patch, questions })
          if (stray !== undefined) {
            const message = `${stray} is not a field of a block of the kind ${block.kind}`
            return yield* new ValidationFailed({ error: { message } })
          }
          yield* images.check(club_id, "body", patch.body, block.body)
          if (patch.media_id !== undefined) yield* checkMedia(club_id, block.kind, patch.media_id)
          const { body, media_id, pass_percent, title } = { ...block, ...patch }
          const allQuestions = questions === undefined
            ? block.questions
            : yield* withIds(questions, block.questions ?? [], newId)
          const size = sizeOf(body, questionsJson(allQuestions))
          // A block that is longer than it may be can still be shortened.
          const most = size > sizeOf(block.body, questionsJson(block.questions)) ? lessonBytes - size : null
          const changed = yield* audited((audit) =>
            sql`
              ${audit.with}
              update blocks set
              ${sql.update({ title, body, media_id, pass_percent, questions: questionsJson(allQuestions) })}
              where club_id = ${club_id} and id = ${id}
                and (${most}::int is null or
                ${bytesOf(club_id, block.lesson_id, id)} <= ${most}::int) returning ${columns}`
          ).pipe(decodeWithinLimit)
          if (patch.body !== undefined) yield* images.keepOfBlock(club_id, id, patch.body)
          yield* changes.announce(club_id, [block.lesson_id])
          return changed
        },
        inTransaction(sql)
      )

      const remove = Effect.fn("Blocks.remove")(
        function*(club_id: ClubId, id: BlockId) {
          const at = yield* now
          const { lesson_id } = yield* audited((audit) =>
            sql`
              ${audit.with}
              update blocks set deleted_at = ${at}, media_id = null where ${live(club_id)} and id = ${id}
              returning ${columns}`
          ).pipe(decodeBlock)
          yield* sql`delete from block_images where club_id = ${club_id} and block_id = ${id}`
          yield* changes.announce(club_id, [lesson_id])
        },
        inTransaction(sql)
      )

      const order = Effect.fn("Blocks.order")(
        function*(club_id: ClubId, lesson_id: LessonId, ids: ReadonlyArray<BlockId>) {
          yield* lockLesson(club_id, lesson_id)
          const listed = yield* sql`select id from blocks where ${ofLesson(club_id, lesson_id)}`.pipe(decodeIds)
          if (!isOrderOf(ids, listed.map(({ id }) => id))) return yield* new OrderInvalid()
          const rows = yield* audited((audit) =>
            sql`
              ${audit.with}
              update blocks set position = asked.position
              from unnest(${uuids(ids)}) with ordinality as asked (asked_id, position)
              where ${ofLesson(club_id, lesson_id)} and id = asked_id
              returning id, lesson_id, kind, title, blocks.position, body, media_id, questions, pass_percent, created_at`
          )
            .pipe(decodeBlocks)
          yield* changes.announce(club_id, [lesson_id])
          return inOrder(rows)
        },
        inTransaction(sql)
      )

      return Blocks.of({ list, get, create, patch, remove, order })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
