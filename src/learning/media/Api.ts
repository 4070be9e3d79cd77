import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AllowedRoles,
  ClubMember,
  clubPath,
  ClubStudent,
  contentStaff
} from "../../identity/authentication/Authentication.ts"
import { ClubWrites, StudentWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound, StorageFull, UploadCompleted, UploadInPartsUnavailable } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { anyText, sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { VideoAddressUnknown } from "./HostedAddress.ts"
import { FolderId, Media, MediaId, MediaKind } from "./Media.ts"
import { CreateFolder, FolderInUse, FolderPatch, FolderUnknown, MediaFolder } from "./MediaFolder.ts"
import {
  CreateMedia,
  CreateStudentMedia,
  DownloadQuery,
  falseByDefault,
  MediaDownload,
  MediaInUse,
  MediaNotReady,
  MediaPatch,
  MimeNotAllowed,
  SizeTooLarge,
  StartedMedia,
  StorageQuotaReached,
  TooManyUploads,
  UploadMismatch,
  UploadNotFound
} from "./Upload.ts"
import { UploadParts } from "./UploadParts.ts"

const media = { ...clubPath, mediaId: sentId(MediaId).pipe(field("The `id` of a media record of the library")) }
const upload = {
  ...clubPath,
  mediaId: sentId(MediaId).pipe(field("The `id` of a media record whose upload the student began"))
}
const folder = { ...clubPath, folderId: sentId(FolderId).pipe(field("The `id` of a folder of the library")) }

const oneMedia = "/media/:mediaId"
const oneFolder = "/media-folders/:folderId"

const MediaFilter = {
  search: Schema.optionalKey(anyText(1, 100))
    .pipe(field(
      "Words, of 1 to 100 characters in all: each is in the title or the file's name, whatever its case",
      "aula 1"
    )),
  kind: Schema.optionalKey(MediaKind).pipe(field("Only media of this kind")),
  folder_id: Schema.optionalKey(sentId(FolderId)).pipe(field("Only what is in this folder")),
  archived: falseByDefault
    .pipe(field("`true`: only what is archived. Unless it is sent, or with `false`: only what is not")),
  favorite: Schema.optionalKey(Schema.Literals(["true", "false"]))
    .pipe(field("Only what is marked as a favorite, or only what is not"))
}

/** The media of a club: files that it uploads, and videos that a provider has. */
export class MediaApi extends HttpApiGroup.make("media")
  .add(
    HttpApiEndpoint.get("list", "/media", {
      params: clubPath,
      query: { ...PageQuery, ...MediaFilter },
      success: Page(Media),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the media",
      "Newest first: those of the library. It omits students' uploads and mentorship files. A page with search looks at 2000 of them at most. It may be short, even empty, and still have a next_cursor to continue from"
    )),
    HttpApiEndpoint.post("create", "/media", {
      params: clubPath,
      payload: CreateMedia,
      success: Data(StartedMedia).pipe(HttpApiSchema.status(201)),
      error: [FolderUnknown, MimeNotAllowed, SizeTooLarge, StorageQuotaReached, VideoAddressUnknown]
    }).annotateMerge(described(
      "Begin an upload, or add a provider's video",
      "A file is sent as `upload` says within 15 minutes, and then completed; one that is not completed within a day is deleted. Images (PNG, JPEG, GIF, WebP) have at most 20 MiB. Documents (PDF, office, EPUB, plain text, CSV, Markdown) have at most 200 MiB, and ZIP files 1 GiB. MP3, MP4, Ogg, WAV, WebM and QuickTime have at most 5 GiB. Other types are refused. It counts for the club's room in storage from here on. A provider's video is named by its address, or by provider and id. It is ready at once, and its `upload` is null"
    )).annotate(AllowedRoles, contentStaff).middleware(Idempotent).middleware(NoStore),
    HttpApiEndpoint.get("get", oneMedia, { params: media, success: Data(Media), error: NotFound })
      .annotateMerge(described(
        "Read a media record",
        "It holds no address of the file: that is a route of its own, since it ends"
      )),
    HttpApiEndpoint.patch("update", oneMedia, {
      params: media,
      payload: MediaPatch,
      success: Data(Media),
      error: [FolderUnknown, NotFound]
    }).annotateMerge(described(
      "Change, move, archive or bring back a media record",
      "Omitted fields keep their values, and null clears. The file itself is never replaced. Everything that shows the record shows the change at once"
    )).annotate(
      AllowedRoles,
      contentStaff
    ),
    HttpApiEndpoint.delete("remove", oneMedia, {
      params: media,
      success: HttpApiSchema.NoContent,
      error: [MediaInUse, NotFound]
    }).annotateMerge(described(
      "Delete a media record that nothing refers to, with its file",
      "Refused while a lesson, a repository or something else refers to it. The file is deleted within moments. It cannot be undone"
    )).annotate(
      AllowedRoles,
      contentStaff
    ),
    HttpApiEndpoint.post("resume", `${oneMedia}/upload`, {
      params: media,
      success: Data(UploadParts),
      error: [NotFound, StorageFull, UploadCompleted, UploadInPartsUnavailable]
    }).annotateMerge(described(
      "Begin or go on with an upload in parts",
      "Instead of one request as `upload` says: asked for at the beginning and after every break. Send what is missing, in any order, and complete it when nothing is. Parts that have arrived stay until the upload is a day old"
    )).annotate(AllowedRoles, contentStaff).middleware(NoStore),
    HttpApiEndpoint.post("complete", `${oneMedia}/complete`, {
      params: media,
      success: Data(Media),
      error: [NotFound, StorageFull, UploadMismatch, UploadNotFound]
    }).annotateMerge(described(
      "Confirm that the file has been sent",
      "Storage is asked for it: its size and its first bytes are compared with what was announced. A file that differs fails for good and is deleted. Repeating answers the same. The assistant reads a PDF file once a lesson shows it"
    )).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("download", `${oneMedia}/download`, {
      params: media,
      query: DownloadQuery,
      success: Data(MediaDownload),
      error: [MediaNotReady, NotFound]
    }).annotateMerge(described(
      "Get an address of the file",
      "Of a file in storage one that ends after an hour, of a provider's video the page that shows it. Anyone with the address can open it"
    )).middleware(NoStore)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "media")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Media")
  .annotate(OpenApi.Description, "Files that a club uploads, and videos that it shows from a provider")
{}

/** The folders of the library. */
export class MediaFoldersApi extends HttpApiGroup.make("mediaFolders")
  .add(
    HttpApiEndpoint.get("list", "/media-folders", {
      params: clubPath,
      query: PageQuery,
      success: Page(MediaFolder),
      error: InvalidCursor
    }).annotateMerge(described("List the media folders", "Oldest first")),
    HttpApiEndpoint.post("create", "/media-folders", {
      params: clubPath,
      payload: CreateFolder,
      success: Data(MediaFolder).pipe(HttpApiSchema.status(201))
    }).annotateMerge(described("Create a media folder", "It is empty. Media enter it by their `folder_id`")).annotate(
      AllowedRoles,
      contentStaff
    ).middleware(Idempotent),
    HttpApiEndpoint.get("get", oneFolder, { params: folder, success: Data(MediaFolder), error: NotFound })
      .annotateMerge(described("Read a media folder", "List the media with its `folder_id` to see its content")),
    HttpApiEndpoint.patch("update", oneFolder, {
      params: folder,
      payload: FolderPatch,
      success: Data(MediaFolder),
      error: NotFound
    }).annotateMerge(described("Rename a media folder", "Its media stay in it"))
      .annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("remove", oneFolder, {
      params: folder,
      success: HttpApiSchema.NoContent,
      error: [FolderInUse, NotFound]
    }).annotateMerge(described(
      "Delete an empty media folder",
      "Refused while media are in it, archived ones too. It cannot be undone"
    )).annotate(AllowedRoles, contentStaff)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "media")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Media folders")
  .annotate(OpenApi.Description, "Folders for a club's media")
{}

/** The uploads of students, for their comments, questions and submissions. */
export class ClassroomMediaApi extends HttpApiGroup.make("classroomMedia")
  .add(
    HttpApiEndpoint.post("create", "/classroom/media", {
      params: clubPath,
      payload: CreateStudentMedia,
      success: Data(StartedMedia).pipe(HttpApiSchema.status(201)),
      error: [MimeNotAllowed, NotFound, SizeTooLarge, StorageQuotaReached, StudentRemoved, TooManyUploads]
    }).annotateMerge(described(
      "Begin an upload",
      "The file is sent as `upload` says within 15 minutes, and then completed; one that is not completed within a day is deleted. For comments and questions: images of at most 10 MiB. For submissions: documents and videos of at most 100 MiB, images of at most 20 MiB. A student has at most 50 uploads, or 500 MiB of them, that nothing uses; what nothing has used for a week is deleted"
    )).middleware(Idempotent).middleware(NoStore),
    HttpApiEndpoint.post("resume", "/classroom/media/:mediaId/upload", {
      params: upload,
      success: Data(UploadParts),
      error: [NotFound, StorageFull, UploadCompleted, UploadInPartsUnavailable]
    }).annotateMerge(described("Begin or go on with one's upload in parts", "As with the uploads of the staff"))
      .middleware(NoStore),
    HttpApiEndpoint.post("complete", "/classroom/media/:mediaId/complete", {
      params: upload,
      success: Data(Media),
      error: [NotFound, StorageFull, StudentRemoved, UploadMismatch, UploadNotFound]
    }).annotateMerge(described(
      "Confirm that the upload has been sent",
      "Storage is asked for it: its size and its first bytes are compared with what was announced. A file that differs fails for good and is deleted. Repeating answers the same"
    ))
  )
  .middleware(StudentWrites)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Media in the classroom")
  .annotate(OpenApi.Description, "Students' uploads for their comments, questions and submissions")
{}
