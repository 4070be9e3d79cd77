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
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { NotFound, StorageFull } from "../../platform/http/errors.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { CreateFolder, FolderInUse, FolderPatch, FolderUnknown, MediaFolder } from "./Folder.ts"
import { FolderId, Media, MediaId, MediaKind } from "./Media.ts"
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

const media = { ...clubPath, mediaId: sentId(MediaId) }
const folder = { ...clubPath, folderId: sentId(FolderId) }

const oneMedia = "/media/:mediaId"
const oneFolder = "/media-folders/:folderId"

const MediaFilter = {
  kind: Schema.optionalKey(MediaKind),
  folder_id: Schema.optionalKey(sentId(FolderId)),
  archived: falseByDefault,
  favorite: Schema.optionalKey(Schema.Literals(["true", "false"]))
}

/** What a club shows: files that it uploads, and videos that a provider has. */
export class MediaApi extends HttpApiGroup.make("media")
  .add(
    HttpApiEndpoint.get("list", "/media", {
      params: clubPath,
      query: { ...PageQuery, ...MediaFilter },
      success: Page(Media),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "List the media").annotate(
      OpenApi.Description,
      "Newest first. With archived=true the archived ones alone, otherwise all others"
    ),
    HttpApiEndpoint.post("create", "/media", {
      params: clubPath,
      payload: CreateMedia,
      success: Data(StartedMedia).pipe(HttpApiSchema.status(201)),
      error: [FolderUnknown, MimeNotAllowed, SizeTooLarge, StorageQuotaReached]
    }).annotate(OpenApi.Summary, "Begin an upload, or add a provider's video").annotate(
      OpenApi.Description,
      "A file is sent as `upload` says within 15 minutes, and then completed. One that is not completed within a day is deleted. A provider's video is ready at once, and its `upload` is null"
    ).annotate(AllowedRoles, contentStaff).middleware(Idempotent).middleware(NoStore),
    HttpApiEndpoint.get("get", oneMedia, { params: media, success: Data(Media), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read a media record"
    ),
    HttpApiEndpoint.patch("update", oneMedia, {
      params: media,
      payload: MediaPatch,
      success: Data(Media),
      error: [FolderUnknown, NotFound]
    }).annotate(OpenApi.Summary, "Change, move, archive or bring back a media record").annotate(
      AllowedRoles,
      contentStaff
    ),
    HttpApiEndpoint.delete("remove", oneMedia, {
      params: media,
      success: HttpApiSchema.NoContent,
      error: [MediaInUse, NotFound]
    }).annotate(OpenApi.Summary, "Delete a media record that nothing refers to, with its file").annotate(
      AllowedRoles,
      contentStaff
    ),
    HttpApiEndpoint.post("complete", `${oneMedia}/complete`, {
      params: media,
      success: Data(Media),
      error: [NotFound, StorageFull, UploadMismatch, UploadNotFound]
    }).annotate(OpenApi.Summary, "Confirm that the file has been sent").annotate(
      OpenApi.Description,
      "Its size and its first bytes are compared with what was announced. Repeating answers the same"
    ).annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.get("download", `${oneMedia}/download`, {
      params: media,
      query: DownloadQuery,
      success: Data(MediaDownload),
      error: [MediaNotReady, NotFound]
    }).annotate(OpenApi.Summary, "Get an address of the file").annotate(
      OpenApi.Description,
      "Ours ends after an hour. With inline=true a browser shows images, videos, sound and PDF instead of saving them"
    ).middleware(NoStore)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Media")
  .annotate(OpenApi.Description, "Files that a club uploads, and videos that it shows from a provider")
{}

/** Where the media of the library are put. */
export class MediaFoldersApi extends HttpApiGroup.make("mediaFolders")
  .add(
    HttpApiEndpoint.get("list", "/media-folders", {
      params: clubPath,
      query: PageQuery,
      success: Page(MediaFolder),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "List the media folders"),
    HttpApiEndpoint.post("create", "/media-folders", {
      params: clubPath,
      payload: CreateFolder,
      success: Data(MediaFolder).pipe(HttpApiSchema.status(201))
    }).annotate(OpenApi.Summary, "Create a media folder").annotate(AllowedRoles, contentStaff).middleware(Idempotent),
    HttpApiEndpoint.get("get", oneFolder, { params: folder, success: Data(MediaFolder), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read a media folder"
    ),
    HttpApiEndpoint.patch("update", oneFolder, {
      params: folder,
      payload: FolderPatch,
      success: Data(MediaFolder),
      error: NotFound
    }).annotate(OpenApi.Summary, "Rename a media folder").annotate(AllowedRoles, contentStaff),
    HttpApiEndpoint.delete("remove", oneFolder, {
      params: folder,
      success: HttpApiSchema.NoContent,
      error: [FolderInUse, NotFound]
    }).annotate(OpenApi.Summary, "Delete an empty media folder").annotate(AllowedRoles, contentStaff)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Media folders")
  .annotate(OpenApi.Description, "Where a club's media are put")
{}

/** What students upload for what they write. */
export class ClassroomMediaApi extends HttpApiGroup.make("classroomMedia")
  .add(
    HttpApiEndpoint.post("create", "/classroom/media", {
      params: clubPath,
      payload: CreateStudentMedia,
      success: Data(StartedMedia).pipe(HttpApiSchema.status(201)),
      error: [MimeNotAllowed, NotFound, SizeTooLarge, StorageQuotaReached, StudentRemoved, TooManyUploads]
    }).annotate(OpenApi.Summary, "Begin an upload").annotate(
      OpenApi.Description,
      "For comments and questions images of at most 10 MiB; for submissions documents, images and videos of at most 100 MiB. What nothing uses is deleted after a week"
    ).middleware(Idempotent).middleware(NoStore),
    HttpApiEndpoint.post("complete", "/classroom/media/:mediaId/complete", {
      params: media,
      success: Data(Media),
      error: [NotFound, StorageFull, StudentRemoved, UploadMismatch, UploadNotFound]
    }).annotate(OpenApi.Summary, "Confirm that the upload has been sent")
  )
  .middleware(StudentWrites)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Media in the classroom")
  .annotate(OpenApi.Description, "What students upload for their comments, questions and submissions")
{}
