import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { Position } from "../content/Position.ts"
import { mediaFields, MediaId } from "../media/Media.ts"
import { Repository } from "./Repository.ts"

/** UUIDv7. */
export const RepositoryFileId = brandedId("RepositoryFileId")
export type RepositoryFileId = typeof RepositoryFileId.Type

/** A file of a repository as students see it. */
export class RepositoryFile extends Schema.Class<RepositoryFile>("RepositoryFile")(Schema.Struct({
  id: RepositoryFileId.pipe(field("Names the file in its repository; the media record behind it has an id of its own")),
  title: Schema.String.pipe(field("The file's title in this repository", "Escala de dó maior")),
  kind: mediaFields.kind,
  mime: mediaFields.mime,
  size_bytes: mediaFields.size_bytes,
  file_name: mediaFields.file_name
}).annotate({ description: "A file of a repository as students see it" })) {}

/** The same as the staff sees it. */
export class ManagedFile extends Schema.Class<ManagedFile>("ManagedFile")(Schema.Struct({
  ...RepositoryFile.fields,
  media_id: MediaId.pipe(field("The media record of the library that the file is")),
  position: Position.pipe(field("Orders the files of the repository, the lowest first; there may be gaps", 1)),
  created_at: Instant.pipe(field("When the file was added to the repository"))
}).annotate({ description: "A file of a repository as the staff sees it" })) {}

/** A repository and its files in order. */
export class OpenedRepository extends Schema.Class<OpenedRepository>("OpenedRepository")(Schema.Struct({
  ...Repository.fields,
  files: Schema.Array(RepositoryFile).pipe(field("All its files, in the order that the staff gave them"))
}).annotate({ description: "A repository as students open it, with its files" })) {}

/** A file of the club's library, after the other files of the repository. */
export const CreateFile = Schema.Struct({
  media_id: sentId(MediaId)
    .pipe(field("A media record of the library whose upload was confirmed; a provider's video cannot be downloaded")),
  title: Schema.optionalKey(text(1, 200)).pipe(field(
    "The file's title in this repository; the media record's title if absent",
    "Escala de dó maior"
  ))
})

/** An address at which a file can be downloaded until it expires. */
export const FileDownload = Schema.Struct({
  url: Schema.RedactedFromValue(Schema.String.annotate({ format: "uri" })).pipe(field(
    "Where the file is. A browser saves it, or shows it if that was asked for. Anyone with the address can use it",
    "https://files.example.com/3f/3f9c2a7d51e84b06?signature=k3J9"
  )),
  expires_at: InstantOrNull
    .pipe(field("When the address ends, an hour after this answer; null for one that does not end"))
}).annotate({ identifier: "FileDownload", description: "An address to download a file from" })
export type FileDownload = typeof FileDownload.Type

/** The most files of a repository. */
export const fileLimit = 200

/** The repository has `fileLimit` files. */
export class FileLimitReached extends ApiError<FileLimitReached>()("FileLimitReached", {
  status: 409,
  code: "file_limit_reached",
  message: {
    en: `A repository has at most ${fileLimit} files: remove one first`,
    "pt-BR": "O repositório chegou ao máximo de arquivos: remova um antes."
  }
}) {}
