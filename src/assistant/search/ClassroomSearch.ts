import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { lockedFor } from "../../learning/content/LessonOpening.ts"
import { accessibleItemIds, type ItemHolder } from "../../membership/access/ItemAccess.ts"
import { OnBehalfOf } from "../../platform/sql/Connections.ts"
import { scanning } from "../../platform/sql/ReadLane.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { wordsWithLexemes } from "../material/search/Lexemes.ts"
import { secondsAt } from "../material/search/SpokenAt.ts"
import { queryWords, wordsOf } from "../material/search/Words.ts"
import { mostHits, SearchHit } from "./SearchHit.ts"
import { placeOf, snippetOf } from "./Snippet.ts"

const Found = Schema.Struct({ ...Struct.omit(SearchHit.fields, ["seconds", "snippet"]), body: Schema.String })
const decodeFound = rows(Found)

/** The most pieces of one course that are ranked. More words find those beyond. */
const mostCandidates = 300

/** The most words of a search. */
const mostWords = 10

/** A student who searches; they have a share of the scans of their club. */
type Searcher = ItemHolder & { readonly club_id: ClubId }

const escaped = (word: string) => `%${word.replace(/[\\%_]/g, "\\$&")}%`

const hitOf = ({ body, ...found }: typeof Found.Type, words: ReadonlyArray<string>): SearchHit => ({
  ...found,
  snippet: snippetOf(body, words),
  seconds: found.kind === "transcript" ? secondsAt(body, placeOf(body, words) ?? 0) : null
})

/** Searches the courses that a student has: titles of lessons, their texts, documents and transcripts. */
export class ClassroomSearch extends Context.Service<ClassroomSearch, {
  /** Titles first, then the texts that fit best. Each text or file of a lesson is found once. One statement. */
  search(student: Searcher, question: string): Effect.Effect<ReadonlyArray<SearchHit>>
}>()("turma/assistant/search/ClassroomSearch") {
  static readonly layer = Layer.effect(
    ClassroomSearch,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const isLive = (student: ItemHolder) => {
        const locked = lockedFor(sql, student, { module: sql`m`, lesson: sql`l`, course: sql`l.course_id` })
        return sql`
          l.deleted_at is null and l.published_at <= ${student.now}
          and exists (
            select from modules m
            where m.club_id = l.club_id and m.id = l.module_id and m.deleted_at is null and ${locked} is null
          )`
      }

      // A title has all the words. The beginning of its lesson stands for it.
      const titled = (student: ItemHolder, words: ReadonlyArray<string>) =>
        sql`
          select l.course_id, l.id as lesson_id, l.public_id, l.title, coalesce((
            select c.body from material_chunks c where c.club_id = l.club_id and c.lesson_id = l.id
            order by c.position limit 1
          ), '') as body
          from course join lessons l on l.club_id = ${student.club_id} and l.course_id = course.id
          where ${sql.and(words.map((word) => sql`fold(l.title) like ${escaped(word)}`))} and ${isLive(student)}
          order by char_length(l.title), l.id limit ${mostHits}`

      // The last word may not be whole yet. `at` is its number; null if nobody searches for such a word.
      const found = (student: ItemHolder, last: string, at: number | null) =>
        sql`
          select piece.* from (
            select string_agg(
              '(' || case when n = ${at}::int then query::text || ' | ' || quote_literal(${last}) || ':*'
                else query::text end || ')', ' & ' order by n
            )::tsquery as query
            from word
          ) asked cross join course cross join lateral (
            select c.course_id, c.lesson_id, l.public_id, l.title, c.source_kind, c.source_id, c.source_title, c.media_id,
              c.page, c.position, c.body, ts_rank(c.search, asked.query) as rank
            from material_chunks c join lessons l on l.club_id = c.club_id and l.id = c.lesson_id
              and l.course_id = c.course_id
            where c.club_id = ${student.club_id} and c.course_id = course.id and c.search @@ asked.query
              and ${isLive(student)}
              and (c.media_id is null or exists (
                select from media f where f.club_id = c.club_id and f.id = c.media_id and f.removed_at is null
              ))
            limit ${mostCandidates}
          ) piece`

      const search = Effect.fn("ClassroomSearch.search")(function*(student: Searcher, question: string) {
        const words = wordsOf(question).slice(0, mostWords)
        const [last] = words.slice(-1)
        if (last === undefined) return []
        const subject = queryWords(question).slice(0, mostWords)
        const at = subject.at(-1)?.includes(last) === true ? subject.length : null
        const hits = yield* sql`
            with course as materialized (
              select t.id, t.public_id, t.title from courses t
              where t.club_id = ${student.club_id} and t.deleted_at is null
                and t.id = any (${accessibleItemIds(sql, student, "course")})
            ), word as materialized (
              ${wordsWithLexemes(sql, subject)}
            ), titled as materialized (${titled(student, words)}), best as (
              select distinct on (lesson_id, source_kind, source_id) * from (${found(student, last, at)}) found
              where source_kind <> 'lesson' or lesson_id not in (select lesson_id from titled)
              order by lesson_id, source_kind, source_id, rank desc, position
            ), hit as (
              select course_id, public_id, title as lesson_title, 'lesson' as kind, title, body, null::uuid as block_id,
                null::uuid as media_id, null::int as page_from, 0 as place, char_length(title)::real as fit, lesson_id, 0 as position
              from titled
              union all
              select course_id, public_id, title,
                case when source_kind = 'lesson' then 'lesson' when page is null then 'transcript' else 'document' end,
                source_title, body, case when source_kind = 'lesson' then source_id end, media_id, page, 1, -rank, lesson_id, position
              from best
              order by place, fit, lesson_id, position limit ${mostHits}
            )
            select hit.kind, hit.title, hit.body, hit.block_id, hit.media_id, hit.page_from,
              jsonb_build_object('public_id', course.public_id, 'title', course.title) as course,
              jsonb_build_object('public_id', hit.public_id, 'title', hit.lesson_title) as lesson
            from hit join course on course.id = hit.course_id
            order by hit.place, hit.fit, hit.lesson_id, hit.position`.pipe(
          decodeFound,
          scanning,
          Effect.provideService(OnBehalfOf, student.club_id)
        )
        return hits.map((hit) => hitOf(hit, words))
      })

      return ClassroomSearch.of({ search })
    })
  )
}
