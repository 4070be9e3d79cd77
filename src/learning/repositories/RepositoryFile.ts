import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { MediaId, MediaKind } from "../media/Media.ts"
import { Repository } from "./Repository.ts"

/** UUIDv7. */
export const RepositoryFileId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("RepositoryFileId"))
export type RepositoryFileId = typeof RepositoryFileId.Type

/** A file of a repository as students see it. */
export class RepositoryFile extends Schema.Class<RepositoryFile>("RepositoryFile")({
  id: RepositoryFileId,
  title: Schema.String,
  kind: MediaKind,
  mime: Schema.NullOr(Schema.String),
  size_bytes: Schema.NullOr(Schema.Int),
  file_name: Schema.NullOr(Schema.String)
}) {}

/** The same as the staff sees it. `position` orders the files of a repository, from 1, with gaps. */
export class ManagedFile extends Schema.Class<ManagedFile>("ManagedFile")({
  ...RepositoryFile.fields,
  media_id: MediaId,
  position: Schema.Int,
  created_at: Schema.DateTimeUtcFromDate
}) {}

/** A repository and its files in order. */
export class OpenedRepository extends Schema.Class<OpenedRepository>("OpenedRepository")({
  ...Repository.fields,
  files: Schema.Array(RepositoryFile)
}) {}

/**
 * A file of the club's library, after the other files of the repository. Its title is that of the media record unless
 * one is sent.
 */
export const CreateFile = Schema.Struct({
  media_id: sentId(MediaId),
  title: Schema.optionalKey(text(1, 200))
})

/** An address at which a file can be downloaded until it expires. Whoever has the address can use it. */
export const FileDownload = Schema.Struct({
  url: Schema.RedactedFromValue(Schema.String),
  expires_at: Schema.NullOr(Schema.DateTimeUtcFromDate)
}).annotate({ identifier: "FileDownload" })
export type FileDownload = typeof FileDownload.Type

/** How many files a repository has at most. */
export const fileLimit = 200

/** The repository has `fileLimit` files. */
export class FileLimitReached extends ApiError<FileLimitReached>()("FileLimitReached", {
  status: 409,
  code: "file_limit_reached",
  message: `A repository has at most ${fileLimit} files: take one away first`
}) {}
