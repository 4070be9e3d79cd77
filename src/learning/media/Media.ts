import { Schema } from "effect"
import { field } from "../../platform/http/Field.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"

/** UUIDv7. */
export const MediaId = brandedId("MediaId")
export type MediaId = typeof MediaId.Type

/** The id of a folder of the library. UUIDv7. */
export const FolderId = brandedId("FolderId")
export type FolderId = typeof FolderId.Type

/** The kind of content. */
export const MediaKind = Schema.Literals(["video", "image", "audio", "document", "file"])
export type MediaKind = typeof MediaKind.Type

/** The place of the file: our storage, or a provider of hosted videos. */
export const MediaProvider = Schema.Literals(["storage", "youtube", "vimeo", "panda", "bunny", "mux"])
export type MediaProvider = typeof MediaProvider.Type

/** `uploading` until the upload is confirmed; `failed` says why in `error`. */
export const MediaStatus = Schema.Literals(["uploading", "ready", "failed"])
export type MediaStatus = typeof MediaStatus.Type

/** The purposes of the staff's uploads: the library, whose media lessons and repositories show, or the mentorships. */
export const ClubPurpose = Schema.Literals(["library", "mentorship"])
export type ClubPurpose = typeof ClubPurpose.Type

/** The purposes of a student's uploads. */
export const StudentPurpose = Schema.Literals(["comment", "ask", "submission"])
export type StudentPurpose = typeof StudentPurpose.Type

/** The purpose of a file. */
export const MediaPurpose = Schema.Literals([...ClubPurpose.literals, ...StudentPurpose.literals])
export type MediaPurpose = typeof MediaPurpose.Type

/** An address in an answer. */
const Url = Schema.String.annotate({ format: "uri" })
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const AtLeastOne = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** The fields of files and videos in all answers. */
export const mediaFields = {
  kind: MediaKind.pipe(field("The kind of media: a file's type decides it; a provider's is always a `video`", "image")),
  file_name: Schema.NullOr(Schema.String)
    .pipe(field("The name that the file was announced with; null with a provider", "respirar.png")),
  mime: Schema.NullOr(Schema.String)
    .pipe(field("The media type that the file was announced with; null with a provider", "image/png")),
  size_bytes: Schema.NullOr(AtLeastOne).pipe(field("How large the file is, in bytes; null with a provider", 482_133)),
  duration_seconds: Schema.NullOr(Count)
    .pipe(field("How long it plays, in seconds, as the staff says; null if nobody said so", null, 372)),
  width: Schema.NullOr(AtLeastOne)
    .pipe(field("Of an image, in pixels; null for everything else, and where the file does not tell", 1280)),
  height: Schema.NullOr(AtLeastOne)
    .pipe(field("Of an image, in pixels; null for everything else, and where the file does not tell", 720)),
  thumbnail_url: Schema.NullOr(Url).pipe(field(
    "A small still picture of it, as the staff says; null if nobody said so",
    "https://img.example.com/respirar-small.jpg"
  ))
}

const provider = MediaProvider
  .pipe(field("Where it is: in the platform's `storage`, or with a provider of hosted videos", "storage"))

/** A media record (contract, Media). */
export const Media = Schema.Struct({
  id: MediaId.pipe(field("Names the record on routes, and where something attaches or shows it")),
  kind: mediaFields.kind,
  title: Schema.String.pipe(field("Its title; a file has its name until the staff changes it", "Respirar")),
  provider,
  status: MediaStatus.pipe(field(
    "`uploading` until the upload is confirmed, then `ready`; `failed` if what came is not what was announced. Only what is ready can be shown",
    "ready"
  )),
  visibility: Schema.Literals(["private", "public"])
    .pipe(field("A mark that the staff sets, `private` at first. It opens nothing: files are reached by addresses that end")),
  archived: Schema.Boolean
    .pipe(field(
      "True if it is archived: lists omit it unless asked for, and content that shows it keeps showing it",
      false
    )),
  created_at: Instant.pipe(field("When the upload began, or the provider's video was added")),
  file_name: mediaFields.file_name,
  mime: mediaFields.mime,
  size_bytes: mediaFields.size_bytes,
  external_id: Schema.NullOr(Schema.String)
    .pipe(field("The provider's own id of the video; null for a file", null, "Fl4utaDoce0")),
  error: Schema.NullOr(Schema.String).pipe(field(
    "How the file differs from what was announced; null unless the upload has failed",
    null,
    "expected 482133 bytes, found 482130"
  )),
  duration_seconds: mediaFields.duration_seconds,
  width: mediaFields.width,
  height: mediaFields.height,
  preview_url: Schema.NullOr(Url)
    .pipe(field("A preview of it, as the staff says; null if nobody said so", "https://img.example.com/respirar.jpg")),
  thumbnail_url: mediaFields.thumbnail_url,
  folder_id: Schema.NullOr(FolderId).pipe(field("The folder of the library that it is in; null: no folder", null))
}).annotate({ identifier: "Media", description: "A file that was uploaded, or a video that a provider shows" })
export type Media = typeof Media.Type

/** A media record as something else embeds it (contract, Comment, `images`), with an address that may end. */
export const ShownMedia = Schema.Struct({
  kind: mediaFields.kind,
  provider,
  url: Url.pipe(field(
    "Where it can be opened: the file itself, or the provider's page of the video. Anyone with it can open it",
    "https://files.example.com/3f/3f9c2a7d51e84b06?signature=k3J9"
  )),
  expires_at: InstantOrNull
    .pipe(field("When the address ends, an hour after this answer; null with a provider, whose address stays")),
  signed: Schema.Boolean.pipe(field("True if the address is signed, so it expires")),
  thumbnail_url: mediaFields.thumbnail_url,
  duration_seconds: mediaFields.duration_seconds,
  mime: mediaFields.mime,
  size_bytes: mediaFields.size_bytes,
  width: mediaFields.width,
  height: mediaFields.height,
  title: Schema.String.pipe(field("What it is called", "Respirar"))
}).annotate({ identifier: "ShownMedia", description: "A media record where it is shown, with an address to open it" })
export type ShownMedia = typeof ShownMedia.Type
