import { Schema } from "effect"

/** UUIDv7. */
export const MediaId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("MediaId"))
export type MediaId = typeof MediaId.Type

/** Of a folder of the library. UUIDv7. */
export const FolderId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("FolderId"))
export type FolderId = typeof FolderId.Type

/** The kind of content. */
export const MediaKind = Schema.Literals(["video", "image", "audio", "document", "file"])
export type MediaKind = typeof MediaKind.Type

/** Where the file is: in our storage, or with a provider of hosted videos. */
export const MediaProvider = Schema.Literals(["storage", "youtube", "vimeo", "panda", "bunny", "mux"])
export type MediaProvider = typeof MediaProvider.Type

/** `uploading` until the upload is confirmed; `failed` says why in `error`. */
export const MediaStatus = Schema.Literals(["uploading", "ready", "failed"])
export type MediaStatus = typeof MediaStatus.Type

/** What the staff uploads for: the library, whose media lessons and repositories show, or the mentorships. */
export const ClubPurpose = Schema.Literals(["library", "mentorship"])
export type ClubPurpose = typeof ClubPurpose.Type

/** What a student uploads for. */
export const StudentPurpose = Schema.Literals(["comment", "ask", "submission"])
export type StudentPurpose = typeof StudentPurpose.Type

/** What a file was uploaded for. */
export const MediaPurpose = Schema.Literals([...ClubPurpose.literals, ...StudentPurpose.literals])
export type MediaPurpose = typeof MediaPurpose.Type

/** A media record (contract, Media). */
export class Media extends Schema.Class<Media>("Media")({
  id: MediaId,
  kind: MediaKind,
  title: Schema.String,
  provider: MediaProvider,
  status: MediaStatus,
  visibility: Schema.Literals(["private", "public"]),
  archived: Schema.Boolean,
  created_at: Schema.DateTimeUtcFromDate,
  file_name: Schema.NullOr(Schema.String),
  mime: Schema.NullOr(Schema.String),
  size_bytes: Schema.NullOr(Schema.Int),
  external_id: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String),
  duration_seconds: Schema.NullOr(Schema.Int),
  width: Schema.NullOr(Schema.Int),
  height: Schema.NullOr(Schema.Int),
  preview_url: Schema.NullOr(Schema.String),
  thumbnail_url: Schema.NullOr(Schema.String),
  folder_id: Schema.NullOr(FolderId)
}) {}

/** A media record as something else embeds it (contract, Comment, `images`), with an address that may end. */
export const ShownMedia = Schema.Struct({
  kind: MediaKind,
  provider: MediaProvider,
  url: Schema.String,
  expires_at: Schema.NullOr(Schema.DateTimeUtcFromDate),
  signed: Schema.Boolean,
  thumbnail_url: Schema.NullOr(Schema.String),
  duration_seconds: Schema.NullOr(Schema.Int),
  title: Schema.String
}).annotate({ identifier: "ShownMedia" })
export type ShownMedia = typeof ShownMedia.Type
