import { Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { HttpsUrl } from "../../platform/http/HttpsUrl.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { isExternalId } from "./HostedProvider.ts"
import { FolderId, Media, StudentPurpose } from "./Media.ts"

/** The most characters of a title. */
const maxTitleLength = 200
const Title = text(1, maxTitleLength)

/** The title of a file that was sent without one: its name, as much of it as a title may have. */
export const titleOf = (file_name: string): string => Array.from(file_name).slice(0, maxTitleLength).join("")

const FileName = text(1, 255)
/** The limit of the column; each kind has a smaller one. */
const SizeBytes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 604_800 }))

const orNull = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const about = {
  title: "Its title in lists",
  folder_id: "The folder of the library for it; null or absent: no folder",
  duration_seconds: "How long it plays, in seconds, to be shown beside it",
  thumbnail_url: "A small still picture of it, an https address",
  preview_url: "A preview of it, an https address"
}

const example = {
  thumbnail_url: "https://img.example.com/respirar-small.jpg",
  preview_url: "https://img.example.com/respirar.jpg"
}

const file = {
  file_name: FileName.pipe(field("The name that it is saved under when it is downloaded", "respirar.png")),
  mime: text(0, 127).pipe(field(
    "Its media type, with which the upload is compared. Other names of a type count too, such as `image/jpg`. If it is empty or `application/octet-stream`, the end of `file_name` counts. A refusal lists the accepted types",
    "image/png"
  )),
  size_bytes: SizeBytes
    .pipe(field(
      "How large it is, in bytes, exactly. At most 20 MiB for an image, and another limit for each kind",
      482_133
    ))
}

/** A file that is going to be uploaded. */
export const CreateFile = Schema.Struct({
  ...file,
  title: Schema.optionalKey(Title)
    .pipe(field(`${about.title}; the first 200 characters of its name unless it is sent`, "Respirar"))
})

/** The same, into the library. */
const CreateUpload = Schema.Struct({
  ...CreateFile.fields,
  folder_id: orNull(sentId(FolderId)).pipe(field(about.folder_id))
})

const isOfProvider = Schema.makeFilter((
  { external_id, provider }: { readonly provider: HostedName; readonly external_id: string }
) => isExternalId(provider, external_id) ? undefined : { path: ["external_id"], issue: `an id of ${provider}` })

const HostedName = Schema.Literals(["youtube", "vimeo", "panda", "bunny", "mux"])
type HostedName = typeof HostedName.Type

const hosted = {
  title: Title.pipe(field(about.title, "Respirar")),
  duration_seconds: orNull(Seconds).pipe(field(`${about.duration_seconds}; at most a week`, 372)),
  thumbnail_url: orNull(HttpsUrl).pipe(field(about.thumbnail_url, example.thumbnail_url)),
  preview_url: orNull(HttpsUrl).pipe(field(about.preview_url, example.preview_url)),
  folder_id: orNull(sentId(FolderId)).pipe(field(about.folder_id))
}

/** A video that a provider shows, by the provider's id. */
export const CreateHosted = Schema.Struct({
  provider: HostedName.pipe(field("Who shows the video")),
  external_id: text(1, 255).pipe(field(
    "The provider's id of it. YouTube: the 11 characters. Vimeo: the number, with `/` and the hash if it is unlisted. Panda and Bunny: the library, `/` and the video. Mux: the playback id",
    "Fl4utaDoce0"
  )),
  kind: Schema.Literal("video").pipe(field("Providers show videos alone")),
  ...hosted
}).check(isOfProvider)

/** A video that a provider shows, by an address. */
export const CreateHostedAt = Schema.Struct({
  url: text(1, 2048).pipe(field(
    "Where the video is: its page, its player, a short address, or the code for embedding that the provider offers",
    "https://youtu.be/Fl4utaDoce0"
  )),
  kind: Schema.optionalKey(Schema.Literal("video")).pipe(field("Providers show videos alone")),
  ...hosted
})

/** A file that is going to be uploaded, or a hosted video. */
export const CreateMedia = Schema.Union([CreateUpload, CreateHosted, CreateHostedAt])

/** A student's upload and its purpose. */
export const CreateStudentMedia = Schema.Struct({
  ...file,
  purpose: StudentPurpose
    .pipe(field("Its later use: images for comments and questions; images, documents and videos for submissions"))
})

/** Absent is unchanged, null clears. */
export const MediaPatch = Schema.Struct({
  title: Schema.optionalKey(Title).pipe(field(about.title, "Respirar")),
  folder_id: Schema.optionalKey(Schema.NullOr(sentId(FolderId)))
    .pipe(field("The folder of the library for it; null takes it out of its folder")),
  archived: Schema.optionalKey(Schema.Boolean)
    .pipe(field("True if it is archived: lists omit it unless asked for, and content that shows it keeps showing it")),
  favorite: Schema.optionalKey(Schema.Boolean).pipe(field("A mark of the staff's, to narrow lists by")),
  visibility: Schema.optionalKey(Schema.Literals(["private", "public"]))
    .pipe(field("A mark of the staff's. It opens nothing: files are reached by addresses that end")),
  duration_seconds: Schema.optionalKey(Schema.NullOr(Seconds))
    .pipe(field(`${about.duration_seconds}; at most a week`, 372)),
  thumbnail_url: Schema.optionalKey(Schema.NullOr(HttpsUrl)).pipe(field(about.thumbnail_url, example.thumbnail_url)),
  preview_url: Schema.optionalKey(Schema.NullOr(HttpsUrl)).pipe(field(about.preview_url, example.preview_url))
})

