import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import type { CourseId } from "../../../learning/content/Course.ts"
import type { LessonId } from "../../../learning/content/Lesson.ts"
import { hasOpenLesson, isOpenForAll } from "../../../learning/content/LessonOpening.ts"
import { OnBehalfOf } from "../../../platform/sql/Connections.ts"
import { scanning } from "../../../platform/sql/ReadLane.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { Citation, type StoredCitation } from "./Citation.ts"
import { wordsWithLexemes } from "./Lexemes.ts"
import { secondsAt } from "./SpokenAt.ts"
import { queryWords } from "./Words.ts"

/** A word of the question that names its subject, unlike the words of every text and every question. */
export const QueryWord = Schema.Struct({
  /** 1 if the course does not contain the word, and less the more passages contain it. */
  weight: Schema.Finite,
  /** The forms of the word in the passage, folded; empty if the passage does not contain it. */
  forms: Schema.Array(Schema.String)
})
export type QueryWord = typeof QueryWord.Type

const { cited_text: _, ...source } = Citation.fields

/** A piece of course material that may answer a question. */
export const Passage = Schema.Struct({
  /** A citation without its text, which is a part of `body`, word for word. */
  source: Schema.Struct(source),
  body: Schema.String,
  /** All words of the question that name its subject, even those that the passage does not contain. */
  words: Schema.Array(QueryWord)
})
export type Passage = typeof Passage.Type

/** The citation of these words of a passage. Without a page, a media record is quoted by its transcript. */
export const citing = ({ body, source }: Pick<Passage, "body" | "source">, cited_text: string): StoredCitation => ({
  ...source,
  cited_text,
  seconds: source.source_kind === "media" && source.page_from === null
    ? secondsAt(body, Math.max(0, body.indexOf(cited_text)))
    : null
})

/** A question to the material of a course, and who asks it. */
export interface MaterialQuery {
  readonly club_id: ClubId
  readonly course_id: CourseId
  /** Passages of this lesson come before others that fit as well. */
  readonly lesson_id: LessonId
  /** Finds only content that this student can see. Null: content that everybody with the course can see. */
  readonly student_id: StudentId | null
  readonly question: string
  readonly limit: number
}

const decodePassages = rows(Passage)

/** Number of passages with the best text search rank to compare word by word. */
const mostCandidates = 500

/** Searches the text of lessons, transcripts and documents. */
export class Material extends Context.Service<Material, {
  /** The passages of the course's live lessons that match best, best first; empty without a match. One statement. */
  search(query: MaterialQuery): Effect.Effect<ReadonlyArray<Passage>>
}>()("turma/assistant/material/search/Material") {
  static readonly layer = Layer.effect(
    Material,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const isLive = (now: Date) =>
        sql`
          l.deleted_at is null and l.published_at <= ${now} and m.deleted_at is null and t.deleted_at is null
          and (c.media_id is null or (
            select true from media f where f.club_id = c.club_id and f.id = c.media_id and f.removed_at is null limit 1
          ))`

      // Students who see the answer to a comment see its lesson, so passages of this lesson are open for all of them.
      const readable = (
        club_id: ClubId,
        course_id: CourseId,
        lesson_id: LessonId,
        student_id: StudentId | null,
        now: Date
      ) => {
        const rows = { module: sql`m`, lesson: sql`l` }
        if (student_id === null) return sql`(l.id = ${lesson_id} or (${isOpenForAll(sql, now, rows)}))`
        const [holder, course] = [{ club_id, student_id, now }, sql`${course_id}::uuid`]
        return hasOpenLesson(sql, holder, { ...rows, course })
      }

      // The question's words in the forms in which they are written in a passage of the result.
      const wordsInPassage = sql`
        with token as materialized (
          select fold(token) as form, ts_lexize('portuguese_stem', token) || ts_lexize('portuguese_stem', fold(token))
            || ts_lexize('english_stem', fold(token)) as lexemes
          from (select distinct token from ts_parse('default', spaced(best.body))) parsed
        )
        select jsonb_agg(jsonb_build_object('weight', weight, 'forms', coalesce((
          select jsonb_agg(distinct form) from token where token.lexemes && word.lexemes
        ), '[]')) order by n) from word join word_weight using (n)`

      const search = Effect.fn("Material.search")(function*(
        { club_id, course_id, lesson_id, limit, question, student_id }: MaterialQuery
      ) {
        const words = queryWords(question)
        if (words.length === 0) return []
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const mayRead = readable(club_id, course_id, lesson_id, student_id, now)
        return yield* sql`
            with word as materialized (${wordsWithLexemes(sql, words)}), ranked as (
              select c.*, ts_rank_cd(c.search, any_word.query) as rank
              from (select string_agg(query::text, ' | ')::tsquery as query from word) any_word
              join material_chunks c on c.search @@ any_word.query
              join lessons l on l.club_id = c.club_id and l.id = c.lesson_id and l.course_id = c.course_id
              join modules m on m.club_id = l.club_id and m.id = l.module_id
              join courses t on t.club_id = l.club_id and t.id = l.course_id
              where c.club_id = ${club_id} and c.course_id = ${course_id} and ${isLive(now)} and ${mayRead}
              order by rank desc, c.lesson_id, c.position limit ${mostCandidates}
            ), candidate as materialized (
              select *, strip(search) as lexemes from ranked
            ), hit as materialized (
              select c.id, word.n from candidate c join word on c.lexemes @@ word.query
            ), word_weight as (
              select n, 1 / (1 + ln(1 + count(hit.id))) as weight from word left join hit using (n) group by n
            ), fit as (
              select id, sum(weight) as weight from hit join word_weight using (n) group by id
            ), best as (
              select candidate.*, fit.weight from fit join candidate using (id)
              order by weight desc, (lesson_id = ${lesson_id}) desc, rank desc, lesson_id, position limit ${limit}
            )
            select body, (${wordsInPassage}) as words,
              jsonb_build_object(
                'source_id', source_id, 'source_kind', source_kind, 'source_title', source_title, 'media_id', media_id,
                'lesson_id', lesson_id, 'page_from', page, 'page_to', page
              ) as source
            from best
            order by weight desc, (lesson_id = ${lesson_id}) desc, rank desc, lesson_id, position`.pipe(
          decodePassages,
          scanning,
          Effect.provideService(OnBehalfOf, club_id)
        )
      })

      return Material.of({ search })
    })
  )
}
