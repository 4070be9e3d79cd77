import { Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { HttpsUrl } from "../../platform/http/HttpsUrl.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { isExternalId } from "./HostedProvider.ts"
import { FolderId, Media, StudentPurpose } from "./Media.ts"

/** How many characters a title has at most. */
const maxTitleLength = 200
const Title = text(1, maxTitleLength)

/** The title of a file that was sent without one: its name, as much of it as a title may have. */
export const titleOf = (file_name: string): string => Array.from(file_name).slice(0, maxTitleLength).join("")

const FileName = text(1, 255)
/** The limit of the column; each kind has a smaller one. */
const SizeBytes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 604_800 }))

const nullByDefault = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

const file = { file_name: FileName, mime: text(1, 127), size_bytes: SizeBytes }

/** A file that is going to be uploaded. Its title is its name unless said otherwise. */
export const CreateFile = Schema.Struct({ ...file, title: Schema.optionalKey(Title) })

/** The same, into the library. */
const CreateUpload = Schema.Struct({ ...CreateFile.fields, folder_id: nullByDefault(sentId(FolderId)) })

const isOfProvider = Schema.makeFilter(
  ({ external_id, provider }: { readonly provider: HostedName; readonly external_id: string }) =>
    isExternalId(provider, external_id) ? undefined : { path: ["external_id"], issue: `an id of ${provider}` }
)

const HostedName = Schema.Literals(["youtube", "vimeo", "panda", "bunny", "mux"])
type HostedName = typeof HostedName.Type

/** A video that a provider shows. `external_id` is the provider's. */
export const CreateHosted = Schema.Struct({
  provider: HostedName,
  external_id: text(1, 255),
  kind: Schema.Literal("video"),
  title: Title,
  duration_seconds: nullByDefault(Seconds),
  thumbnail_url: nullByDefault(HttpsUrl),
  preview_url: nullByDefault(HttpsUrl),
  folder_id: nullByDefault(sentId(FolderId))
}).check(isOfProvider)

/** A file that is going to be uploaded, or a hosted video. */
export const CreateMedia = Schema.Union([CreateUpload, CreateHosted])

/** What a student uploads, and what for. */
export const CreateStudentMedia = Schema.Struct({
  ...file,
  purpose: StudentPurpose
})

/** Absent is unchanged, null clears. */
export const MediaPatch = Schema.Struct({
  title: Schema.optionalKey(Title),
  folder_id: Schema.optionalKey(Schema.NullOr(sentId(FolderId))),
  archived: Schema.optionalKey(Schema.Boolean),
  favorite: Schema.optionalKey(Schema.Boolean),
  visibility: Schema.optionalKey(Schema.Literals(["private", "public"])),
  duration_seconds: Schema.optionalKey(Schema.NullOr(Seconds)),
  thumbnail_url: Schema.optionalKey(Schema.NullOr(HttpsUrl)),
  preview_url: Schema.optionalKey(Schema.NullOr(HttpsUrl))
})

/** How the file is sent: one request with this method, these headers and the file as its body, before `expires_at`. */
export const UploadTicket = Schema.Struct({
  method: Schema.Literal("PUT"),
  url: Schema.RedactedFromValue(Schema.String),
  headers: Schema.Record(Schema.String, Schema.String),
  expires_at: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "MediaUpload" })

/** A new record of a file that is going to be uploaded. */
export const StartedUpload = Schema.Struct({ media: Media, upload: UploadTicket })
export type StartedUpload = typeof StartedUpload.Type

/** A new record; `upload` is null where there is nothing to upload. */
export const StartedMedia = Schema.Struct({ media: Media, upload: Schema.NullOr(UploadTicket) })
export type StartedMedia = typeof StartedMedia.Type

/** A flag in a query; false where it is absent. */
export const falseByDefault = Schema.Literals(["true", "false"]).pipe(
  Schema.withDecodingDefaultKey(Effect.succeed("false" as const))
)

/** `inline=true`: to be shown by the browser, where it can be, instead of being saved. */
export const DownloadQuery = { inline: falseByDefault }

/** An address of the file. With a provider it does not end. */
export const MediaDownload = Schema.Struct({
  url: Schema.RedactedFromValue(Schema.String),
  expires_at: Schema.NullOr(Schema.DateTimeUtcFromDate),
  signed: Schema.Boolean
})
export type MediaDownload = typeof MediaDownload.Type

/** Files of this type are not accepted, or not for this purpose. */
export class MimeNotAllowed extends ApiError<MimeNotAllowed>()("MimeNotAllowed", {
  status: 422,
  code: "mime_not_allowed",
  message: "mime must be a type that is taken here"
}) {}

/** The message says how many bytes files of this type may have. */
export class SizeTooLarge extends ApiError<SizeTooLarge>()("SizeTooLarge", {
  status: 422,
  code: "size_too_large",
  message: "size_bytes must be fewer bytes"
}) {}

/** This student has too many uploads that nothing uses, or too many bytes in them. */
export class TooManyUploads extends ApiError<TooManyUploads>()("TooManyUploads", {
  status: 409,
  code: "too_many_uploads",
  message: "There are 50 uploads, or 500 MiB of them, that nothing uses: use them, or wait until they are deleted"
}) {}

/**
 * The club or the student keeps as much as `STORAGE_QUOTA_CLUB` or `STORAGE_QUOTA_STUDENT` allows, announced uploads
 * included.
 */
export class StorageQuotaReached extends ApiError<StorageQuotaReached>()("StorageQuotaReached", {
  status: 409,
  code: "storage_quota_reached",
  message: "There is no room for a file of this size: delete files to make room"
}) {}

/** No complete file has been uploaded. */
export class UploadNotFound extends ApiError<UploadNotFound>()("UploadNotFound", {
  status: 409,
  code: "upload_not_found",
  message: "The file has not been uploaded: send it to the address of the upload first"
}) {}

/** The uploaded file is not what was announced. The message says in what. */
export class UploadMismatch extends ApiError<UploadMismatch>()("UploadMismatch", {
  status: 422,
  code: "upload_mismatch",
  message: "The uploaded file is not what was announced: begin a new upload with its own mime and size_bytes"
}) {}

/** There is no file to open yet. */
export class MediaNotReady extends ApiError<MediaNotReady>()("MediaNotReady", {
  status: 409,
  code: "media_not_ready",
  message: "The file has not been uploaded and confirmed: do that first"
}) {}

/** A lesson, a repository or something else refers to the record. It can be archived instead. */
export class MediaInUse extends ApiError<MediaInUse>()("MediaInUse", {
  status: 409,
  code: "media_in_use",
  message: "Something refers to the media record: archive it instead"
}) {}
