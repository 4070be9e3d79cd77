import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { HttpsUrl } from "../../platform/http/HttpsUrl.ts"
import { text } from "../../platform/http/Text.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { PublicId } from "../content/PublicId.ts"

/** UUIDv7. */
export const RepositoryId = brandedId("RepositoryId")
export type RepositoryId = typeof RepositoryId.Type

const about = {
  public_id: "The repository's key in addresses of the classroom, unique among the club's repositories",
  title: "The repository's title",
  instructor_name: "The name to show beside the title as the author of the files",
  cover_url: "The https address of a picture to show beside the title"
}

const example = {
  public_id: "partituras",
  title: "Partituras para começar",
  instructor_name: "Pixinguinha",
  cover_url: "https://img.example.com/partituras.jpg"
}

/** A repository of files as students see it (contract, Repository). */
export class Repository extends Schema.Class<Repository>("Repository")(Schema.Struct({
  public_id: Schema.String.pipe(field(about.public_id, example.public_id)),
  title: Schema.String.pipe(field(about.title, example.title)),
  file_count: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(field("How many files are in it", 1)),
  instructor_name: Schema.NullOr(Schema.String)
    .pipe(field(`${about.instructor_name}; null: no name`, example.instructor_name)),
  cover_url: Schema.NullOr(Schema.String.annotate({ format: "uri" }))
    .pipe(field(`${about.cover_url}; null: no picture`, example.cover_url))
}).annotate({ description: "A repository of files as students see it" })) {}

/** The same as the staff sees it. */
export class ManagedRepository extends Schema.Class<ManagedRepository>("ManagedRepository")(Schema.Struct({
  id: RepositoryId.pipe(field("Names the repository on the dashboard's routes and as an item of deliveries")),
  ...Repository.fields,
  published_at: InstantOrNull
    .pipe(field("From when on students see it; a future time is a schedule. Null: it is a draft, which they never see")),
  created_at: Instant.pipe(field("When the repository was created"))
}).annotate({ description: "A repository of files as the staff sees it" })) {}

const Title = text(1, 200)
const InstructorName = Schema.NullOr(text(1, 120))
const CoverUrl = Schema.NullOr(HttpsUrl)

/** A draft without files. */
export const CreateRepository = Schema.Struct({
  title: Title.pipe(field(about.title, example.title)),
  instructor_name: Schema.optionalKey(InstructorName)
    .pipe(field(`${about.instructor_name}; null or absent: no name`, example.instructor_name)),
  cover_url: Schema.optionalKey(CoverUrl)
    .pipe(field(`${about.cover_url}; null or absent: no picture`, example.cover_url)),
  public_id: Schema.optionalKey(PublicId)
    .pipe(field(`${about.public_id}; 12 random letters and digits unless it is sent`, example.public_id))
})

/** Absent is unchanged; null clears. */
export const RepositoryPatch = Schema.Struct({
  title: Schema.optionalKey(Title).pipe(field(about.title, example.title)),
  instructor_name: Schema.optionalKey(InstructorName)
    .pipe(field(`${about.instructor_name}; null: no name`, example.instructor_name)),
  cover_url: Schema.optionalKey(CoverUrl).pipe(field(`${about.cover_url}; null: no picture`, example.cover_url)),
  public_id: Schema.optionalKey(PublicId)
    .pipe(field(`${about.public_id}. Addresses with the key before lead nowhere from then on`, example.public_id))
})

/** The most repositories that a club has, because a student gets all of theirs in one list. */
export const repositoryLimit = 1000

/** The club has `repositoryLimit` repositories. Deleted ones do not count. */
export class RepositoryLimitReached extends ApiError<RepositoryLimitReached>()("RepositoryLimitReached", {
  status: 409,
  code: "repository_limit_reached",
  message: {
    en: `A club has at most ${repositoryLimit} repositories: delete one first`,
    "pt-BR": "O clube chegou ao máximo de repositórios: exclua um antes."
  }
}) {}