/** An address that anyone can use. */
export const SecretUrl = Schema.RedactedFromValue(Schema.String.annotate({ format: "uri" }))

/** One request sends the file. */
export const UploadTicket = Schema.Struct({
  method: Schema.Literal("PUT").pipe(field("The method of the request")),
  url: SecretUrl.pipe(field(
    "Where it goes. Anyone with the address can send the file; another size or type is refused",
    "https://files.example.com/3f/3f9c2a7d51e84b06?signature=k3J9"
  )),
  headers: Schema.Record(Schema.String, Schema.String)
    .pipe(field("The headers that the request has to have, besides those that every client sends", {
      "content-type": "image/png"
    })),
  expires_at: Instant.pipe(field("When the address ends, 15 minutes after this answer"))
}).annotate({ identifier: "MediaUpload", description: "How a file is sent: in one request, as its whole body" })

/** A new record of a file that is going to be uploaded. */
export const StartedUpload = Schema.Struct({
  media: Media.pipe(field("The new record, `uploading` until it is completed")),
  upload: UploadTicket.pipe(field("How the file is sent"))
})
export type StartedUpload = typeof StartedUpload.Type

/** A new record. */
export const StartedMedia = Schema.Struct({
  media: Media
    .pipe(field("The new record: of a file `uploading` until it is completed, of a provider's video `ready`")),
  upload: Schema.NullOr(UploadTicket).pipe(field("How the file is sent; null for a provider's video"))
})
export type StartedMedia = typeof StartedMedia.Type

/** A flag in a query; false if it is absent. */
export const falseByDefault = Schema.Literals(["true", "false"])
  .pipe(Schema.withDecodingDefaultKey(Effect.succeed("false" as const)))

/** How the browser treats the file. */
export const DownloadQuery = {
  inline: falseByDefault
    .pipe(field("`true`: a browser shows images, videos, sound and PDF, instead of saving them as it does unless this is sent"))
}

/** An address of the file. */
export const MediaDownload = Schema.Struct({
  url: SecretUrl.pipe(field(
    "Where the file is, or the provider's page of the video. Anyone with the address can open it",
    "https://files.example.com/3f/3f9c2a7d51e84b06?signature=k3J9"
  )),
  expires_at: InstantOrNull
    .pipe(field("When the address ends, an hour after this answer; null with a provider, whose address stays")),
  signed: Schema.Boolean.pipe(field("True if the address is signed, so it expires"))
})
export type MediaDownload = typeof MediaDownload.Type

/** Files of this type are not accepted, or not for this purpose. The message lists those that are. */
export class MimeNotAllowed extends ApiError<MimeNotAllowed>()("MimeNotAllowed", {
  status: 422,
  code: "mime_not_allowed",
  message: {
    en: "mime must be a type that is accepted here",
    "pt-BR": "Arquivos deste tipo não são aceitos aqui."
  }
}) {}

/** The message says how many bytes files of this type may have. */
export class SizeTooLarge extends ApiError<SizeTooLarge>()("SizeTooLarge", {
  status: 422,
  code: "size_too_large",
  message: {
    en: "size_bytes must be fewer bytes",
    "pt-BR": "O arquivo é grande demais."
  }
}) {}

/** This student has too many uploads that nothing uses, or too many bytes in them. */
export class TooManyUploads extends ApiError<TooManyUploads>()("TooManyUploads", {
  status: 409,
  code: "too_many_uploads",
  message: {
    en: "50 uploads, or 500 MiB, are unused: use them, or wait until they are deleted",
    "pt-BR": "Há envios demais sem uso: use-os ou espere até serem apagados."
  }
}) {}

/**
 * The club or the student keeps as much as `STORAGE_QUOTA_CLUB` or `STORAGE_QUOTA_STUDENT` allows, announced uploads
 * included.
 */
export class StorageQuotaReached extends ApiError<StorageQuotaReached>()("StorageQuotaReached", {
  status: 409,
  code: "storage_quota_reached",
  message: {
    en: "There is no room for a file of this size: delete files to make room",
    "pt-BR": "Não há espaço para um arquivo deste tamanho: exclua outros."
  }
}) {}

/** No complete file has been uploaded. */
export class UploadNotFound extends ApiError<UploadNotFound>()("UploadNotFound", {
  status: 409,
  code: "upload_not_found",
  message: {
    en: "The file has not been uploaded: send it to the address of the upload first",
    "pt-BR": "O arquivo ainda não foi enviado."
  }
}) {}

/** The uploaded file differs from the announced one. The message names the difference. */
export class UploadMismatch extends ApiError<UploadMismatch>()("UploadMismatch", {
  status: 422,
  code: "upload_mismatch",
  message: {
    en: "The uploaded file is not what was announced: begin a new upload with its own mime and size_bytes",
    "pt-BR": "O arquivo enviado é diferente do anunciado: comece outro envio."
  }
}) {}

/** There is no file to open yet. */
export class MediaNotReady extends ApiError<MediaNotReady>()("MediaNotReady", {
  status: 409,
  code: "media_not_ready",
  message: {
    en: "The file has not been uploaded and confirmed: do that first",
    "pt-BR": "O arquivo ainda não foi enviado e confirmado: faça isso antes."
  }
}) {}

/** A lesson, a repository or something else refers to the record. It can be archived instead. */
export class MediaInUse extends ApiError<MediaInUse>()("MediaInUse", {
  status: 409,
  code: "media_in_use",
  message: {
    en: "Something refers to the media record: archive it instead",
    "pt-BR": "Este arquivo está em uso: em vez de excluir, arquive."
  }
}) {}
