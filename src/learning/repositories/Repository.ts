import { Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { HttpsUrl } from "../../platform/http/HttpsUrl.ts"
import { text } from "../../platform/http/Text.ts"
import { PublicId } from "../content/PublicId.ts"

/** UUIDv7. */
export const RepositoryId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("RepositoryId"))
export type RepositoryId = typeof RepositoryId.Type

/** A repository of files as students see it (contract, Repository). */
export class Repository extends Schema.Class<Repository>("Repository")({
  public_id: Schema.String,
  title: Schema.String,
  file_count: Schema.Int,
  instructor_name: Schema.NullOr(Schema.String),
  cover_url: Schema.NullOr(Schema.String)
}) {}

/** The same as the staff sees it. Students see it from `published_at` on; null: it is a draft. */
export class ManagedRepository extends Schema.Class<ManagedRepository>("ManagedRepository")({
  id: RepositoryId,
  ...Repository.fields,
  published_at: Schema.NullOr(Schema.DateTimeUtcFromDate),
  created_at: Schema.DateTimeUtcFromDate
}) {}

const Title = text(1, 200)
const InstructorName = Schema.NullOr(text(1, 120))
const CoverUrl = Schema.NullOr(HttpsUrl)

/** A draft without files. `public_id` is generated unless it is sent. */
export const CreateRepository = Schema.Struct({
  title: Title,
  instructor_name: InstructorName.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  cover_url: CoverUrl.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  public_id: Schema.optionalKey(PublicId)
})

/** Absent is unchanged; null clears. */
export const RepositoryPatch = Schema.Struct({
  title: Schema.optionalKey(Title),
  instructor_name: Schema.optionalKey(InstructorName),
  cover_url: Schema.optionalKey(CoverUrl),
  public_id: Schema.optionalKey(PublicId)
})

/** How many repositories a club has at most, because a student gets all of theirs in one list. */
export const repositoryLimit = 1000

/** The club has `repositoryLimit` repositories. Deleted ones do not count. */
export class RepositoryLimitReached extends ApiError<RepositoryLimitReached>()("RepositoryLimitReached", {
  status: 409,
  code: "repository_limit_reached",
  message: `A club has at most ${repositoryLimit} repositories: delete one first`
}) {}
