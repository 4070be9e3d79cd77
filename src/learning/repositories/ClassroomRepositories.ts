import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { accessibleItemIds, hasItem } from "../../membership/access/ItemAccess.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { MadeJson } from "../../platform/http/json/MadeJson.ts"
import { firstOr, one } from "../../platform/sql/Rows.ts"
import { Attachments } from "../media/Attachments.ts"
import { MediaId } from "../media/Media.ts"
import { MediaLibrary } from "../media/MediaLibrary.ts"
import { Repository } from "./Repository.ts"
import { type FileDownload, OpenedRepository, RepositoryFile, RepositoryFileId } from "./RepositoryFile.ts"

const RepositoryRow = Schema.Struct({
  ...Repository.fields,
  files: Schema.Array(Schema.Struct({ id: RepositoryFileId, title: Schema.String, media_id: MediaId }))
})

const decodeRepositories = one(Schema.Struct({ repositories: MadeJson }))
const decodeRepository = firstOr(RepositoryRow, () => new NotFound())
const decodeMedia = firstOr(Schema.Struct({ media_id: MediaId }), () => new NotFound())

/**
 * The live repositories that a student has (contract, Endpoints 10). `NotFound`: it does not exist, it is not live, or
 * the student does not have it.
 */
export class ClassroomRepositories extends Context.Service<ClassroomRepositories, {
  /** The JSON of a list of `Repository`, oldest first, in one statement. */
  list(club_id: ClubId, student_id: StudentId): Effect.Effect<MadeJson>
  get(club_id: ClubId, student_id: StudentId, public_id: string): Effect.Effect<OpenedRepository, NotFound>
  /** `NotFound`: also if the repository has no such file. `inline`: the browser shows the file if it can. */
  download(
    club_id: ClubId,
    student_id: StudentId,
    public_id: string,
    file_id: RepositoryFileId,
    inline: boolean
  ): Effect.Effect<FileDownload, NotFound>
}>()("turma/learning/repositories/ClassroomRepositories") {
  static readonly layer = Layer.effect(
    ClassroomRepositories,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const attachments = yield* Attachments
      const library = yield* MediaLibrary

      const moment = Effect.map(DateTime.now, DateTime.toDateUtc)
      const columns = sql`
        r.public_id, r.title, (
          select count(*)::int from repository_files f where f.club_id = r.club_id and f.repository_id = r.id
        ) as file_count, r.instructor_name, r.cover_url`
      const live = (club_id: ClubId, now: Date) =>
        sql`r.club_id = ${club_id} and r.deleted_at is null and r.published_at <= ${now}`

      const list = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId) {
        const now = yield* moment
        const held = accessibleItemIds(sql, { club_id, student_id, now }, "repository")
        const { repositories } = yield* sql`
          select coalesce(
            json_agg((select row_to_json(shown) from (select ${columns}) shown) order by r.id), '[]'
          )::text as repositories
          from repositories r where ${live(club_id, now)} and r.id = any (${held})`.pipe(decodeRepositories)
        return repositories
      })

      /** The condition for a repository that the student has now. */
      const accessible = (club_id: ClubId, student_id: StudentId, public_id: string, now: Date) =>
        sql`
          ${live(club_id, now)} and r.public_id = ${public_id}
            and ${hasItem(sql, { club_id, student_id, now }, "repository", sql`r.id`)}`

      const get = Effect.fn("ClassroomRepositories.get")(function*(
        club_id: ClubId,
        student_id: StudentId,
        public_id: string
      ) {
        const found = yield* sql`
            select ${columns}, coalesce((
              select jsonb_agg(
                jsonb_build_object('id', f.id, 'title', f.title, 'media_id', f.media_id) order by f.position, f.id
              )
              from repository_files f where f.club_id = r.club_id and f.repository_id = r.id
            ), '[]') as files
            from repositories r where ${accessible(club_id, student_id, public_id, yield* moment)}`
          .pipe(decodeRepository)
        const media = yield* attachments.records(club_id, found.files.map(({ media_id }) => media_id))
        const files = found.files.flatMap(({ id, media_id, title }) => {
          const record = media.get(media_id)
          if (record === undefined) return []
          const { file_name, kind, mime, size_bytes } = record
          return [new RepositoryFile({ id, title, kind, mime, size_bytes, file_name })]
        })
        return new OpenedRepository({ ...found, files })
      })

      const download = Effect.fn("ClassroomRepositories.download")(
        function*(
          club_id: ClubId,
          student_id: StudentId,
          public_id: string,
          file_id: RepositoryFileId,
          inline: boolean
        ) {
          const { media_id } = yield* sql`
            select f.media_id
            from repositories r join repository_files f on f.club_id = r.club_id and f.repository_id = r.id
            where ${accessible(club_id, student_id, public_id, yield* moment)} and f.id = ${file_id}`.pipe(decodeMedia)
          const { expires_at, url } = yield* library.download(club_id, media_id, inline)
          return { url, expires_at }
        },
        Effect.catchTag("MediaNotReady", () => new NotFound())
      )

      return ClassroomRepositories.of({ list, get, download })
    })
  )
}
